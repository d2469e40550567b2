/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The waiters: what a task waits by, each of its own; and which thread numbers are tasks'. */
#ifndef POSIX_WAITER_H
#define POSIX_WAITER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <tactus/tact.h>

#include "posix/park/slots.h"
#include "posix/state/record.h"

struct posix_handoff;

struct posix_waiter {
	_Alignas(64) _Atomic uint32_t taken;
	_Atomic pid_t tid;
	tact_sem_t parking; /* made once, stays with the waiter */
	uint32_t cpu;
	/* of the present wait; written before the slot is */
	_Atomic uint32_t level;
	_Atomic uintptr_t address;
	_Atomic uint64_t accepts; /* events; 0: none, it waits to look again */
	struct posix_handoff *handoff;
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

extern _Atomic uint32_t posix_waiters_given_up; /* how many have one */

extern struct posix_waiter posix_waiters[POSIX_WAITERS];

/*
 * A task has a waiter from adoption on, with a semaphore of its real-time CPU's. 0, or -1: all are
 * taken, or the nucleus has no semaphore.
 */
int posix_waiter_take(struct posix_thread *thread, uint32_t cpu);
/* The same in two steps. The second one costs a thread that is no task a message to that CPU. */
int posix_waiter_reserve(struct posix_thread *thread);
int posix_waiter_init(struct posix_thread *thread, uint32_t cpu);
void posix_waiter_release(struct posix_thread *thread);
/* The caller's task ends. In the midst of a wait, by a handler, the waiter is kept for that wait,
 * and for the task that the thread becomes meanwhile; the wait's end gives it, or the thread's. */
void posix_waiter_leave(void);
void posix_waiters_forget(void); /* in a fork's child */
/* The waiter of the task with this thread number, or POSIX_NO_WAITER. Cost: O(waiters). */
uint32_t posix_waiter_of_tid(pid_t tid);
/* It is one from now on, and no more. */
void posix_tid_mark(pid_t tid);
void posix_tid_unmark(pid_t tid);

/* Is this the thread of a task? One may be overlooked, none is made up. Cost: O(1). */
bool posix_tid_is_task(pid_t tid);

/* Is it in a slot, or is somebody else about to take it out? */
static inline bool posix_waiter_is_joined(const struct posix_waiter *waiter)
{
	const _Atomic uint64_t *slot = atomic_load_explicit(&waiter->slot, memory_order_relaxed);

	return slot && (atomic_load_explicit(slot, memory_order_relaxed) & ~POSIX_WAIT_TAKEN) ==
			       waiter->value;
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
	else if (!posix_me.task && posix_me.has_waiter)
		posix_waiter_release(&posix_me);
}

#endif
