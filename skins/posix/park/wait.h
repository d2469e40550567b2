/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waiting at an address, as the C library's objects do by futex: tasks wait here, in primary mode,
 * and Linux threads where the C library lets them wait. Who changes an object wakes both. Nothing
 * is kept at the object itself, so its layout and static initialisers stay the C library's, and one
 * that is never destroyed costs nothing.
 *
 * Lock-free: a waiter's number and stamp stand in a slot of the address's bucket; who clears
 * the slot has the waiter. Who gives it something, or moves it, has it for as long as that takes: a
 * copy. Its waiter then waits for the end of that, beyond its deadline if the giver is a Linux
 * thread that is preempted just there. Nobody else holds anything that a task waits for. Waiters
 * are served by priority, then in order of arrival.
 */
#ifndef POSIX_WAIT_H
#define POSIX_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tactus/tact.h>

#include "posix/park/slots.h"

/*
 * May tasks wait at the address? The load pairs with posix_wait_join(): before it the caller
 * changed the object by a locked instruction, which on x86-64 is a full barrier.
 */
static inline bool posix_wait_is_likely(const void *address)
{
	return __builtin_expect(atomic_load_explicit(&posix_waiting[posix_wait_bucket(address)],
						     memory_order_seq_cst),
				0);
}

/*
 * The caller, a task, waits at the address from here on: whoever wakes it counts on it. It looks at
 * the object once more, and then either sleeps or leaves. False: there is no room, so it has to
 * wait in Linux.
 */
bool posix_wait_join(const void *address);

/* What begins a place for handoffs: is one there? It tells by itself, because a handler that waits
 * in the middle of a wait may be given another one. */
struct posix_handoff {
	bool arrived;
};
/*
 * The same for who can be given something. accepts: the events, a bit each; handoff: where
 * they go, the caller's until its wait is over. Nothing has arrived there yet.
 */
bool posix_wait_join_for(const void *address, uint64_t accepts, struct posix_handoff *handoff);

/* It waits with the priority that it has now: it joined as the owner of a ceiling. */
void posix_wait_rank(void);

/* Does not wait after all. True: it was woken already, which is for the caller to make good. */
bool posix_wait_leave(void);

/* Where the wait that is not over is now: it may have been moved. */
const void *posix_wait_address(void);

enum posix_wait {
	POSIX_WAIT_STEADY = 0,        /* goes on waiting after a signal's handler */
	POSIX_WAIT_SIGNALS = 1u << 0, /* ends by a signal, with -TACT_EINTR, or because a handler
					 has run since posix_call_begins() */
	POSIX_WAIT_CANCELS = 1u << 1, /* is a cancellation point: see pthread_testcancel() */
	POSIX_WAIT_LOOKS = 1u << 2,   /* a unit of the parking semaphore: -TACT_EAGAIN, and it still
					 waits */
	POSIX_WAIT_STAYS =
		1u << 3, /* after -TACT_ETIMEDOUT it still waits: to sleep again or leave */
};

/*
 * Sleep until woken: 0; or -TACT_ETIMEDOUT, -TACT_EINTR, and then it waits there no more. pass_on:
 * called with the address and the handoff or NULL when the caller was woken and cancelled at once;
 * NULL: the next task that waits there is woken.
 */
int posix_wait_sleep(tact_timeout_t timeout, unsigned how,
		     void (*pass_on)(const void *address, struct posix_handoff *handoff));

/*
 * The same for who may be told by Linux as well, which ends its sleep: told, it waits no more, with
 * -TACT_EAGAIN. Told of something else, by a descriptor that it waited for earlier, it keeps its
 * place among its equals. A cancellation point that signals end.
 */
int posix_wait_sleep_notified(bool (*told)(void *what), void *what, tact_timeout_t timeout,
			      void (*pass_on)(const void *address, struct posix_handoff *handoff));

/* Wake at most `most` tasks that wait at the address; returns how many. Context: any thread. */
unsigned posix_wait_wake_some(const void *address, unsigned most);

/* As posix_wait_is_likely() wants it. Cost where no task waits: one load. */
static inline unsigned posix_wait_wake(const void *address, unsigned most)
{
	return posix_wait_is_likely(address) ? posix_wait_wake_some(address, most) : 0;
}

/* Wake all that wait at the address for one of these events, as posix_wait_wake(). */
void posix_wait_wake_events(const void *address, uint64_t event_mask);

/* Does a task wait at the address? Context: any thread. */
bool posix_wait_is_awaited(const void *address);

/*
 * Let at most `most` tasks that wait at one address wait at the other from now on, in the same
 * order; returns how many. One that finds no room there is woken instead, and counts.
 */
unsigned posix_wait_move(const void *from, const void *to, unsigned most);

/* Events of which Linux may have earlier ones pending. */
struct posix_kernel_pending {
	_Atomic uint64_t *for_any;
	_Atomic uint64_t *for_waiter; /* by waiter, for its task alone; or NULL */
};

/*
 * Give one of these events to a task that waits at the address for it: the most urgent
 * one, or the one with this waiter. Who accepts an event that may be pending in the kernel is given
 * nothing before it has looked there. fill: copies it to the waiter's place. False: nobody waits
 * for it. Context: any thread, handler.
 */
bool posix_wait_give_to(const void *address, uint32_t only, uint64_t event_mask,
			const struct posix_kernel_pending *kernel_pending,
			void (*fill)(struct posix_handoff *handoff, const void *from),
			const void *from);

/* As posix_wait_wake(). */
static inline bool posix_wait_give(const void *address, uint32_t only, uint64_t event_mask,
				   const struct posix_kernel_pending *kernel_pending,
				   void (*fill)(struct posix_handoff *handoff, const void *from),
				   const void *from)
{
	return posix_wait_is_likely(address) &&
	       posix_wait_give_to(address, only, event_mask, kernel_pending, fill, from);
}

/* All that wait anywhere look again, as after a wake-up for nothing. */
void posix_wait_wake_all(void);

/* Where all wait who wait for signals; what they accept is the signals, a bit each. */
extern const char posix_signals;

/* The caller's, if handlers are to end it: see actions.c, which calls this before they run. */
void posix_wait_break(void);
/* Let the task of this waiter look whether it was cancelled, wherever it waits or is about to. */
void posix_wait_cancel_check(tact_sem_t parking);

/*
 * Around a wait at an object of the nucleus's own, by a skin on top of this one: between the two
 * pthread_cancel() breaks it, with -TACT_EINTR. The first is a cancellation point, and the second
 * one where the wait was broken so.
 */
void posix_native_wait_begin(void);
void posix_native_wait_end(int error);

/* For who is not told of everything: cut to 20 ms, after which he looks for himself. False: it ends
 * before that anyway. */
bool posix_wait_cut(tact_timeout_t *timeout);

/* Wait for time only. 0, or -TACT_EINTR: a handler has run since posix_call_begins(). A
 * cancellation point. */
int posix_wait_time(tact_timeout_t until);

#endif
