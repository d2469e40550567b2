/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waiting at an address: see wait.h. Whether a waiter was woken is told by its slot alone; the unit
 * of its semaphore only ends the sleep, so that one too many is a look around and nothing worse.
 */
#define _GNU_SOURCE
#include "wait.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "summary.h"

#define BUCKETS   256u
#define SLOTS     15u
#define SEAT_BITS 10u
#define TIDS      4096u

_Static_assert(POSIX_SEATS <= 1u << SEAT_BITS, "a slot holds a seat's number");

/* Slots hold stamp << SEAT_BITS | seat; 0: empty. Blocks are added and never taken away. */
struct block {
	_Alignas(64) _Atomic uint64_t slots[SLOTS];
	_Atomic(struct block *) next;
};

struct seat {
	_Alignas(64) _Atomic uint32_t taken;
	tact_sem_t parking; /* made once, stays with the seat */
	uint32_t cpu;
	/* of the present wait; written before the slot is */
	_Atomic uint32_t level;
	_Atomic uintptr_t address;
	_Atomic uint64_t *slot; /* by its task alone */
	uint64_t value;
	void (*pass_on)(const void *address);
};

static struct block buckets[BUCKETS];
static struct seat seats[POSIX_SEATS];
static _Atomic uint64_t stamps;
static _Atomic pid_t tids[TIDS]; /* at tid % TIDS, if nobody else's is there */
_Atomic uint32_t posix_waiting;

/* One of another CPU's would make each sleep a message there and back. */
static int furnish(struct seat *seat, uint32_t cpu)
{
	if (seat->parking && seat->cpu == cpu)
		return 0;
	if (seat->parking)
		(void)tact_sem_delete(seat->parking);
	seat->parking = 0;
	seat->cpu = cpu;
	return tact_sem_create(NULL, 0, 1, TACT_FIFO | TACT_ON_CPU(cpu), &seat->parking);
}

int posix_seat_take(struct posix_thread *thread, uint32_t cpu)
{
	for (uint32_t i = 0; i < POSIX_SEATS; i++) {
		struct seat *seat = &seats[i];

		if (atomic_load_explicit(&seat->taken, memory_order_relaxed) ||
		    atomic_exchange_explicit(&seat->taken, 1, memory_order_acquire))
			continue;
		if (furnish(seat, cpu)) {
			atomic_store_explicit(&seat->taken, 0, memory_order_release);
			return -1;
		}
		seat->slot = NULL;
		thread->seat = i;
		thread->parking = seat->parking;
		return 0;
	}
	return -1;
}

void posix_tid_mark(pid_t tid)
{
	pid_t none = 0;

	(void)atomic_compare_exchange_strong(&tids[(uint32_t)tid % TIDS], &none, tid);
}

void posix_tid_unmark(pid_t tid)
{
	(void)atomic_compare_exchange_strong(&tids[(uint32_t)tid % TIDS], &tid, 0);
}

bool posix_tid_is_task(pid_t tid)
{
	return tid && atomic_load(&tids[(uint32_t)tid % TIDS]) == tid;
}

void posix_seat_give(struct posix_thread *thread)
{
	atomic_store_explicit(&seats[thread->seat].taken, 0, memory_order_release);
}

/* Nobody waits in a child, and the nucleus's semaphores are the parent's. */
void posix_seats_forget(void)
{
	for (uint32_t i = 0; i < POSIX_SEATS; i++) {
		seats[i].parking = 0;
		atomic_store_explicit(&seats[i].taken, 0, memory_order_relaxed);
	}
	for (uint32_t i = 0; i < TIDS; i++)
		atomic_store_explicit(&tids[i], 0, memory_order_relaxed);
	for (uint32_t i = 0; i < BUCKETS; i++)
		for (struct block *block = &buckets[i]; block; block = block->next)
			for (uint32_t slot = 0; slot < SLOTS; slot++)
				atomic_store_explicit(&block->slots[slot], 0, memory_order_relaxed);
	atomic_store_explicit(&posix_waiting, 0, memory_order_relaxed);
}

static struct block *bucket_of(uintptr_t address)
{
	return &buckets[(address >> 2) * 0x9e3779b97f4a7c15ull >> 56];
}

/* The block that another one adds at the same time is as good. */
static struct block *add_block(struct block *last)
{
	struct block *none = NULL;
	struct block *block = mmap(NULL, sizeof(*block), PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (block == MAP_FAILED)
		return NULL;
	if (atomic_compare_exchange_strong(&last->next, &none, block))
		return block;
	munmap(block, sizeof(*block));
	return none;
}

static _Atomic uint64_t *enter_slot(struct block *block, uint64_t value)
{
	for (;;) {
		struct block *next;

		for (uint32_t i = 0; i < SLOTS; i++) {
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

bool posix_wait_join(const void *address)
{
	struct seat *seat = &seats[posix_me.seat];
	uint64_t stamp = atomic_fetch_add_explicit(&stamps, 1, memory_order_relaxed) + 1;

	seat->value = stamp << SEAT_BITS | posix_me.seat;
	atomic_store_explicit(&seat->level, (uint32_t)posix_me.priority, memory_order_relaxed);
	atomic_store_explicit(&seat->address, (uintptr_t)address, memory_order_relaxed);
	/* Counted first: who sees none waiting has changed the object before we look at it. */
	atomic_fetch_add_explicit(&posix_waiting, 1, memory_order_seq_cst);
	seat->slot = enter_slot(bucket_of((uintptr_t)address), seat->value);
	if (!seat->slot)
		atomic_fetch_sub_explicit(&posix_waiting, 1, memory_order_relaxed);
	return seat->slot;
}

static bool is_woken(const struct seat *seat)
{
	return atomic_load_explicit(seat->slot, memory_order_acquire) != seat->value;
}

/* Whoever clears the slot counts its waiter out. */
static bool clear(_Atomic uint64_t *slot, uint64_t value)
{
	if (!atomic_compare_exchange_strong(slot, &value, 0))
		return false;
	atomic_fetch_sub_explicit(&posix_waiting, 1, memory_order_relaxed);
	return true;
}

bool posix_wait_leave(void)
{
	struct seat *seat = &seats[posix_me.seat];

	return !clear(seat->slot, seat->value);
}

static void abandon(void *unused)
{
	const struct seat *seat = &seats[posix_me.seat];
	const void *address = (const void *)atomic_load(&seat->address);

	(void)unused;
	if (!posix_wait_leave())
		return;
	/* Woken, and cancelled before it knew. */
	if (seat->pass_on)
		seat->pass_on(address);
	else
		(void)posix_wait_wake(address, 1);
}

static void look_whether_cancelled(void)
{
	pthread_cleanup_push(abandon, NULL);
	pthread_testcancel();
	pthread_cleanup_pop(0);
}

int posix_wait_sleep(tact_timeout_t timeout, unsigned how, void (*pass_on)(const void *address))
{
	struct seat *seat = &seats[posix_me.seat];

	seat->pass_on = pass_on;
	if (timeout.kind == TACT_TIMEOUT_RELATIVE)
		timeout = tact_at(tact_time_add(tact_now(), timeout.ns));
	for (;;) {
		int result;

		if (how & POSIX_WAIT_CANCELS)
			look_whether_cancelled();
		if (is_woken(seat))
			return 0;
		result = tact_sem_wait(seat->parking, timeout);
		if (is_woken(seat))
			return 0;
		if (!result || (result == -TACT_EINTR && !(how & POSIX_WAIT_SIGNALS)))
			continue;
		return posix_wait_leave() ? 0 : result;
	}
}

/* The most urgent waiter at the address, and of equals the one that has waited longest. */
static bool find(uintptr_t address, _Atomic uint64_t **best, uint64_t *best_value)
{
	uint32_t best_level = 0;

	*best = NULL;
	for (struct block *block = bucket_of(address); block;
	     block = atomic_load_explicit(&block->next, memory_order_acquire)) {
		for (uint32_t i = 0; i < SLOTS; i++) {
			uint64_t value = atomic_load(&block->slots[i]);
			const struct seat *seat = &seats[value & (POSIX_SEATS - 1)];
			uint32_t level;

			if (!value ||
			    atomic_load_explicit(&seat->address, memory_order_relaxed) != address)
				continue;
			level = atomic_load_explicit(&seat->level, memory_order_relaxed);
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

unsigned posix_wait_wake_some(const void *address, unsigned most)
{
	_Atomic uint64_t *slot;
	unsigned woken = 0;
	uint64_t value;

	while (woken < most && find((uintptr_t)address, &slot, &value)) {
		/* Before the slot is cleared: the seat may be another's a moment later, for which a
		 * unit too many is harmless. */
		tact_sem_t parking = seats[value & (POSIX_SEATS - 1)].parking;

		if (!clear(slot, value))
			continue;
		(void)tact_sem_post(parking);
		woken++;
	}
	return woken;
}

static void shake(_Atomic uint64_t *slot)
{
	uint64_t value = atomic_load(slot);
	tact_sem_t parking = seats[value & (POSIX_SEATS - 1)].parking;

	if (value && clear(slot, value))
		(void)tact_sem_post(parking);
}

void posix_wait_shake(void)
{
	if (!atomic_load(&posix_waiting))
		return;
	for (uint32_t i = 0; i < BUCKETS; i++)
		for (struct block *block = &buckets[i]; block; block = atomic_load(&block->next))
			for (uint32_t slot = 0; slot < SLOTS; slot++)
				shake(&block->slots[slot]);
}

void posix_wait_nudge(const struct posix_thread *thread)
{
	(void)tact_sem_post(thread->parking);
}

int posix_wait_time(tact_timeout_t until)
{
	int result;

	if (until.kind == TACT_TIMEOUT_RELATIVE)
		until = tact_at(tact_time_add(tact_now(), until.ns));
	do {
		pthread_testcancel();
		result = tact_sem_wait(posix_me.parking, until);
	} while (!result);
	if (result != -TACT_ETIMEDOUT)
		return result;
	if (posix_summary_wanted)
		posix_summary_slept(until.ns, tact_now().ns);
	return 0;
}
