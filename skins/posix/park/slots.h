/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table of addresses at which tasks wait: each has a bucket, whose slots hold the waiters.
 * Blocks of slots are added and never taken away.
 */
#ifndef POSIX_SLOTS_H
#define POSIX_SLOTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "posix/state/record.h"

/* The number of tasks that wait, for each bucket. */
#define POSIX_WAIT_BUCKETS 256u
extern _Atomic uint32_t posix_waiting[POSIX_WAIT_BUCKETS];

static inline uint32_t posix_wait_bucket(const void *address)
{
	return (uint32_t)(((uintptr_t)address >> 2) * 0x9e3779b97f4a7c15ull >> 56);
}

#define POSIX_WAIT_SLOTS  15u
#define POSIX_WAITER_BITS 10u
/* A giver owns the waiter, fills the handoff and then clears the slot. Or a mover owns it, fills
 * another slot and then clears this one. */
#define POSIX_WAIT_TAKEN (1ull << 63)

_Static_assert(POSIX_WAITERS <= 1u << POSIX_WAITER_BITS, "a slot holds a seat's number");

/* Slots hold stamp << POSIX_WAITER_BITS | waiter; 0: empty. */
struct posix_wait_block {
	_Alignas(64) _Atomic uint64_t slots[POSIX_WAIT_SLOTS];
	_Atomic(struct posix_wait_block *) next;
};

extern _Atomic uint64_t posix_wait_stamps; /* the latest one that was used */
extern struct posix_wait_block posix_wait_buckets[POSIX_WAIT_BUCKETS];

static inline struct posix_wait_block *posix_wait_blocks(uintptr_t address)
{
	return &posix_wait_buckets[posix_wait_bucket((const void *)address)];
}

static inline void posix_wait_count(uintptr_t address, uint32_t more)
{
	atomic_fetch_add_explicit(&posix_waiting[posix_wait_bucket((const void *)address)], more,
				  memory_order_seq_cst);
}

/* A thread that succeeds in changing a slot of this bucket takes its waiter off the count. */
static inline bool posix_wait_change(uint32_t bucket, _Atomic uint64_t *slot, uint64_t value,
				     uint64_t to)
{
	if (!atomic_compare_exchange_strong(slot, &value, to))
		return false;
	atomic_fetch_sub_explicit(&posix_waiting[bucket], 1, memory_order_relaxed);
	return true;
}

/* Put the waiter into a slot for the address; NULL: no memory. */
_Atomic uint64_t *posix_wait_enter(uintptr_t address, uint64_t value);
/* Make room for one more waiter, if there is none; other threads may take it. A thread that owns a
 * waiter, which waits for it, then need not get memory from Linux. */
void posix_wait_reserve_slot(uintptr_t address);

/* In a fork's child, where no thread waits. */
void posix_slots_forget(void);

#endif
