/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptors that tasks may wait for in primary mode: timerfd, eventfd, and epoll sets of these.
 * Linux makes and has them. A descriptor that only calls of this program's C library can reach
 * becomes *resident* at a task's first wait: its expiries or its count are then kept in this
 * library, and Linux has none. It is exported before Linux is called for it in any way. While a
 * thread is in Linux for it, it stays there: state/residency.h.
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

/* A kind of descriptor. */
struct posix_file_kind {
	struct posix_residency_kind residency; /* first: the record is found by it */
	/* Which of POLLIN and POLLOUT is it ready for, as far as is known here? */
	short (*ready)(const struct posix_file *file);
	/* When does this change by itself, if last_sequence is the mark that was reported last?
	 * False: never. */
	bool (*instant)(const struct posix_file *file, uint64_t last_sequence, tact_timeout_t *at);
	/* A mark, not 0, that changes with everything that makes the descriptor ready again. */
	uint64_t (*sequence)(const struct posix_file *file);
	/* Take what others have given Linux meanwhile; NULL: no other program or driver can. */
	void (*fetch)(struct posix_file *file, struct tact_watch *watch);
	/* What read() takes from a resident one. False: there is nothing. NULL: Linux serves
	 * read(). */
	bool (*take)(struct posix_file *file, uint64_t *value);
	/* For a set: call this for each member. NULL: the kind is no set. */
	void (*each)(struct posix_file *file, void (*what)(struct posix_file *member));
};

/* A thread that was in Linux for a file, and how many times it is there now. Only this thread
 * writes. */
struct posix_file_regular {
	_Atomic(const struct posix_thread *) thread;
	_Atomic uint32_t in;
};
#define POSIX_FILE_REGULARS 4

/* Each at the place of its number. If the descriptor is none of these kinds or is not known, the
 * residency has no kind. */
struct posix_file {
	struct posix_residency residency; /* first: the record is found by it */
	/* how often the number became another file's, of any kind */
	_Atomic uint32_t generation;
	_Atomic uint32_t users; /* threads that are in Linux for it, except these: */
	struct posix_file_regular regulars[POSIX_FILE_REGULARS];
	/* the set of which it is a member; NULL: none that is known */
	_Atomic(struct posix_file *) set;
	_Atomic bool nonblocking;
	bool counts_down;            /* an eventfd that is a semaphore */
	_Atomic bool notifies_space; /* of an eventfd: a read is an edge for its set, too */
	_Atomic uint64_t edges;      /* how often an eventfd was written while it was here */
	_Atomic uint64_t count;      /* of an eventfd that is here */
	struct posix_interval_timer interval_timer; /* of a timerfd */
	_Atomic uint32_t place;                     /* of a set, in the table of sets */
	_Atomic uint32_t ctl_count;                 /* how often an epoll_ctl() was noted for it */
};

extern struct posix_file posix_files[POSIX_FILES];

extern _Atomic int posix_files_highest; /* highest number that was ever one of these */

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

/* The file, if it may have to be exported before a call of Linux; otherwise NULL. */
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

/* NULL: it is no longer one of these. */
static inline const struct posix_file_kind *posix_file_kind_of(const struct posix_file *file)
{
	return (const struct posix_file_kind *)atomic_load(&file->residency.kind);
}

static inline bool posix_file_is_resident(const struct posix_file *file)
{
	return posix_residency_is_user(&file->residency);
}

/* Call this for each member, if the file is a set. */
static inline void posix_file_each(struct posix_file *file, void (*what)(struct posix_file *member))
{
	const struct posix_file_kind *kind = posix_file_kind_of(file);

	if (kind && kind->each)
		kind->each(file, what);
}

/* Linux has just made it. NULL: its number is too high, or the caller is a vfork's child. The
 * caller sets the fields of its kind, and then the kind by posix_file_begin_kind(). */
struct posix_file *posix_file_begin(int fd, bool nonblocking);
static inline void posix_file_begin_kind(struct posix_file *file,
					 const struct posix_file_kind *kind)
{
	atomic_store_explicit(&file->residency.kind, &kind->residency, memory_order_release);
}
/* It was closed, or its number is now another file's. */
void posix_file_forget(int fd);
/* From now on other programs may reach it. */
void posix_file_share(int fd);
void posix_files_share_all(void);
/* An exec follows: prepare the descriptors that remain open. */
void posix_files_pass_exec(void);
void posix_files_forked(void); /* in a fork's child */

extern struct posix_residency_domain posix_files_domain;
/*
 * A full barrier between what the caller stored and what it looks at. False: there was no barrier,
 * because no task has used such a descriptor yet. The first task that does sees what the caller
 * stored; until then no descriptor is resident and no task waits.
 */
static inline bool posix_files_fence(void)
{
	return posix_fence(&posix_files_domain.fence);
}
/* For every kind: is no thread in Linux for it or its set, and can no other program reach them? */
bool posix_file_is_quiet(const struct posix_residency *residency);
/* For every kind: it has gone to Linux. */
void posix_file_has_left(const struct posix_residency *residency);

/* Around any use of it in Linux, except this library's own queries. */
void posix_file_enter(struct posix_file *file);
void posix_file_leave(struct posix_file *file);
void posix_file_left(void *file); /* the same, for a cleanup */

/* The same for several files, for a call that waits for all of them. */
struct posix_files_entered {
	struct posix_file *files[64];
	unsigned count;
};
void posix_files_enter(struct posix_files_entered *entered, int fd);
void posix_files_left(void *entered);

/* Its state has changed: make the tasks that wait for it look. */
void posix_file_changed(const struct posix_file *file);
void posix_files_changed(void); /* the members of a set have changed */

extern const struct posix_file_kind posix_timerfd, posix_eventfd;
/* write() to a resident eventfd; no other kind has this operation. False: Linux has to do it. */
bool posix_eventfd_add(struct posix_file *file, uint64_t value);

#endif
