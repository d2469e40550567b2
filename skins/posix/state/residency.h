/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An object that Linux made, and that is in one place at a time: in Linux, or in this library.
 * After an import, the importer checks whether another thread has entered Linux for the object. If
 * so, it exports the object again. A thread that enters Linux announces this first, and exports
 * what is here. So nothing is lost between the two.
 *
 * The word of the kind says in which place the object is: a caller takes its value by one
 * compare-and-exchange, and one value means "in Linux". This record has the rest, which is the same
 * for all kinds: decision record 24.
 */
#ifndef POSIX_RESIDENCY_H
#define POSIX_RESIDENCY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "posix/libc/fence.h"
#include "posix/libc/guard.h"

enum posix_residency_state {
	POSIX_KERNEL, /* it may be imported */
	POSIX_USER,   /* it is resident: its state is in this library */
	POSIX_PINNED, /* other programs may reach it: it stays in the kernel for good */
	POSIX_MOVING, /* between the two: after a wait for the guard it is in one of them */
};

/* What the objects of one kind or several kinds share. */
struct posix_residency_domain {
	/* For plain threads: between announcing that they are in Linux, and looking where the
	 * object is. */
	struct posix_fence fence;
	struct posix_guard guard; /* held while an object is moved */
};

#define POSIX_RESIDENCY_DOMAIN_FREE        \
	{                                  \
		.guard = POSIX_GUARD_FREE, \
	}

struct posix_residency;

/* The operations of a kind. Import and export are called with the guard. */
struct posix_residency_kind {
	struct posix_residency_domain *domain;
	bool (*is_resident)(const struct posix_residency *residency);
	/* Is no thread in Linux for it, and can no other program reach it? */
	bool (*is_quiet)(const struct posix_residency *residency);
	/* The same with the guard; NULL: the kind cannot answer this with the guard. */
	bool (*is_quiet_guarded)(const struct posix_residency *residency);
	bool (*import)(struct posix_residency *residency); /* false: not now */
	void (*export)(struct posix_residency *residency);
	/* It is now in Linux: make the tasks that wait here look there. NULL: none has to. */
	void (*left)(const struct posix_residency *residency);
};

/* The first member of the record of each object. */
struct posix_residency {
	_Atomic(const struct posix_residency_kind *) kind; /* NULL: there is no object */
	_Atomic uint64_t moves; /* number of begun and ended moves: odd while it moves */
	_Atomic bool pinned;    /* other programs may reach it */
	_Atomic bool settled;   /* it is pinned, and in Linux with all that belongs to it */
};

static inline bool posix_residency_is_user(const struct posix_residency *residency)
{
	const struct posix_residency_kind *kind = atomic_load(&residency->kind);

	return kind && kind->is_resident(residency);
}

/* Also MOVING if the object moved during this call. Context: any thread, handler. */
enum posix_residency_state posix_residency_state(const struct posix_residency *residency);

/* Has it moved since `moves` was read, or does it move now? */
static inline bool posix_residency_has_moved(const struct posix_residency *residency,
					     uint64_t moves)
{
	return moves & 1 || atomic_load(&residency->moves) != moves;
}

/* To be called before any object of the domain is here. True: from now on, the announcements of
 * plain threads that they are in Linux are reliable. Cost: the first time, a call of Linux. */
bool posix_residency_may_begin(struct posix_residency_domain *domain);

/*
 * Called by a task that is about to use the object. True: it is here. False: it has to be used in
 * Linux. errno is not changed. Cost: one load if it is here; else calls of Linux.
 */
bool posix_residency_import(struct posix_residency *residency);
/* When this returns, the object is in Linux. errno is not changed. Cost: three loads if it is
 * already there. */
void posix_residency_export(struct posix_residency *residency);
/* To be called after the object was set or begun here: export it if it is no longer quiet. */
void posix_residency_settle(struct posix_residency *residency);

/*
 * Around a move of another kind. Between them no other object of the domain moves, and no handler
 * runs in the caller.
 */
void posix_residency_move_begin(struct posix_residency *residency,
				struct posix_residency_domain *domain);
void posix_residency_move_end(struct posix_residency *residency,
			      struct posix_residency_domain *domain);

/* Between these two no object of the domain moves. */
void posix_residency_lock(struct posix_residency_domain *domain);
void posix_residency_unlock(struct posix_residency_domain *domain);

/* In a fork's child: the thread that moved an object does not exist there. */
void posix_residency_forked(struct posix_residency_domain *domain);
/* The same for each object that may have been moving. */
static inline void posix_residency_object_forked(struct posix_residency *residency)
{
	const uint64_t moves = atomic_load(&residency->moves);

	if (moves & 1)
		atomic_store(&residency->moves, moves + 1);
}

#endif
