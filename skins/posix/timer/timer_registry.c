/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timers, here or in Linux. If all threads that could get its signal block it, a timer need not run
 * in Linux. Before any call of Linux whose result could depend on a timer, the timer is exported
 * with the first expiry that was not accepted, and Linux counts from there. Source:
 * timer_create(2).
 */
#define _GNU_SOURCE
#include "posix/timer/timer_registry.h"

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
struct posix_residency_domain posix_timers_domain = POSIX_RESIDENCY_DOMAIN_FREE;
static _Atomic uint64_t pinned;

/* A vfork's child has no timer of its parent. */
struct posix_timer *posix_timer_find(timer_t id)
{
	if (posix_is_vfork_child())
		return NULL;
	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++)
		if (posix_timer_is_there(&posix_timers[i]) && posix_timers[i].id == id &&
		    !posix_timers[i].by_interval)
			return &posix_timers[i];
	return NULL;
}

void posix_timer_move_begin(struct posix_timer *timer)
{
	posix_residency_move_begin(&timer->residency, &posix_timers_domain);
}

void posix_timer_move_end(struct posix_timer *timer)
{
	posix_residency_move_end(&timer->residency, &posix_timers_domain);
}

/* The timer that was at this place is deleted; a thread that was about to move it finds another
 * one. */
static void forget_moves(struct posix_timer *timer)
{
	bool denied;

	if (!posix_timer_has_moved(timer))
		return;
	denied = posix_linux_begin();
	posix_residency_lock(&posix_timers_domain);
	atomic_store(&timer->residency.moves, 0);
	posix_residency_unlock(&posix_timers_domain);
	posix_linux_end(denied);
}

/* From here on the masks of all threads must be visible: see masks.c. */
struct posix_timer *posix_timer_take_place(void)
{
	if (posix_is_vfork_child() || !posix_residency_may_begin(&posix_timers_domain))
		return NULL;
	for (uint32_t i = 0; i < POSIX_TIMERS; i++) {
		bool taken = false;

		if (atomic_load_explicit(&posix_timers[i].taken, memory_order_relaxed) ||
		    !atomic_compare_exchange_strong(&posix_timers[i].taken, &taken, true))
			continue;
		posix_mark_used(&posix_timers_used, i);
		forget_moves(&posix_timers[i]);
		return &posix_timers[i];
	}
	return NULL;
}

/*
 * A timer's signal cannot be delivered while every thread that could get it blocks it. The mask of
 * the calling task is known exactly; the masks of other threads are known as they were set.
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

/* The clock of ITIMER_REAL here is monotonic, so the instant is enough. */
int posix_timer_set_in_linux(const struct posix_timer *timer, int flags,
			     const struct itimerspec *times)
{
	return timer->by_interval ? posix_itimer_set_in_linux(times)
				  : posix_real.timer_settime(timer->id, flags, times, NULL);
}

/* A timer that is due but has not sent its signal yet reports one nanosecond: timer_gettime(2). */
static bool has_expired(const void *place)
{
	const struct posix_timer *timer = place;
	struct itimerspec left;

	if (timer->by_interval)
		return posix_itimer_has_expired();
	return posix_real.timer_gettime(timer->id, &left) || left.it_value.tv_sec ||
	       left.it_value.tv_nsec != 1;
}

/* A thread that unblocks the signal announces this before it looks for timers here. */
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

/* If it is here, Linux runs it from now on. */
static void leave_to_linux(struct posix_timer *timer)
{
	if (!posix_is_vfork_child())
		posix_residency_export(&timer->residency);
}

void posix_timers_hand_back(uint64_t bits)
{
	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++)
		if (posix_timer_is_mine(&posix_timers[i], bits))
			leave_to_linux(&posix_timers[i]);
}

void posix_timers_leave(void)
{
	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++)
		if (posix_timers[i].tid == posix_me.tid)
			leave_to_linux(&posix_timers[i]);
}

void posix_timers_pin(uint64_t bits)
{
	if (posix_is_vfork_child())
		return;
	atomic_fetch_or(&pinned, bits);
	for (uint32_t i = 0; i < atomic_load(&posix_timers_used); i++)
		if (bits & posix_timer_bit(&posix_timers[i]))
			leave_to_linux(&posix_timers[i]);
}

void posix_timers_forget(void)
{
	posix_residency_forked(&posix_timers_domain);
	for (uint32_t i = 0; i < POSIX_TIMERS; i++) {
		if (!atomic_load(&posix_timers[i].taken))
			continue;
		posix_timer_end(&posix_timers[i]);
		atomic_store(&posix_timers[i].residency.moves, 0);
	}
	atomic_store(&posix_timers_used, 0);
	atomic_store(&posix_itimer, NULL);
	atomic_store(&posix_timer_signals, 0);
}

bool posix_timer_can_be_resident(const struct posix_timer *timer)
{
	return !(atomic_load(&pinned) & posix_timer_bit(timer)) && is_blocked(timer);
}

static bool is_resident(const struct posix_residency *residency)
{
	const struct posix_timer *timer = (const struct posix_timer *)residency;

	return posix_interval_timer_is_resident(&timer->interval_timer);
}

static bool is_quiet(const struct posix_residency *residency)
{
	return posix_timer_can_be_resident((const struct posix_timer *)residency);
}

static void export(struct posix_residency *residency)
{
	posix_timer_export((struct posix_timer *)residency);
}

/* There is no is_quiet_guarded: the guard blocks every signal, so that the caller's mask cannot be
 * read. */
static const struct posix_residency_kind kind = {
	.domain = &posix_timers_domain,
	.is_resident = is_resident,
	.is_quiet = is_quiet,
	.import = posix_timer_import,
	.export = export,
};

void posix_timer_begin(struct posix_timer *timer)
{
	atomic_store_explicit(&timer->residency.kind, &kind, memory_order_release);
}

void posix_timer_end(struct posix_timer *timer)
{
	atomic_store_explicit(&timer->residency.kind, NULL, memory_order_release);
	atomic_store_explicit(&timer->taken, false, memory_order_release);
}

bool posix_signal_is_pending(int signal)
{
	sigset_t pending;

	return posix_real.sigpending(&pending) || sigismember(&pending, signal);
}
