/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timers, here or in Linux. One whose signal all who could get it have blocked need not run there.
 * Before Linux is asked in any way that could tell, it gets the timer with the first expiry that
 * was not accepted, and counts from there. Source: timer_create(2).
 */
#define _GNU_SOURCE
#include "posix/timer/timer_registry.h"

#include <errno.h>

#include "posix/libc/fence.h"
#include "posix/libc/guard.h"
#include "posix/libc/real.h"
#include "posix/libc/used.h"
#include "posix/state/linux_call.h"
#include "posix/state/mask.h"
#include "posix/state/mask_cells.h"
#include "posix/state/vfork_child.h"
#include "posix/timer/timers.h"

struct posix_timer posix_timers[POSIX_TIMERS];
_Atomic(struct posix_timer *) posix_itimer;
_Atomic uint32_t posix_timers_used;
struct posix_fence posix_timers_fence;
static struct posix_guard guard = POSIX_GUARD_FREE;
static _Atomic uint64_t pinned;

/* A vfork's child has none of its parent's. */
struct posix_timer *posix_timer_find(timer_t id)
{
	if (posix_is_vfork_child())
		return NULL;
	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++)
		if (atomic_load(&posix_timers[i].taken) == 2 && posix_timers[i].id == id &&
		    !posix_timers[i].by_interval)
			return &posix_timers[i];
	return NULL;
}

void posix_timers_lock(void)
{
	posix_guard_lock(&guard);
}

void posix_timers_unlock(void)
{
	posix_guard_unlock(&guard);
}

void posix_timer_move_begin(struct posix_timer *timer)
{
	posix_timers_lock();
	atomic_fetch_add(&timer->moves, 1);
}

void posix_timer_move_end(struct posix_timer *timer)
{
	atomic_fetch_add(&timer->moves, 1);
	posix_timers_unlock();
}

/* What was there before is deleted; who was about to move that finds another one. */
static void forget_moves(struct posix_timer *timer)
{
	bool denied;

	if (!atomic_load(&timer->moves))
		return;
	denied = posix_linux_begin();
	posix_timers_lock();
	atomic_store(&timer->moves, 0);
	posix_timers_unlock();
	posix_linux_end(denied);
}

/* All threads' masks are to be seen from here on: see masks.c. */
static bool may_come(void)
{
	const bool denied = posix_linux_begin();
	const bool done = posix_fence_begin(&posix_timers_fence);

	posix_linux_end(denied);
	return done;
}

struct posix_timer *posix_timer_take_place(void)
{
	if (posix_is_vfork_child() || !may_come())
		return NULL;
	for (uint32_t i = 0; i < POSIX_TIMERS; i++) {
		uint32_t nobody = 0;

		if (atomic_load_explicit(&posix_timers[i].taken, memory_order_relaxed) ||
		    !atomic_compare_exchange_strong(&posix_timers[i].taken, &nobody, 1))
			continue;
		posix_mark_used(&posix_timers_used, i);
		forget_moves(&posix_timers[i]);
		return &posix_timers[i];
	}
	return NULL;
}

/*
 * A timer's signal cannot be delivered while every thread that it is for blocks it. The calling
 * task's own mask is known as it is; the others' as they set them.
 */
static bool is_blocked(const struct posix_timer *timer)
{
	const uint64_t bit = posix_timer_bit(timer);
	uint64_t blocked;
	bool denied;

	if (!bit)
		return true;
	if (atomic_load_explicit(&posix_mask_cells_doubted, memory_order_acquire)) {
		denied = posix_linux_begin();
		posix_mask_cells_confirm();
		posix_linux_end(denied);
	}
	if ((!timer->tid || timer->tid == posix_me.tid) && posix_is_task()) {
		if (!posix_signals_blocked(&blocked) || !(blocked & bit))
			return false;
		if (timer->tid)
			return true;
	}
	return timer->tid ? posix_mask_blocks(timer->tid, bit) : posix_masks_all_block(bit);
}

int posix_timer_query(const void *place, struct itimerspec *left)
{
	const struct posix_timer *timer = place;

	return timer->by_interval ? posix_itimer_query(left)
				  : posix_real.timer_gettime(timer->id, left);
}

/* The interval timer's clock is monotonic: it is given by an instant alone. */
int posix_timer_set_in_linux(const struct posix_timer *timer, int flags,
			     const struct itimerspec *times)
{
	return timer->by_interval ? posix_itimer_set_in_linux(times)
				  : posix_real.timer_settime(timer->id, flags, times, NULL);
}

/* One that is due, and has not sent its signal yet, has a nanosecond left: timer_gettime(2). */
static bool has_expired(const void *place)
{
	const struct posix_timer *timer = place;
	struct itimerspec left;

	if (timer->by_interval)
		return posix_itimer_has_expired();
	return posix_real.timer_gettime(timer->id, &left) || left.it_value.tv_sec ||
	       left.it_value.tv_nsec != 1;
}

/* Who unblocks its signal says so before it looks whether there is one here. */
void posix_timer_comes(const struct posix_timer *timer)
{
	atomic_fetch_or(&posix_timer_signals, posix_timer_bit(timer));
}

void posix_timer_export(struct posix_timer *timer)
{
	struct posix_interval_timer_exported given;

	if (posix_timer_is_resident(timer) &&
	    posix_interval_timer_export(&timer->interval_timer, &given) &&
	    !posix_timer_set_in_linux(timer, given.flags, &given.times))
		posix_interval_timer_await(&given, has_expired, timer);
}

void posix_timer_export_locked(struct posix_timer *timer)
{
	const int former = errno;
	bool denied;

	if (posix_is_vfork_child() || !posix_timer_may_be_resident(timer))
		return;
	denied = posix_linux_begin();
	posix_timer_move_begin(timer);
	posix_timer_export(timer);
	posix_timer_move_end(timer);
	posix_linux_end(denied);
	errno = former;
}

void posix_timer_settle(struct posix_timer *timer)
{
	if (!posix_timer_can_be_resident(timer))
		posix_timer_export_locked(timer);
}

void posix_timers_hand_back(uint64_t bits)
{
	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++)
		if (posix_timer_is_mine(&posix_timers[i], bits))
			posix_timer_export_locked(&posix_timers[i]);
}

void posix_timers_leave(void)
{
	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++)
		if (posix_timers[i].tid == posix_me.tid)
			posix_timer_export_locked(&posix_timers[i]);
}

void posix_timers_pin(uint64_t bits)
{
	if (posix_is_vfork_child())
		return;
	atomic_fetch_or(&pinned, bits);
	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++)
		if (bits & posix_timer_bit(&posix_timers[i]))
			posix_timer_export_locked(&posix_timers[i]);
}

void posix_timers_forget(void)
{
	posix_guard_forked(&guard);
	for (uint32_t i = 0; i < POSIX_TIMERS; i++) {
		atomic_store(&posix_timers[i].taken, 0);
		atomic_store(&posix_timers[i].moves, 0);
	}
	atomic_store(&posix_timers_used, 0);
	atomic_store(&posix_itimer, NULL);
	atomic_store(&posix_timer_signals, 0);
}

bool posix_timer_can_be_resident(const struct posix_timer *timer)
{
	return !(atomic_load(&pinned) & posix_timer_bit(timer)) && is_blocked(timer);
}

bool posix_signal_is_pending(int signal)
{
	sigset_t pending;

	return posix_real.sigpending(&pending) || sigismember(&pending, signal);
}
