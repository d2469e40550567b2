/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An object that Linux made, and that is in one place at a time: in Linux, or in this library. Who
 * imports one looks afterwards whether anybody has gone to Linux for it, and exports it again then.
 * Who goes to Linux says so first, and exports what is here. So nothing is lost between the two.
 *
 * Which place it is in, the kind's own word tells: the value that a caller takes by one
 * compare-and-exchange has a number that means "in Linux". This record has the rest, which is the
 * same for all kinds: decision record 24.
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
	POSIX_PINNED, /* others may reach it: it stays in the kernel for good */
	POSIX_MOVING, /* between the two: who waits for the guard finds it in one of them */
};

/* What the objects of one or several kinds have in common. */
struct posix_residency_domain {
	/* Of plain threads, between what they say of being in Linux, and the look where it is. */
	struct posix_fence fence;
	struct posix_guard guard; /* held by whoever moves one */
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
	/* Is nobody in Linux for it, and can nobody else reach it? */
	bool (*is_quiet)(const struct posix_residency *residency);
	/* The same with the guard; NULL: that cannot be asked there. */
	bool (*is_quiet_guarded)(const struct posix_residency *residency);
	bool (*import)(struct posix_residency *residency); /* false: not now */
	void (*export)(struct posix_residency *residency);
	/* It is in Linux from now on: who waits for it here looks there. NULL: nobody has to. */
	void (*left)(const struct posix_residency *residency);
};

/* Of one object: the first member of its record. */
struct posix_residency {
	_Atomic(const struct posix_residency_kind *) kind; /* NULL: there is no object */
	_Atomic uint64_t moves; /* how many moves began and ended: odd while it moves */
	_Atomic bool pinned;    /* others may reach it */
	_Atomic bool settled;   /* and it is in Linux, with all that belongs to it */
};

static inline bool posix_residency_is_user(const struct posix_residency *residency)
{
	const struct posix_residency_kind *kind = atomic_load(&residency->kind);

	return kind && kind->is_resident(residency);
}

/* MOVING, too, for one that moved while this looked. Context: any thread, handler. */
enum posix_residency_state posix_residency_state(const struct posix_residency *residency);

/* Has it moved since `moves` was read, or does it move now? */
static inline bool posix_residency_has_moved(const struct posix_residency *residency,
					     uint64_t moves)
{
	return moves & 1 || atomic_load(&residency->moves) != moves;
}

/* Before any object of the domain is here: what plain threads say of being in Linux can be relied
 * on. False: it cannot. Cost: the first time, a call of Linux. */
bool posix_residency_may_begin(struct posix_residency_domain *domain);

/*
 * By a task that is about to use it: it is here. False: it has to be used in Linux. errno stays as
 * it was. Cost: one load if it is here; else calls of Linux.
 */
bool posix_residency_import(struct posix_residency *residency);
/* It is in Linux when this returns; and errno as it was. Cost: three loads if it is there. */
void posix_residency_export(struct posix_residency *residency);
/* After it was set or begun here: export it, if it is not quiet any more. */
void posix_residency_settle(struct posix_residency *residency);

/*
 * Around a move that is not one of these two. Between them no other object of the domain moves, and
 * no handler runs in the caller.
 */
void posix_residency_move_begin(struct posix_residency *residency,
				struct posix_residency_domain *domain);
void posix_residency_move_end(struct posix_residency *residency,
			      struct posix_residency_domain *domain);

/* Between these two no object of the domain moves. */
void posix_residency_lock(struct posix_residency_domain *domain);
void posix_residency_unlock(struct posix_residency_domain *domain);

/* In a fork's child: whoever moved one is not there. */
void posix_residency_forked(struct posix_residency_domain *domain);
/* The same of each object that may have moved just then. */
static inline void posix_residency_object_forked(struct posix_residency *residency)
{
	const uint64_t moves = atomic_load(&residency->moves);

	if (moves & 1)
		atomic_store(&residency->moves, moves + 1);
}

#endif
