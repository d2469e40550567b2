/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A call of the program, and the handlers that run in it. The function before each handler counts
 * them (handlers.c). So a call that a handler would end in Linux ends here, too, whenever in the
 * call the handler has run: the count is read before anything else in the call, and compared as the
 * last step before the wait.
 */
#ifndef POSIX_CALL_H
#define POSIX_CALL_H

#include <errno.h>
#include <stdbool.h>

#include "posix/calls/interrupt.h"
#include "posix/calls/tried.h"
#include "posix/state/record.h"
#include "posix/state/stay.h"

/* A call that handlers can end begins. Handlers that have already run do not end it. */
static inline void posix_call_begins(void)
{
	posix_me.call.began.run = posix_me.call.handlers.run;
	posix_me.call.began.ending = posix_me.call.handlers.ending;
}

/* The same, and then posix_is_task(), in which the caller may become a task, which takes
 * milliseconds. */
static inline bool posix_call_is_tasks(void)
{
	posix_call_begins();
	return posix_is_task();
}

/* The same for a call that is about to wait for a served object. */
static inline bool posix_call_is_tasks_wait(void)
{
	posix_call_begins();
	posix_stay_break();
	return posix_is_task();
}

/* Has a handler run in the call? */
static inline bool posix_call_is_interrupted(void)
{
	return __builtin_expect(posix_me.call.began.run != posix_me.call.handlers.run, 0);
}

/* Has a handler run that ends even calls that continue after handlers of SA_RESTART? */
static inline bool posix_call_is_ended(void)
{
	return __builtin_expect(posix_me.call.began.ending != posix_me.call.handlers.ending, 0);
}

/* posix_call_tried() with the handlers that have run in the current call. */
static inline long posix_call_tried_in_call(long number, const long arguments[6])
{
	return posix_call_is_interrupted()
		       ? posix_call_tried(number, arguments, posix_me.call.handled,
					  posix_call_is_ended())
		       : POSIX_CALL_GOES_ON;
}

/* The result as a function of the C library returns it. */
static inline long posix_call_return(long result)
{
	if (result >= 0)
		return result;
	errno = (int)-result;
	return -1;
}

/*
 * To be called once after a wait of the caller has ended with -TACT_EINTR. restart: does the
 * handler that ended it restart calls (SA_RESTART)? taken: did no handler run, because other
 * threads took the signals?
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
