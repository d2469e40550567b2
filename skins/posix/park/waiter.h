/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The waiters: what tasks wait by, one for each task; and the thread numbers of tasks. */
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
	/* of the present wait; written before the slot */
	_Atomic uint32_t level;
	_Atomic uintptr_t address;
	_Atomic uint64_t accepts; /* events; 0: none, only wake-ups */
	struct posix_handoff *handoff;
	/* written by its task, and by a thread that moves it */
	_Atomic(_Atomic uint64_t *) slot;
	uint64_t value;
	/* The latest wait that was left for a signal's handler, and whether the handler restarts
	 * it. */
	uint64_t broken;
	bool restarts;
	/* Not 0 while its task puts it into a slot: so many waits of handlers are refused
	 * meanwhile. */
	_Atomic uint32_t joins;
	/* The condition whose wait has timed out, while its task waits for the mutex. */
	_Atomic uintptr_t given_up;
};

extern _Atomic uint32_t posix_waiters_given_up; /* how many have `given_up` set */

extern struct posix_waiter posix_waiters[POSIX_WAITERS];

/*
 * A task has a waiter from attachment on, with a semaphore of its real-time CPU. 0, or -1: all
 * waiters are taken, or the nucleus has no semaphore left.
 */
int posix_waiter_take(struct posix_thread *thread, uint32_t cpu);
/* The same in two steps. The second one costs a thread that is not a task a message to that CPU. */
int posix_waiter_reserve(struct posix_thread *thread);
int posix_waiter_init(struct posix_thread *thread, uint32_t cpu);
void posix_waiter_release(struct posix_thread *thread);
/* The caller ceases to be a task. If a handler causes this in the middle of a wait, the waiter is
 * kept for that wait, and for the case that the thread becomes a task again. It is freed at the end
 * of the wait, or of the thread. */
void posix_waiter_leave(void);
void posix_waiters_forget(void); /* in a fork's child */
/* The waiter of the task with this thread number, or POSIX_NO_WAITER. Cost: O(waiters). */
uint32_t posix_waiter_of_tid(pid_t tid);
/* The thread with this number is a task from now on; it is not any more. */
void posix_tid_mark(pid_t tid);
void posix_tid_unmark(pid_t tid);

/* Is this the thread of a task? A task may be overlooked; another thread is never taken for one.
 * Cost: O(1). */
bool posix_tid_is_task(pid_t tid);

/* Is it in a slot, or is another thread about to take it out? */
static inline bool posix_waiter_is_joined(const struct posix_waiter *waiter)
{
	const _Atomic uint64_t *slot = atomic_load_explicit(&waiter->slot, memory_order_relaxed);

	return slot && (atomic_load_explicit(slot, memory_order_relaxed) & ~POSIX_WAIT_TAKEN) ==
			       waiter->value;
}

/*
 * To be called around code that may take a unit of the caller's parking semaphore. A handler that
 * waits meanwhile may have taken the unit for the outer wait, so the outer wait gets an additional
 * one.
 */
static inline void posix_wait_begins(void)
{
	posix_me.wait.nested++;
	posix_me.stay.switches_in_row = 0;
	atomic_signal_fence(memory_order_seq_cst);
}

static inline void posix_wait_ends(void)
{
	atomic_signal_fence(memory_order_seq_cst);
	if (posix_me.wait.nested && --posix_me.wait.nested)
		(void)tact_sem_post(posix_me.wait.parking);
	else if (!posix_me.task.id && posix_me.wait.has_waiter)
		posix_waiter_release(&posix_me);
}

#endif
