/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptors that tasks may wait for in primary mode: timerfd, eventfd, and epoll sets of these.
 * Linux makes them and has them; one that only calls of this program's C library can reach is
 * *resident* here from a task's first wait on: then its expiries or its count are kept in this
 * library, and Linux has none. Before Linux is asked for it in any way, it is exported; while
 * anybody is in Linux for it, it stays there: state/residency.h.
 */
#ifndef POSIX_FILES_H
#define POSIX_FILES_H

#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tactus/tact.h>
#include <tactus/watch.h>

#include "posix/libc/fence.h"
#include "posix/state/record.h"
#include "posix/state/residency.h"
#include "posix/state/vfork_child.h"
#include "posix/timer/interval_timer.h"

struct posix_file;

/* One kind of them. */
struct posix_file_kind {
	struct posix_residency_kind residency; /* first: it is found by that */
	/* Which of POLLIN and POLLOUT it is ready for, as far as is known here. */
	short (*ready)(const struct posix_file *file);
	/* When that changes by itself, if it has not told of this mark; false: never. */
	bool (*instant)(const struct posix_file *file, uint64_t last_sequence, tact_timeout_t *at);
	/* A number, not 0, that is another one after whatever makes it ready anew. */
	uint64_t (*sequence)(const struct posix_file *file);
	/* Take what Linux has been given by others meanwhile; NULL: nobody could. */
	void (*fetch)(struct posix_file *file, struct tact_watch *watch);
	/* What read() takes of one that is here. False: there is nothing. NULL: it is Linux's. */
	bool (*take)(struct posix_file *file, uint64_t *value);
	/* Of a set: what is done to each member; NULL: it is none. */
	void (*each)(struct posix_file *file, void (*what)(struct posix_file *member));
};

/* A thread that was in Linux for a file, and how deep it is in there now, by itself alone. */
struct posix_file_regular {
	_Atomic(const struct posix_thread *) thread;
	_Atomic uint32_t in;
};
#define POSIX_FILE_REGULARS 4

/* Each at the place of its number. Of one that is not one of these, or not known, the residency has
 * no kind. */
struct posix_file {
	struct posix_residency residency; /* first: it is found by that */
	_Atomic uint32_t generation;      /* how often the number was another file's, of any kind */
	_Atomic uint32_t users;           /* threads that are in Linux for it, but for these: */
	struct posix_file_regular regulars[POSIX_FILE_REGULARS];
	_Atomic(struct posix_file *) set; /* that it is a member of; NULL: none that is known */
	_Atomic bool nonblocking;
	bool counts_down;            /* an eventfd that is a semaphore */
	_Atomic bool notifies_space; /* of an eventfd: to read it is an edge for its set, too */
	_Atomic uint64_t edges;      /* how often an eventfd that is here was written */
	_Atomic uint64_t count;      /* of an eventfd that is here */
	struct posix_interval_timer interval_timer; /* of a timerfd */
	_Atomic uint32_t place;                     /* of a set, among the sets */
	_Atomic uint32_t ctl_count;                 /* how often epoll_ctl() was noted of it */
};

extern struct posix_file posix_files[POSIX_FILES];

extern _Atomic int posix_files_highest; /* that ever was one of these */

static inline bool posix_files_are_known(void)
{
	return atomic_load_explicit(&posix_files_highest, memory_order_relaxed) >= 0;
}

static inline struct posix_file *posix_file_of(int fd)
{
	if ((unsigned)fd >= POSIX_FILES ||
	    !atomic_load_explicit(&posix_files[fd].residency.kind, memory_order_acquire) ||
	    (posix_is_vfork_child() && posix_vfork_child_has_lost(fd)))
		return NULL;
	return &posix_files[fd];
}

/* One that Linux may have to be told of first. */
static inline struct posix_file *posix_file_to_notify(int fd)
{
	struct posix_file *file = posix_file_of(fd);

	return file && !atomic_load(&file->residency.settled) ? file : NULL;
}

static inline int posix_file_fd(const struct posix_file *file)
{
	return (int)(file - posix_files);
}

static inline bool posix_file_is(const struct posix_file *file, const struct posix_file_kind *kind)
{
	return file && atomic_load_explicit(&file->residency.kind, memory_order_relaxed) ==
			       &kind->residency;
}

/* NULL: it is not one of these any more. */
static inline const struct posix_file_kind *posix_file_kind_of(const struct posix_file *file)
{
	return (const struct posix_file_kind *)atomic_load(&file->residency.kind);
}

static inline bool posix_file_is_resident(const struct posix_file *file)
{
	return posix_residency_is_user(&file->residency);
}

/* What is done to a set is done to its members. */
static inline void posix_file_each(struct posix_file *file, void (*what)(struct posix_file *member))
{
	const struct posix_file_kind *kind = posix_file_kind_of(file);

	if (kind && kind->each)
		kind->each(file, what);
}

/* Linux has just made it: NULL, if its number is too high, or a vfork's child's. The caller sets
 * what is its kind's, and then its kind by posix_file_begin_kind(). */
struct posix_file *posix_file_begin(int fd, bool nonblocking);
static inline void posix_file_begin_kind(struct posix_file *file,
					 const struct posix_file_kind *kind)
{
	atomic_store_explicit(&file->residency.kind, &kind->residency, memory_order_release);
}
/* Closed, or another file's. */
void posix_file_forget(int fd);
/* Others may reach it from now on. */
void posix_file_share(int fd);
void posix_files_share_all(void);
/* Another program begins, with those that are not closed by that. */
void posix_files_pass_exec(void);
void posix_files_forked(void); /* in a fork's child */

extern struct posix_residency_domain posix_files_domain;
/*
 * A full barrier between what the caller stored and what it looks at. False: there was none, for
 * no task has looked yet, and the first one sees all of that: nothing is here, and nobody waits.
 */
static inline bool posix_files_fence(void)
{
	return posix_fence(&posix_files_domain.fence);
}
/* Of every kind: nobody is in Linux for it or its set, nobody else can reach them; and it has gone
 * to Linux. */
bool posix_file_is_quiet(const struct posix_residency *residency);
void posix_file_has_left(const struct posix_residency *residency);

/* Around any use of it in Linux that is not a look of this library's own. */
void posix_file_enter(struct posix_file *file);
void posix_file_leave(struct posix_file *file);
void posix_file_left(void *file); /* the same, for a cleanup */

/* The same of several, for a call that waits for all of them. */
struct posix_files_entered {
	struct posix_file *files[64];
	unsigned count;
};
void posix_files_enter(struct posix_files_entered *entered, int fd);
void posix_files_left(void *entered);

/* Its state has changed: who waits for it looks. */
void posix_file_changed(const struct posix_file *file);
void posix_files_changed(void); /* what sets have as members */

extern const struct posix_file_kind posix_timerfd, posix_eventfd;
/* write() to one that is here, which no other kind has. False: Linux has to. */
bool posix_eventfd_add(struct posix_file *file, uint64_t value);

#endif
