/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waiting at an address: see wait.h. Whether a waiter was woken is told by its slot alone. How it
 * sleeps meanwhile: wait_sleep.c.
 */
#define _GNU_SOURCE
#include "posix/park/wait.h"

#include "posix/park/waiter.h"
#include "posix/park/waiter_wait.h"

#define REFUSALS 64u

const char posix_signals;
static _Atomic uint64_t nowhere; /* a slot that nobody is in */

void posix_wait_rank(void)
{
	atomic_store_explicit(&posix_waiters[posix_me.waiter].level,
			      (uint32_t)posix_priority(&posix_me), memory_order_relaxed);
}

/* Looked at once more when handlers that wait know of it. */
static void await_giver(struct posix_waiter *waiter, _Atomic uint64_t *slot, uint64_t value)
{
	posix_me.waits++;
	atomic_signal_fence(memory_order_seq_cst);
	if (atomic_load(slot) == value)
		(void)tact_sem_wait(waiter->parking, TACT_FOREVER);
	posix_me.waits -= posix_me.waits != 0;
}

/*
 * A giver or mover that has it may be a task that this one has preempted: it gets its turn. A mover
 * says where the waiter is now before it clears the old slot.
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
	struct posix_waiter *waiter = &posix_waiters[posix_me.waiter];

	/* A handler has waited, and then ended its task: as if it had been woken. */
	if (!posix_me.has_waiter)
		return true;
	do {
		if (posix_wait_clear(waiter, waiter->value))
			return false;
	} while (!posix_wait_is_woken(waiter));
	return true;
}

/*
 * A handler that waits in the middle of a wait, for a mutex or a condition, has the same waiter:
 * that wait is left before, as if it had been woken, and its caller looks again.
 */
static void leave_outer(const struct posix_waiter *waiter)
{
	if (posix_waiter_is_joined(waiter))
		(void)posix_wait_leave();
	/* It may be about to sleep, and would not be found any more. */
	if (posix_me.waits)
		(void)tact_sem_post(waiter->parking);
}

/* Until its slot is known nobody could leave it, so that a handler's wait would lose it. */
static void join(struct posix_waiter *waiter, uintptr_t address, uint64_t accepts,
		 struct posix_handoff *handoff)
{
	_Atomic uint64_t *none = NULL;
	_Atomic uint64_t *slot;
	uint64_t stamp;

	stamp = atomic_fetch_add_explicit(&posix_wait_stamps, 1, memory_order_relaxed) + 1;
	atomic_store_explicit(&waiter->slot, NULL, memory_order_relaxed);
	waiter->value = stamp << POSIX_WAITER_BITS | posix_me.waiter;
	posix_wait_rank();
	atomic_store_explicit(&waiter->address, address, memory_order_relaxed);
	atomic_store_explicit(&waiter->accepts, accepts, memory_order_relaxed);
	waiter->handoff = handoff;
	/* Counted first: who sees none waiting has changed the object before we look at it. */
	posix_wait_count(address, 1);
	slot = posix_wait_enter(address, waiter->value);
	/* A mover that is there already has said where it is now. */
	if (slot) {
		(void)atomic_compare_exchange_strong(&waiter->slot, &none, slot);
		return;
	}
	/* For a wait that this one has ended. */
	atomic_store_explicit(&waiter->slot, &nowhere, memory_order_relaxed);
	posix_wait_count(address, -1u);
}

bool posix_wait_join_for(const void *address, uint64_t accepts, struct posix_handoff *handoff)
{
	struct posix_waiter *waiter = &posix_waiters[posix_me.waiter];

	/* A handler has ended its task. */
	if (!posix_me.task)
		return false;
	/* Not for ever: a handler may have jumped away. */
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
	return (const void *)atomic_load_explicit(&posix_waiters[posix_me.waiter].address,
						  memory_order_relaxed);
}
