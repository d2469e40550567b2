/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A call of the program's, and the handlers that run in it. What stands before them counts them
 * (handlers.c), so that a call which a handler ends in Linux ends here, too, whenever in the call
 * the handler has run: the count is read before anything else in the call, and compared as the last
 * step before the wait.
 */
#ifndef POSIX_CALL_H
#define POSIX_CALL_H

#include <errno.h>
#include <stdbool.h>

#include "posix/calls/interrupt.h"
#include "posix/calls/tried.h"
#include "posix/state/record.h"
#include "posix/state/stay.h"

/* A call that handlers end begins: those that have run by now do not. */
static inline void posix_call_begins(void)
{
	posix_me.call.began.run = posix_me.call.handlers.run;
	posix_me.call.began.ending = posix_me.call.handlers.ending;
}

/* The same, and then posix_is_task(), in which the caller may become one, for milliseconds. */
static inline bool posix_call_is_tasks(void)
{
	posix_call_begins();
	return posix_is_task();
}

/* The same of a call that is about to wait for what real time serves. */
static inline bool posix_call_is_tasks_wait(void)
{
	posix_call_begins();
	posix_stay_break();
	return posix_is_task();
}

/* Has a handler run in it? */
static inline bool posix_call_is_interrupted(void)
{
	return __builtin_expect(posix_me.call.began.run != posix_me.call.handlers.run, 0);
}

/* One that ends the call also where that goes on after handlers of SA_RESTART? */
static inline bool posix_call_is_ended(void)
{
	return __builtin_expect(posix_me.call.began.ending != posix_me.call.handlers.ending, 0);
}

/* The same with the handlers that have run in the call that the caller is in. */
static inline long posix_call_tried_in_call(long number, const long arguments[6])
{
	return posix_call_is_interrupted()
		       ? posix_call_tried(number, arguments, posix_me.call.handled,
					  posix_call_is_ended())
		       : POSIX_CALL_GOES_ON;
}

/* What it gives as a function of the C library's. */
static inline long posix_call_return(long result)
{
	if (result >= 0)
		return result;
	errno = (int)-result;
	return -1;
}

/*
 * After a wait of the caller's has ended with -TACT_EINTR, once: does the handler that did so
 * restart what it interrupts (SA_RESTART)? Was there none, for others took the signals?
 */
static inline bool posix_signals_restart(void)
{
	const bool restart = posix_me.call.signals_restart;

	posix_me.call.signals_restart = false;
	return restart;
}

static inline bool posix_signals_taken(void)
{
	const bool taken = posix_me.call.signals_taken;

	posix_me.call.signals_taken = false;
	return taken;
}

#endif
