/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Wake-ups of waiters at an address, and handoffs to them: see wait.h. Lock-free. */
#define _GNU_SOURCE
#include "posix/park/wait.h"

#include "posix/park/waiter.h"

/* The waiters that are wanted. */
struct wanted {
	uintptr_t address;
	uint64_t event_mask; /* events, one of which the waiter accepts; 0: all waiters */
	uint32_t waiter;     /* or POSIX_WAITERS: any */
	uint64_t newest;     /* stamp: later waiters are not wanted */
	const struct posix_kernel_pending *kernel_pending; /* for a handoff; NULL: only a wake-up */
};

/* Events of which Linux may have some pending for this waiter. */
static uint64_t kernel_pending_for(uint64_t value, const struct wanted *wanted)
{
	const struct posix_kernel_pending *kernel_pending = wanted->kernel_pending;
	uint64_t event_mask;

	if (!kernel_pending)
		return 0;
	event_mask = atomic_load(kernel_pending->for_any);
	if (kernel_pending->for_waiter)
		event_mask |= atomic_load(&kernel_pending->for_waiter[value & (POSIX_WAITERS - 1)]);
	return event_mask;
}

static bool is_wanted(uint64_t value, const struct wanted *wanted)
{
	const struct posix_waiter *waiter = &posix_waiters[value & (POSIX_WAITERS - 1)];
	uint64_t accepts;

	if (!value || value & POSIX_WAIT_TAKEN || value >> POSIX_WAITER_BITS > wanted->newest ||
	    atomic_load_explicit(&waiter->address, memory_order_relaxed) != wanted->address)
		return false;
	accepts = atomic_load_explicit(&waiter->accepts, memory_order_relaxed);
	if (wanted->event_mask && !(accepts & wanted->event_mask))
		return false;
	if (accepts & kernel_pending_for(value, wanted))
		return false;
	return wanted->waiter == POSIX_WAITERS || wanted->waiter == (value & (POSIX_WAITERS - 1));
}

/* Find the most urgent one, and of equals the one that has waited longest. */
static bool find(const struct wanted *wanted, _Atomic uint64_t **best, uint64_t *best_value)
{
	uint32_t best_level = 0;

	*best = NULL;
	for (struct posix_wait_block *block = posix_wait_blocks(wanted->address); block;
	     block = atomic_load_explicit(&block->next, memory_order_acquire)) {
		for (uint32_t i = 0; i < POSIX_WAIT_SLOTS; i++) {
			uint64_t value = atomic_load(&block->slots[i]);
			uint32_t level;

			if (!is_wanted(value, wanted))
				continue;
			level = atomic_load_explicit(
				&posix_waiters[value & (POSIX_WAITERS - 1)].level,
				memory_order_relaxed);
			if (*best &&
			    (level < best_level || (level == best_level && value > *best_value)))
				continue;
			*best = &block->slots[i];
			*best_value = value;
			best_level = level;
		}
	}
	return *best;
}

/*
 * A woken task may preempt the caller, look, and wait again before the others are woken. It is not
 * woken again, as otherwise two tasks could continue so for ever.
 */
static unsigned wake(const void *address, uint64_t event_mask, unsigned most)
{
	const struct wanted wanted = {
		.address = (uintptr_t)address,
		.event_mask = event_mask,
		.waiter = POSIX_WAITERS,
		.newest = atomic_load(&posix_wait_stamps),
	};
	const uint32_t bucket = posix_wait_bucket(address);
	_Atomic uint64_t *slot;
	unsigned woken = 0;
	uint64_t value;

	while (woken < most && find(&wanted, &slot, &value)) {
		/* Read before the slot is cleared: the waiter may belong to another task a moment
		 * later. A unit too many is harmless for that task. */
		tact_sem_t parking = posix_waiters[value & (POSIX_WAITERS - 1)].parking;

		if (!posix_wait_change(bucket, slot, value, 0))
			continue;
		(void)tact_sem_post(parking);
		woken++;
	}
	return woken;
}

bool posix_wait_is_awaited(const void *address)
{
	const struct wanted wanted = {
		.address = (uintptr_t)address,
		.waiter = POSIX_WAITERS,
		.newest = UINT64_MAX,
	};
	_Atomic uint64_t *slot;
	uint64_t value;

	return posix_wait_is_likely(address) && find(&wanted, &slot, &value);
}

unsigned posix_wait_wake_some(const void *address, unsigned most)
{
	return wake(address, 0, most);
}

void posix_wait_wake_events(const void *address, uint64_t event_mask)
{
	if (posix_wait_is_likely(address))
		(void)wake(address, event_mask, UINT32_MAX);
}

static void move(uint32_t from, _Atomic uint64_t *slot, uint64_t value, uintptr_t to)
{
	struct posix_waiter *waiter = &posix_waiters[value & (POSIX_WAITERS - 1)];
	tact_sem_t parking = waiter->parking;
	_Atomic uint64_t *place;

	atomic_store_explicit(&waiter->address, to, memory_order_relaxed);
	posix_wait_count(to, 1);
	place = posix_wait_enter(to, value);
	if (place)
		atomic_store_explicit(&waiter->slot, place, memory_order_release);
	else
		posix_wait_count(to, -1u);
	atomic_store_explicit(slot, 0, memory_order_release);
	atomic_fetch_sub_explicit(&posix_waiting[from], 1, memory_order_relaxed);
	/* The task may have looked meanwhile, and sleep until the owner of its waiter has
	 * finished. */
	(void)tact_sem_post(parking);
}

unsigned posix_wait_move(const void *from, const void *to, unsigned most)
{
	const struct wanted wanted = {
		.address = (uintptr_t)from,
		.waiter = POSIX_WAITERS,
		.newest = atomic_load(&posix_wait_stamps),
	};
	const uint32_t bucket = posix_wait_bucket(from);
	_Atomic uint64_t *slot;
	unsigned moved = 0;
	uint64_t value;

	if (from == to)
		return 0;
	while (moved < most && find(&wanted, &slot, &value)) {
		posix_wait_reserve_slot((uintptr_t)to);
		if (!atomic_compare_exchange_strong(slot, &value, value | POSIX_WAIT_TAKEN))
			continue;
		move(bucket, slot, value, (uintptr_t)to);
		moved++;
	}
	return moved;
}

bool posix_wait_give_to(const void *address, uint32_t only, uint64_t event_mask,
			const struct posix_kernel_pending *kernel_pending,
			void (*fill)(struct posix_handoff *handoff, const void *from),
			const void *from)
{
	const struct wanted wanted = {(uintptr_t)address, event_mask, only, UINT64_MAX,
				      kernel_pending};
	_Atomic uint64_t *slot;
	uint64_t value;

	while (find(&wanted, &slot, &value)) {
		struct posix_waiter *waiter = &posix_waiters[value & (POSIX_WAITERS - 1)];
		tact_sem_t parking = waiter->parking;

		/* If this succeeds, what was read of the waiter was of this wait, as its stamp has
		 * not changed. */
		if (!posix_wait_change(posix_wait_bucket(address), slot, value,
				       value | POSIX_WAIT_TAKEN))
			continue;
		fill(waiter->handoff, from);
		waiter->handoff->arrived = true;
		atomic_store_explicit(slot, 0, memory_order_release);
		(void)tact_sem_post(parking);
		return true;
	}
	return false;
}

static void wake_one_to_look(uint32_t bucket, _Atomic uint64_t *slot)
{
	uint64_t value = atomic_load(slot);
	tact_sem_t parking = posix_waiters[value & (POSIX_WAITERS - 1)].parking;

	if (value && !(value & POSIX_WAIT_TAKEN) && posix_wait_change(bucket, slot, value, 0))
		(void)tact_sem_post(parking);
}

void posix_wait_wake_all(void)
{
	for (uint32_t i = 0; i < POSIX_WAIT_BUCKETS; i++) {
		if (!atomic_load(&posix_waiting[i]))
			continue;
		for (struct posix_wait_block *block = &posix_wait_buckets[i]; block;
		     block = atomic_load(&block->next))
			for (uint32_t slot = 0; slot < POSIX_WAIT_SLOTS; slot++)
				wake_one_to_look(i, &block->slots[slot]);
	}
}
