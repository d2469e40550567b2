/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waiting at an address, as the C library's objects do by futex: tasks wait here, in primary mode,
 * and Linux threads wait in the C library. A thread that changes an object wakes both. Nothing is
 * stored in the object itself. So its layout and its static initialisers are those of the C
 * library, and an object that is never destroyed costs nothing.
 *
 * Lock-free: a waiter's number and stamp are in a slot of the address's bucket. A thread that
 * clears
 * the slot owns the waiter. A thread that gives it something, or moves it, owns it for the time of
 * a copy. The task of the waiter then waits until this has ended, even after its deadline, if the
 * giver is a Linux thread that is preempted at that point. In no other case does a task wait for
 * the progress of another thread. Waiters are served by priority, then in order of arrival.
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
 * The caller, a task, waits at the address from here on: a wake-up may take it as the one that was
 * woken. The caller reads the object once more, and then either sleeps or leaves. False: there is
 * no room, so it has to wait in Linux.
 */
bool posix_wait_join(const void *address);

/* The head of the memory for a handoff: has the handoff arrived? Each memory has its own flag,
 * because a handler that waits in the middle of a wait may get another handoff. */
struct posix_handoff {
	bool arrived;
};
/*
 * The same for a caller that accepts handoffs. accepts: the events, a bit for each. handoff: the
 * memory
 * for them, which stays valid until the wait is over. Nothing has arrived there yet.
 */
bool posix_wait_join_for(const void *address, uint64_t accepts, struct posix_handoff *handoff);

/* The caller's wait gets the priority that the caller has now, as it joined while it owned a mutex
 * with a ceiling. */
void posix_wait_rank(void);

/* The result of a wait at an object of the nucleus: a program that breaks it by the native API, by
 * tact_task_unblock(), does what a signal does. */
static inline int posix_wait_result(int result)
{
	return result == -TACT_ECANCELED ? -TACT_EINTR : result;
}

/* The caller does not wait after all. True: it was woken already, and has to use or pass on the
 * wake-up. */
bool posix_wait_leave(void);

/* The address of the present wait, which may have been moved. */
const void *posix_wait_address(void);

enum posix_wait {
	POSIX_WAIT_STEADY = 0,        /* continues after a signal's handler */
	POSIX_WAIT_SIGNALS = 1u << 0, /* ends by a signal, with -TACT_EINTR, or because a handler
					 has run since posix_call_begins() */
	POSIX_WAIT_CANCELS = 1u << 1, /* is a cancellation point: see pthread_testcancel() */
	POSIX_WAIT_LOOKS = 1u << 2,   /* a unit of the parking semaphore: -TACT_EAGAIN, and it still
					 waits */
	POSIX_WAIT_STAYS =
		1u << 3, /* after -TACT_ETIMEDOUT it still waits: to sleep again or leave */
};

/*
 * Sleep until woken: 0; or -TACT_ETIMEDOUT, -TACT_EINTR, and then the wait has ended. pass_on:
 * called if the caller was woken and cancelled at the same time, with the address, and the handoff
 * or NULL. NULL: the next task that waits there is woken instead.
 */
int posix_wait_sleep(tact_timeout_t timeout, unsigned how,
		     void (*pass_on)(const void *address, struct posix_handoff *handoff));

/*
 * The same for a caller that Linux may notify, too, by a unit of its semaphore. After each unit
 * told() is called. If it returns true, the wait ends with -TACT_EAGAIN. Otherwise, as after a
 * notification of a descriptor of an earlier wait, the caller keeps its place among its equals. The
 * wait is a cancellation point, and signals end it.
 */
int posix_wait_sleep_notified(bool (*told)(void *what), void *what, tact_timeout_t timeout,
			      void (*pass_on)(const void *address, struct posix_handoff *handoff));

/* Wake at most `most` tasks that wait at the address; returns how many. Context: any thread. */
unsigned posix_wait_wake_some(const void *address, unsigned most);

/* The caller has changed the object, as for posix_wait_is_likely(). Cost if no task waits: one
 * load. */
static inline unsigned posix_wait_wake(const void *address, unsigned most)
{
	return posix_wait_is_likely(address) ? posix_wait_wake_some(address, most) : 0;
}

/* Wake all that wait at the address for one of these events, as posix_wait_wake(). */
void posix_wait_wake_events(const void *address, uint64_t event_mask);

/* Does a task wait at the address? Context: any thread. */
bool posix_wait_is_awaited(const void *address);

/*
 * Move at most `most` tasks that wait at one address to the other, in the same order; returns how
 * many. A task for which there is no room there is woken instead, and counts.
 */
unsigned posix_wait_move(const void *from, const void *to, unsigned most);

/* Events of which Linux may have earlier ones pending. */
struct posix_kernel_pending {
	_Atomic uint64_t *for_any;
	_Atomic uint64_t *for_waiter; /* for each waiter, of its task alone; or NULL */
};

/*
 * Give one of these events to a task that waits at the address for it: to the most urgent
 * one, or to the one with this waiter. A task that accepts an event that may be pending in the
 * kernel is given nothing before it has looked there. fill: copies the event to the waiter's
 * memory. False: no task waits for it. Context: any thread, handler.
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

/* Let all waiters look again, as after a needless wake-up. */
void posix_wait_wake_all(void);

/* The address at which all tasks wait that wait for signals; they accept signals, a bit for
 * each. */
extern const char posix_signals;

/* End the caller's wait, if handlers are to end it. actions.c calls this before they run. */
void posix_wait_break(void);
/* Let the task of this waiter look whether it was cancelled, in any wait or on its way into one. */
void posix_wait_cancel_check(tact_sem_t parking);

/*
 * To be called around a wait at an object of the nucleus, by a skin on top of this one. Between the
 * two, pthread_cancel() breaks the wait, with -TACT_EINTR. The first is a cancellation point. The
 * second is one if the wait was broken so.
 */
void posix_native_wait_begin(void);
void posix_native_wait_end(int error);

/* For a caller that is not notified of all changes: shorten the timeout to 20 ms, after which the
 * caller looks again. False: it ends before that anyway. */
bool posix_wait_cut(tact_timeout_t *timeout);

/* Wait for time only. 0, or -TACT_EINTR: a handler has run since posix_call_begins(). A
 * cancellation point. */
int posix_wait_time(tact_timeout_t until);

#endif
