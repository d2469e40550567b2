/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waits without an address: for time only, and at objects of the nucleus. See wait.h. */
#define _GNU_SOURCE
#include "posix/park/wait.h"

#include <pthread.h>

#include <tactus/skin.h>

#include "posix/calls/call.h"
#include "posix/park/waiter.h"

#define LOOK_NS 20000000u

bool posix_wait_cut(tact_timeout_t *timeout)
{
	tact_timeout_t look = tact_at(tact_time_add(tact_now(), LOOK_NS));

	if (timeout->kind != TACT_TIMEOUT_FOREVER && timeout->ns <= look.ns)
		return false;
	*timeout = look;
	return true;
}

void posix_wait_cancel_check(tact_sem_t parking)
{
	(void)tact_sem_post(parking);
}

void posix_native_wait_begin(void)
{
	int state;

	/* A thread that may not be cancelled continues to wait. */
	if (!posix_is_task() || pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state))
		return;
	(void)pthread_setcancelstate(state, NULL);
	atomic_store(&posix_me.wait.is_native, state == PTHREAD_CANCEL_ENABLE);
	pthread_testcancel();
}

void posix_native_wait_end(int error)
{
	atomic_store_explicit(&posix_me.wait.is_native, false, memory_order_relaxed);
	if (error == -TACT_EINTR)
		pthread_testcancel();
}

int posix_wait_time(tact_timeout_t until)
{
	int result;

	if (posix_me.skin.waits_not) {
		posix_me.skin.waits_not();
		return -TACT_EINTR;
	}
	if (until.kind == TACT_TIMEOUT_RELATIVE)
		until = tact_at(tact_time_add(tact_now(), until.ns));
	posix_me.call.signals_taken = false;
	posix_wait_begins();
	do {
		pthread_testcancel();
		result = posix_wait_result(tact_sem_wait_while(posix_me.wait.parking, until,
							       &posix_me.call.handlers.run,
							       posix_me.call.began.run));
	} while (!result ||
		 (result == -TACT_EINTR && posix_signals_taken() && !posix_call_is_interrupted()));
	posix_wait_ends();
	/* The timeout has passed, and the thread was cancelled before it could run. */
	pthread_testcancel();
	/* In Linux a timeout that has passed ends a sleep before a signal does. */
	if (result == -TACT_ESTALE)
		return until.kind != TACT_TIMEOUT_FOREVER && until.ns <= tact_now().ns
			       ? 0
			       : -TACT_EINTR;
	return result == -TACT_ETIMEDOUT ? 0 : result;
}
