/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Seats of waiting tasks and the table of addresses: seat.c hands them out, wait.c and
 * wait_sleep.c wait, wake.c wakes. */
#ifndef POSIX_SEAT_H
#define POSIX_SEAT_H

#include "posix/park/wait.h"

struct posix_seat {
	_Alignas(64) _Atomic uint32_t taken;
	_Atomic pid_t tid;
	tact_sem_t parking; /* made once, stays with the seat */
	uint32_t cpu;
	/* of the present wait; written before the slot is */
	_Atomic uint32_t level;
	_Atomic uintptr_t address;
	_Atomic uint64_t accepts; /* kinds of gifts; 0: none, it waits to look again */
	struct posix_gift *gift;
	/* by its task, and by who moves it */
	_Atomic(_Atomic uint64_t *) slot;
	uint64_t value;
	/* The latest wait that was left for a signal's handler, and whether that one restarts it.
	 */
	uint64_t broken;
	bool restarts;
	/* Its task is about to be in a slot: so many waits of handlers are refused meanwhile. */
	_Atomic uint32_t joins;
	/* The condition whose wait's time has run out, while its task waits for the mutex. */
	_Atomic uintptr_t given_up;
};

extern _Atomic uint32_t posix_seats_given_up; /* how many have one */

extern struct posix_seat posix_seats[POSIX_SEATS];

#define POSIX_WAIT_SLOTS 15u
#define POSIX_SEAT_BITS  10u
/* A giver has the waiter: it fills the gift and then clears the slot. Or a mover: it fills another
 * slot, and then clears this one. */
#define POSIX_WAIT_TAKEN (1ull << 63)

_Static_assert(POSIX_SEATS <= 1u << POSIX_SEAT_BITS, "a slot holds a seat's number");

/* Slots hold stamp << POSIX_SEAT_BITS | seat; 0: empty. Blocks are added and never taken away. */
struct posix_wait_block {
	_Alignas(64) _Atomic uint64_t slots[POSIX_WAIT_SLOTS];
	_Atomic(struct posix_wait_block *) next;
};

extern _Atomic uint64_t posix_wait_stamps; /* the latest that was given */
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

/* Whoever changes a slot in this bucket counts its waiter out. */
static inline bool posix_wait_change(uint32_t bucket, _Atomic uint64_t *slot, uint64_t value,
				     uint64_t to)
{
	if (!atomic_compare_exchange_strong(slot, &value, to))
		return false;
	atomic_fetch_sub_explicit(&posix_waiting[bucket], 1, memory_order_relaxed);
	return true;
}

/*
 * Around what may take a unit of the caller's parking semaphore. A handler that waits in the midst
 * of it may have taken the unit that was meant for the outer wait: that gets one for nothing.
 */
static inline void posix_wait_begins(void)
{
	posix_me.waits++;
	posix_me.switches_in_row = 0;
	atomic_signal_fence(memory_order_seq_cst);
}

static inline void posix_wait_ends(void)
{
	atomic_signal_fence(memory_order_seq_cst);
	if (posix_me.waits && --posix_me.waits)
		(void)tact_sem_post(posix_me.parking);
	else if (!posix_me.task && posix_me.seated)
		posix_seat_give(&posix_me);
}

/* wait.c: is the caller in a wait, or on its way into one, which a handler is in the midst of? */
bool posix_wait_is_begun(void);

/* wait.c: woken, and its gift is whole? Waits for who is about to give it. */
bool posix_wait_is_woken(struct posix_seat *seat);
/* wait.c: out of its slot, unless somebody has it. Nobody else's then: so the address is the
 * slot's. */
bool posix_wait_clear(struct posix_seat *seat, uint64_t value);

/* wait.c: put the waiter into a slot of the address's; NULL: no memory. */
_Atomic uint64_t *posix_wait_enter(uintptr_t address, uint64_t value);
/* Let there be room for one more, which others may take: so that who has a waiter, which waits for
 * that, need not get memory from Linux. */
void posix_wait_make_room(uintptr_t address);

/* wait.c: in a fork's child nobody waits. */
void posix_waits_forget(void);

#endif
