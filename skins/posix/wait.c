/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waiting at an address: see wait.h. Whether a waiter was woken is told by its slot alone; the unit
 * of its semaphore only ends the sleep, so that one too many is a look around and nothing worse.
 */
#define _GNU_SOURCE
#include "seat.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#define REFUSALS 64u

struct posix_wait_block posix_wait_buckets[POSIX_WAIT_BUCKETS];
_Atomic uint64_t posix_wait_stamps;
_Atomic uint32_t posix_waiting[POSIX_WAIT_BUCKETS];
static _Atomic uint64_t nowhere; /* a slot that nobody is in */

void posix_waits_forget(void)
{
	for (uint32_t i = 0; i < POSIX_WAIT_BUCKETS; i++) {
		for (struct posix_wait_block *block = &posix_wait_buckets[i]; block;
		     block = block->next)
			for (uint32_t slot = 0; slot < POSIX_WAIT_SLOTS; slot++)
				if (atomic_load_explicit(&block->slots[slot], memory_order_relaxed))
					atomic_store_explicit(&block->slots[slot], 0,
							      memory_order_relaxed);
		atomic_store_explicit(&posix_waiting[i], 0, memory_order_relaxed);
	}
}

/* The block that another one adds at the same time is as good. */
static struct posix_wait_block *add_block(struct posix_wait_block *last)
{
	struct posix_wait_block *none = NULL;
	struct posix_wait_block *block = mmap(NULL, sizeof(*block), PROT_READ | PROT_WRITE,
					      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (block == MAP_FAILED)
		return NULL;
	if (atomic_compare_exchange_strong(&last->next, &none, block))
		return block;
	munmap(block, sizeof(*block));
	return none;
}

void posix_wait_make_room(uintptr_t address)
{
	struct posix_wait_block *block = posix_wait_blocks(address);

	while (block) {
		struct posix_wait_block *next;

		for (uint32_t i = 0; i < POSIX_WAIT_SLOTS; i++)
			if (!atomic_load_explicit(&block->slots[i], memory_order_relaxed))
				return;
		next = atomic_load_explicit(&block->next, memory_order_acquire);
		block = next ? next : add_block(block);
	}
}

_Atomic uint64_t *posix_wait_enter(uintptr_t address, uint64_t value)
{
	struct posix_wait_block *block = posix_wait_blocks(address);

	for (;;) {
		struct posix_wait_block *next;

		for (uint32_t i = 0; i < POSIX_WAIT_SLOTS; i++) {
			uint64_t empty = 0;

			if (!atomic_load_explicit(&block->slots[i], memory_order_relaxed) &&
			    atomic_compare_exchange_strong(&block->slots[i], &empty, value))
				return &block->slots[i];
		}
		next = atomic_load_explicit(&block->next, memory_order_acquire);
		if (!next)
			next = add_block(block);
		if (!next)
			return NULL;
		block = next;
	}
}

void posix_wait_rank(void)
{
	atomic_store_explicit(&posix_seats[posix_me.seat].level,
			      (uint32_t)posix_priority(&posix_me), memory_order_relaxed);
}

/* Looked at once more when handlers that wait know of it. */
static void await_giver(struct posix_seat *seat, _Atomic uint64_t *slot, uint64_t value)
{
	posix_me.waits++;
	atomic_signal_fence(memory_order_seq_cst);
	if (atomic_load(slot) == value)
		(void)tact_sem_wait(seat->parking, TACT_FOREVER);
	posix_me.waits -= posix_me.waits != 0;
}

/*
 * Woken, and its gift is whole? A giver or mover that has it may be a task that this one has
 * preempted: it gets its turn. A mover says where the waiter is now before it clears the old slot.
 */
static bool is_woken(struct posix_seat *seat)
{
	for (;;) {
		_Atomic uint64_t *slot = atomic_load_explicit(&seat->slot, memory_order_acquire);
		uint64_t value = atomic_load_explicit(slot, memory_order_acquire);

		if (value == seat->value)
			return false;
		if (value == (seat->value | POSIX_WAIT_TAKEN))
			await_giver(seat, slot, value);
		else if (slot == atomic_load_explicit(&seat->slot, memory_order_relaxed))
			return true;
	}
}

/* Nobody else's then: so the address is the slot's. */
static bool clear_slot(struct posix_seat *seat, uint64_t value)
{
	_Atomic uint64_t *slot = atomic_load_explicit(&seat->slot, memory_order_acquire);

	if (!slot || !atomic_compare_exchange_strong(slot, &value, 0))
		return false;
	posix_wait_count(atomic_load_explicit(&seat->address, memory_order_relaxed), -1u);
	return true;
}

bool posix_wait_leave(void)
{
	struct posix_seat *seat = &posix_seats[posix_me.seat];

	/* A handler has waited, and then ended its task: as if it had been woken. */
	if (!posix_me.seated)
		return true;
	do {
		if (clear_slot(seat, seat->value))
			return false;
	} while (!is_woken(seat));
	return true;
}

static bool is_joined(const struct posix_seat *seat)
{
	const _Atomic uint64_t *slot = atomic_load_explicit(&seat->slot, memory_order_relaxed);

	return slot && (atomic_load_explicit(slot, memory_order_relaxed) & ~POSIX_WAIT_TAKEN) ==
			       seat->value;
}

/* Joining refuses others, and has no slot yet. */
bool posix_wait_is_begun(void)
{
	const struct posix_seat *seat = &posix_seats[posix_me.seat];

	return posix_me.waits || atomic_load_explicit(&seat->joins, memory_order_relaxed) ||
	       is_joined(seat);
}

/*
 * A handler that waits in the middle of a wait, for a mutex or a condition, has the same seat: that
 * wait is left before, as if it had been woken, and its caller looks again.
 */
static void leave_outer(const struct posix_seat *seat)
{
	if (is_joined(seat))
		(void)posix_wait_leave();
	/* It may be about to sleep, and would not be found any more. */
	if (posix_me.waits)
		(void)tact_sem_post(seat->parking);
}

/* Until its slot is known nobody could leave it, so that a handler's wait would lose it. */
static void join(struct posix_seat *seat, uintptr_t address, uint64_t accepts,
		 struct posix_gift *gift)
{
	_Atomic uint64_t *none = NULL;
	_Atomic uint64_t *slot;
	uint64_t stamp;

	stamp = atomic_fetch_add_explicit(&posix_wait_stamps, 1, memory_order_relaxed) + 1;
	atomic_store_explicit(&seat->slot, NULL, memory_order_relaxed);
	seat->value = stamp << POSIX_SEAT_BITS | posix_me.seat;
	posix_wait_rank();
	atomic_store_explicit(&seat->address, address, memory_order_relaxed);
	atomic_store_explicit(&seat->accepts, accepts, memory_order_relaxed);
	seat->gift = gift;
	/* Counted first: who sees none waiting has changed the object before we look at it. */
	posix_wait_count(address, 1);
	slot = posix_wait_enter(address, seat->value);
	/* A mover that is there already has said where it is now. */
	if (slot) {
		(void)atomic_compare_exchange_strong(&seat->slot, &none, slot);
		return;
	}
	/* For a wait that this one has ended. */
	atomic_store_explicit(&seat->slot, &nowhere, memory_order_relaxed);
	posix_wait_count(address, -1u);
}

bool posix_wait_join_for(const void *address, uint64_t accepts, struct posix_gift *gift)
{
	struct posix_seat *seat = &posix_seats[posix_me.seat];

	/* A handler has ended its task. */
	if (!posix_me.task)
		return false;
	/* Not for ever: a handler may have jumped away. */
	if (atomic_load_explicit(&seat->joins, memory_order_relaxed)) {
		atomic_fetch_sub_explicit(&seat->joins, 1, memory_order_relaxed);
		return false;
	}
	leave_outer(seat);
	atomic_store_explicit(&seat->joins, REFUSALS, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	join(seat, (uintptr_t)address, accepts, gift);
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&seat->joins, 0, memory_order_relaxed);
	return atomic_load_explicit(&seat->slot, memory_order_relaxed) != &nowhere;
}

bool posix_wait_join(const void *address)
{
	return posix_wait_join_for(address, 0, NULL);
}

const void *posix_wait_address(void)
{
	return (const void *)atomic_load_explicit(&posix_seats[posix_me.seat].address,
						  memory_order_relaxed);
}

/* A wait as it begins to sleep: a handler that waits meanwhile has the same seat. */
struct sleeping {
	struct posix_seat *seat;
	uint64_t value;
	const void *address;
	struct posix_gift *gift;
	void (*pass_on)(const void *address, struct posix_gift *gift);
	/* Of the wait that this one is in the middle of. */
	uint64_t broken;
	bool restarts;
};

static void abandon(void *argument)
{
	const struct sleeping *wait = argument;
	const bool is_latest = wait->seat->value == wait->value;
	const void *address = wait->address;

	/* It may have been moved. */
	if (is_latest)
		address = (const void *)atomic_load(&wait->seat->address);
	posix_me.waits = 0;
	if (is_latest && !posix_wait_leave())
		return;
	/* Woken, and cancelled before it knew. */
	if (wait->pass_on)
		wait->pass_on(address, wait->gift && wait->gift->arrived ? wait->gift : NULL);
	else
		(void)posix_wait_wake(address, 1);
}

static void look_whether_cancelled(struct sleeping *wait)
{
	pthread_cleanup_push(abandon, wait);
	pthread_testcancel();
	pthread_cleanup_pop(0);
}

/*
 * A signal's handler is about to run in the middle of the wait: one that signals end is left
 * before, as a Linux thread has left the call. A task that is just about to sleep is told by the
 * unit.
 */
void posix_wait_break(void)
{
	struct posix_seat *seat = &posix_seats[posix_me.seat];

	if (!posix_me.wait_breaks || !clear_slot(seat, posix_me.wait_breaks))
		return;
	seat->broken = posix_me.wait_breaks;
	seat->restarts = posix_me.signals_restart;
	(void)tact_sem_post(seat->parking);
}

/* The wait that this one was in the middle of has its own signal yet. */
static int end_sleep(const struct sleeping *wait, int result)
{
	struct posix_seat *seat = wait->seat;

	seat->value = wait->value;
	posix_me.wait_breaks = 0;
	if (seat->broken == wait->value) {
		result = -TACT_EINTR;
		posix_me.signals_restart = seat->restarts;
	}
	seat->broken = wait->broken;
	seat->restarts = wait->restarts;
	return result;
}

static int sleep_here(tact_timeout_t timeout, unsigned how,
		      void (*pass_on)(const void *address, struct posix_gift *gift))
{
	struct posix_seat *seat = &posix_seats[posix_me.seat];
	struct sleeping wait = {
		.seat = seat,
		.value = seat->value,
		.address = posix_wait_address(),
		.gift = seat->gift,
		.pass_on = pass_on,
		.broken = seat->broken,
		.restarts = seat->restarts,
	};

	if (timeout.kind == TACT_TIMEOUT_RELATIVE)
		timeout = tact_at(tact_time_add(tact_now(), timeout.ns));
	if (posix_me.waits_not && how & POSIX_WAIT_SIGNALS && !is_woken(seat)) {
		posix_me.waits_not();
		return posix_wait_leave() ? 0 : -TACT_EINTR;
	}
	posix_me.wait_breaks = how & POSIX_WAIT_SIGNALS ? wait.value : 0;
	posix_me.signals_taken = false;
	for (;;) {
		int result;

		if (how & POSIX_WAIT_CANCELS)
			look_whether_cancelled(&wait);
		result = is_woken(seat) ? 0 : tact_sem_wait(seat->parking, timeout);
		if (is_woken(seat))
			return end_sleep(&wait, 0);
		if (!result && how & POSIX_WAIT_LOOKS)
			return end_sleep(&wait, -TACT_EAGAIN);
		if (!result || (result == -TACT_EINTR &&
				(!(how & POSIX_WAIT_SIGNALS) || posix_signals_taken())))
			continue;
		if (!(result == -TACT_ETIMEDOUT && how & POSIX_WAIT_STAYS) && posix_wait_leave())
			result = 0;
		return end_sleep(&wait, result);
	}
}

int posix_wait_sleep(tact_timeout_t timeout, unsigned how,
		     void (*pass_on)(const void *address, struct posix_gift *gift))
{
	int result;

	/* As posix_wait_leave(). */
	if (!posix_me.seated)
		return 0;
	posix_wait_begins();
	result = sleep_here(timeout, how, pass_on);
	posix_wait_ends();
	return result;
}

/* What it is told while a handler has its turn it finds by a look. */
int posix_wait_sleep_untold(bool (*told)(void *what), void *what, tact_timeout_t timeout,
			    void (*pass_on)(const void *address, struct posix_gift *gift))
{
	int result = -TACT_EAGAIN;

	if (!posix_me.seated)
		return 0;
	if (timeout.kind == TACT_TIMEOUT_RELATIVE)
		timeout = tact_at(tact_time_add(tact_now(), timeout.ns));
	posix_wait_begins();
	while (result == -TACT_EAGAIN && !(told(what) && !posix_wait_leave()))
		result = sleep_here(timeout,
				    POSIX_WAIT_SIGNALS | POSIX_WAIT_CANCELS | POSIX_WAIT_LOOKS,
				    pass_on);
	posix_wait_ends();
	return result;
}
