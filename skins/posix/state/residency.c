/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Moves of objects to Linux and back: see residency.h. If one thread moves an object while another
 * one enters Linux for it, at least one of them sees the other (Dekker's pattern): the mover writes
 * `moves` before it checks whether the object is quiet; the other thread makes the object unquiet
 * before it reads `moves`.
 */
#define _GNU_SOURCE
#include "posix/state/residency.h"

#include <errno.h>

#include "posix/state/linux_call.h"

enum posix_residency_state posix_residency_state(const struct posix_residency *residency)
{
	const uint64_t moves = atomic_load(&residency->moves);
	const bool is_user = posix_residency_is_user(residency);

	/* If it moved meanwhile, is_user may be wrong. */
	if (posix_residency_has_moved(residency, moves))
		return POSIX_MOVING;
	if (is_user)
		return POSIX_USER;
	return atomic_load(&residency->pinned) ? POSIX_PINNED : POSIX_KERNEL;
}

bool posix_residency_may_begin(struct posix_residency_domain *domain)
{
	const bool denied = posix_linux_begin();
	const bool done = posix_fence_begin(&domain->fence);

	posix_linux_end(denied);
	return done;
}

void posix_residency_lock(struct posix_residency_domain *domain)
{
	posix_guard_lock(&domain->guard);
}

void posix_residency_unlock(struct posix_residency_domain *domain)
{
	posix_guard_unlock(&domain->guard);
}

void posix_residency_move_begin(struct posix_residency *residency,
				struct posix_residency_domain *domain)
{
	posix_residency_lock(domain);
	atomic_fetch_add(&residency->moves, 1);
}

void posix_residency_move_end(struct posix_residency *residency,
			      struct posix_residency_domain *domain)
{
	atomic_fetch_add(&residency->moves, 1);
	posix_residency_unlock(domain);
}

/* With the guard. A thread that enters Linux from here on waits until the import is complete. */
static bool import_guarded(struct posix_residency *residency,
			   const struct posix_residency_kind *kind)
{
	if (atomic_load(&residency->kind) != kind ||
	    (kind->is_quiet_guarded && !kind->is_quiet_guarded(residency)))
		return false;
	return kind->is_resident(residency) || kind->import(residency);
}

bool posix_residency_import(struct posix_residency *residency)
{
	const struct posix_residency_kind *kind = atomic_load(&residency->kind);
	const int former = errno;
	bool denied, done;

	if (!kind)
		return false;
	if (kind->is_resident(residency))
		return true;
	if (!kind->is_quiet(residency) || !posix_residency_may_begin(kind->domain))
		return false;
	denied = posix_linux_begin();
	posix_residency_move_begin(residency, kind->domain);
	done = import_guarded(residency, kind);
	posix_residency_move_end(residency, kind->domain);
	posix_linux_end(denied);
	errno = former;
	if (!done || kind->is_quiet(residency))
		return done;
	posix_residency_export(residency);
	return false;
}

/* With the guard. The number or the place may now belong to another object. */
static bool export_guarded(struct posix_residency *residency)
{
	const struct posix_residency_kind *kind = atomic_load(&residency->kind);

	if (!kind || !kind->is_resident(residency))
		return false;
	kind->export(residency);
	return true;
}

void posix_residency_export(struct posix_residency *residency)
{
	const enum posix_residency_state state = posix_residency_state(residency);
	const struct posix_residency_kind *kind = atomic_load(&residency->kind);
	const int former = errno;
	bool denied, done;

	if (!kind || state == POSIX_KERNEL || state == POSIX_PINNED)
		return;
	denied = posix_linux_begin();
	posix_residency_move_begin(residency, kind->domain);
	done = export_guarded(residency);
	posix_residency_move_end(residency, kind->domain);
	posix_linux_end(denied);
	if (done && kind->left)
		kind->left(residency);
	errno = former;
}

void posix_residency_settle(struct posix_residency *residency)
{
	const struct posix_residency_kind *kind = atomic_load(&residency->kind);

	if (kind && !kind->is_quiet(residency))
		posix_residency_export(residency);
}

void posix_residency_forked(struct posix_residency_domain *domain)
{
	posix_guard_forked(&domain->guard);
}
