/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waiting at an address: see wait.h. Only its slot says whether a waiter was woken. Its sleep is in
 * wait_sleep.c.
 */
#define _GNU_SOURCE
#include "posix/park/wait.h"

#include "posix/park/waiter.h"
#include "posix/park/waiter_wait.h"

#define REFUSALS 64u

const char posix_signals;
static _Atomic uint64_t nowhere; /* a slot without a waiter */

void posix_wait_rank(void)
{
	atomic_store_explicit(&posix_waiters[posix_me.wait.waiter].level,
			      (uint32_t)posix_priority(&posix_me), memory_order_relaxed);
}

/* The slot is read once more after `waits` was raised, by which handlers that wait know of this
 * wait. */
static void await_giver(struct posix_waiter *waiter, _Atomic uint64_t *slot, uint64_t value)
{
	posix_me.wait.nested++;
	atomic_signal_fence(memory_order_seq_cst);
	if (atomic_load(slot) == value)
		(void)tact_sem_wait(waiter->parking, TACT_FOREVER);
	posix_me.wait.nested -= posix_me.wait.nested != 0;
}

/*
 * If a giver or mover owns the waiter, it may be a task that this one has preempted, so this one
 * waits for it. A mover sets the new slot of the waiter before it clears the old one.
 */
bool posix_wait_is_woken(struct posix_waiter *waiter)
{
	for (;;) {
		_Atomic uint64_t *slot = atomic_load_explicit(&waiter->slot, memory_order_acquire);
		uint64_t value = atomic_load_explicit(slot, memory_order_acquire);

		if (value == waiter->value)
			return false;
		if (value == (waiter->value | POSIX_WAIT_TAKEN))
			await_giver(waiter, slot, value);
		else if (slot == atomic_load_explicit(&waiter->slot, memory_order_relaxed))
			return true;
	}
}

bool posix_wait_clear(struct posix_waiter *waiter, uint64_t value)
{
	_Atomic uint64_t *slot = atomic_load_explicit(&waiter->slot, memory_order_acquire);

	if (!slot || !atomic_compare_exchange_strong(slot, &value, 0))
		return false;
	posix_wait_count(atomic_load_explicit(&waiter->address, memory_order_relaxed), -1u);
	return true;
}

bool posix_wait_leave(void)
{
	struct posix_waiter *waiter = &posix_waiters[posix_me.wait.waiter];

	/* A handler has waited, and then ended the task: this counts as woken. */
	if (!posix_me.wait.has_waiter)
		return true;
	do {
		if (posix_wait_clear(waiter, waiter->value))
			return false;
	} while (!posix_wait_is_woken(waiter));
	return true;
}

/*
 * A handler that waits in the middle of a wait, for a mutex or a condition, uses the same waiter.
 * So the outer wait is left first, as if it had been woken, and its caller looks again.
 */
static void leave_outer(const struct posix_waiter *waiter)
{
	if (posix_waiter_is_joined(waiter))
		(void)posix_wait_leave();
	/* The outer wait may be about to sleep, and no wake-up would find it any more. */
	if (posix_me.wait.nested)
		(void)tact_sem_post(waiter->parking);
}

/* Until `slot` is set, a handler that waits could not leave this wait, which would be lost. */
static void join(struct posix_waiter *waiter, uintptr_t address, uint64_t accepts,
		 struct posix_handoff *handoff)
{
	_Atomic uint64_t *none = NULL;
	_Atomic uint64_t *slot;
	uint64_t stamp;

	stamp = atomic_fetch_add_explicit(&posix_wait_stamps, 1, memory_order_relaxed) + 1;
	atomic_store_explicit(&waiter->slot, NULL, memory_order_relaxed);
	waiter->value = stamp << POSIX_WAITER_BITS | posix_me.wait.waiter;
	posix_wait_rank();
	atomic_store_explicit(&waiter->address, address, memory_order_relaxed);
	atomic_store_explicit(&waiter->accepts, accepts, memory_order_relaxed);
	waiter->handoff = handoff;
	/* Counted first: a thread that sees no waiter has changed the object before it is read
	 * here. */
	posix_wait_count(address, 1);
	slot = posix_wait_enter(address, waiter->value);
	/* If a mover was faster, it has set the new slot already. */
	if (slot) {
		(void)atomic_compare_exchange_strong(&waiter->slot, &none, slot);
		return;
	}
	/* This is for an outer wait that this one has ended. */
	atomic_store_explicit(&waiter->slot, &nowhere, memory_order_relaxed);
	posix_wait_count(address, -1u);
}

bool posix_wait_join_for(const void *address, uint64_t accepts, struct posix_handoff *handoff)
{
	struct posix_waiter *waiter = &posix_waiters[posix_me.wait.waiter];

	/* A handler has ended the task. */
	if (!posix_me.task.id)
		return false;
	/* The number of refusals is limited, because a handler may have left by a jump. */
	if (atomic_load_explicit(&waiter->joins, memory_order_relaxed)) {
		atomic_fetch_sub_explicit(&waiter->joins, 1, memory_order_relaxed);
		return false;
	}
	leave_outer(waiter);
	atomic_store_explicit(&waiter->joins, REFUSALS, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	join(waiter, (uintptr_t)address, accepts, handoff);
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&waiter->joins, 0, memory_order_relaxed);
	return atomic_load_explicit(&waiter->slot, memory_order_relaxed) != &nowhere;
}

bool posix_wait_join(const void *address)
{
	return posix_wait_join_for(address, 0, NULL);
}

const void *posix_wait_address(void)
{
	return (const void *)atomic_load_explicit(&posix_waiters[posix_me.wait.waiter].address,
						  memory_order_relaxed);
}
