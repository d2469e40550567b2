/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The sleep of a wait, and what ends it: a wake-up, its time, a signal, a cancellation. The unit of
 * the waiter's semaphore only ends the sleep, so that one too many is a look around and nothing
 * worse.
 */
#define _GNU_SOURCE
#include "posix/park/wait.h"

#include <pthread.h>

#include "posix/calls/call.h"
#include "posix/park/seat.h"
#include "posix/park/wait_seat.h"

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

	if (!posix_me.wait_breaks || !posix_wait_clear(seat, posix_me.wait_breaks))
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
	/* The handlers of this end are none of what follows. */
	if (result == -TACT_EINTR)
		posix_call_begins();
	seat->broken = wait->broken;
	seat->restarts = wait->restarts;
	return result;
}

/* -TACT_EINTR, too, if a handler has run by the time that it would begin. */
static int sleep_interruptibly(tact_sem_t parking, tact_timeout_t timeout)
{
	int result =
		tact_sem_wait_while(parking, timeout, &posix_me.handlers.run, posix_me.call.run);

	if (result != -TACT_EAGAIN)
		return result;
	/* In Linux time that has passed ends a wait before a signal does. */
	if (timeout.kind != TACT_TIMEOUT_FOREVER && timeout.ns <= tact_now().ns)
		return -TACT_ETIMEDOUT;
	posix_me.signals_restart = !posix_call_is_ended();
	posix_me.signals_taken = false;
	return -TACT_EINTR;
}

static int sleep_once(struct posix_seat *seat, tact_timeout_t timeout, unsigned how)
{
	if (posix_wait_is_woken(seat))
		return 0;
	return how & POSIX_WAIT_SIGNALS ? sleep_interruptibly(seat->parking, timeout)
					: tact_sem_wait(seat->parking, timeout);
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
	if (posix_me.waits_not && how & POSIX_WAIT_SIGNALS && !posix_wait_is_woken(seat)) {
		posix_me.waits_not();
		return posix_wait_leave() ? 0 : -TACT_EINTR;
	}
	posix_me.wait_breaks = how & POSIX_WAIT_SIGNALS ? wait.value : 0;
	posix_me.signals_taken = false;
	for (;;) {
		int result;

		if (how & POSIX_WAIT_CANCELS)
			look_whether_cancelled(&wait);
		result = sleep_once(seat, timeout, how);
		if (posix_wait_is_woken(seat))
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
