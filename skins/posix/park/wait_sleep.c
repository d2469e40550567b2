/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The sleep of a wait, and what ends it: a wake-up, its timeout, a signal, a cancellation. A unit
 * of the waiter's semaphore only ends the sleep, so one unit too many only causes a look at the
 * slot.
 */
#define _GNU_SOURCE
#include "posix/park/wait.h"

#include <pthread.h>

#include <tactus/skin.h>

#include "posix/calls/call.h"
#include "posix/park/waiter.h"
#include "posix/park/waiter_wait.h"

/* A wait as it begins to sleep, stored here because a handler that waits meanwhile uses the same
 * waiter. */
struct sleeping {
	struct posix_waiter *waiter;
	uint64_t value;
	const void *address;
	struct posix_handoff *handoff;
	void (*pass_on)(const void *address, struct posix_handoff *handoff);
	/* Of the outer wait. */
	uint64_t broken;
	bool restarts;
};

static void abandon(void *argument)
{
	const struct sleeping *wait = argument;
	const bool is_latest = wait->waiter->value == wait->value;
	const void *address = wait->address;

	/* The wait may have been moved. */
	if (is_latest)
		address = (const void *)atomic_load(&wait->waiter->address);
	posix_me.wait.nested = 0;
	if (is_latest && !posix_wait_leave())
		return;
	/* The task was woken, and cancelled before it knew. */
	if (wait->pass_on)
		wait->pass_on(address,
			      wait->handoff && wait->handoff->arrived ? wait->handoff : NULL);
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
 * A signal's handler is about to run in the middle of the wait. If signals end this wait, it is
 * left before, as a Linux thread has left the call by then. The unit wakes a task that is just
 * about to sleep.
 */
void posix_wait_break(void)
{
	struct posix_waiter *waiter = &posix_waiters[posix_me.wait.waiter];

	if (!posix_me.wait.breaks || !posix_wait_clear(waiter, posix_me.wait.breaks))
		return;
	waiter->broken = posix_me.wait.breaks;
	waiter->restarts = posix_me.call.signals_restart;
	(void)tact_sem_post(waiter->parking);
}

/* `broken` is set back to that of the outer wait, which has not used it yet. */
static int end_sleep(const struct sleeping *wait, int result)
{
	struct posix_waiter *waiter = wait->waiter;

	waiter->value = wait->value;
	posix_me.wait.breaks = 0;
	if (waiter->broken == wait->value) {
		result = -TACT_EINTR;
		posix_me.call.signals_restart = waiter->restarts;
	}
	/* The handlers that have ended this wait do not count for the next one. */
	if (result == -TACT_EINTR)
		posix_call_begins();
	waiter->broken = wait->broken;
	waiter->restarts = wait->restarts;
	return result;
}

/* -TACT_EINTR also if a handler has run before the sleep begins. */
static int sleep_interruptibly(tact_sem_t parking, tact_timeout_t timeout)
{
	int result = tact_sem_wait_while(parking, timeout, &posix_me.call.handlers.run,
					 posix_me.call.began.run);

	if (result != -TACT_ESTALE)
		return result;
	/* In Linux a timeout that has passed ends a wait before a signal does. */
	if (timeout.kind != TACT_TIMEOUT_FOREVER && timeout.ns <= tact_now().ns)
		return -TACT_ETIMEDOUT;
	posix_me.call.signals_restart = !posix_call_is_ended();
	posix_me.call.signals_taken = false;
	return -TACT_EINTR;
}

static int sleep_once(struct posix_waiter *waiter, tact_timeout_t timeout, unsigned how)
{
	if (posix_wait_is_woken(waiter))
		return 0;
	return posix_wait_result(how & POSIX_WAIT_SIGNALS
					 ? sleep_interruptibly(waiter->parking, timeout)
					 : tact_sem_wait(waiter->parking, timeout));
}

static int sleep_local(tact_timeout_t timeout, unsigned how,
		       void (*pass_on)(const void *address, struct posix_handoff *handoff))
{
	struct posix_waiter *waiter = &posix_waiters[posix_me.wait.waiter];
	struct sleeping wait = {
		.waiter = waiter,
		.value = waiter->value,
		.address = posix_wait_address(),
		.handoff = waiter->handoff,
		.pass_on = pass_on,
		.broken = waiter->broken,
		.restarts = waiter->restarts,
	};

	if (timeout.kind == TACT_TIMEOUT_RELATIVE)
		timeout = tact_at(tact_time_add(tact_now(), timeout.ns));
	if (posix_me.skin.waits_not && how & POSIX_WAIT_SIGNALS && !posix_wait_is_woken(waiter)) {
		posix_me.skin.waits_not();
		return posix_wait_leave() ? 0 : -TACT_EINTR;
	}
	posix_me.wait.breaks = how & POSIX_WAIT_SIGNALS ? wait.value : 0;
	posix_me.call.signals_taken = false;
	for (;;) {
		int result;

		if (how & POSIX_WAIT_CANCELS)
			look_whether_cancelled(&wait);
		result = sleep_once(waiter, timeout, how);
		if (posix_wait_is_woken(waiter))
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
		     void (*pass_on)(const void *address, struct posix_handoff *handoff))
{
	int result;

	/* As posix_wait_leave(). */
	if (!posix_me.wait.has_waiter)
		return 0;
	posix_wait_begins();
	result = sleep_local(timeout, how, pass_on);
	posix_wait_ends();
	return result;
}

/* A notification that comes while a handler runs is found by told(). */
int posix_wait_sleep_notified(bool (*told)(void *what), void *what, tact_timeout_t timeout,
			      void (*pass_on)(const void *address, struct posix_handoff *handoff))
{
	int result = -TACT_EAGAIN;

	if (!posix_me.wait.has_waiter)
		return 0;
	if (timeout.kind == TACT_TIMEOUT_RELATIVE)
		timeout = tact_at(tact_time_add(tact_now(), timeout.ns));
	posix_wait_begins();
	while (result == -TACT_EAGAIN && !(told(what) && !posix_wait_leave()))
		result = sleep_local(timeout,
				     POSIX_WAIT_SIGNALS | POSIX_WAIT_CANCELS | POSIX_WAIT_LOOKS,
				     pass_on);
	posix_wait_ends();
	return result;
}
