/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What stands before each handler of the program's: see handlers.c. It counts them, so that a call
 * which a handler ends in Linux ends here, too, whenever in the call the handler has run: the count
 * is read before anything else in the call, and compared as the last step before the wait.
 */
#ifndef POSIX_HANDLERS_H
#define POSIX_HANDLERS_H

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "posix/state/stay.h"
#include "posix/thread/thread.h"

/* By which Linux tells of pointers that lead nowhere. */
#define POSIX_SIGNALS_OF_FAULTS (1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1))

/* What is to be installed for what the program wants: that, or noting, which has ours before it. */
const struct sigaction *posix_handlers_install(int signal, const struct sigaction *wanted,
					       struct sigaction *noting);
/* Of what is or was installed: the program's handler in place of ours. */
void posix_handlers_show(int signal, struct sigaction *installed);

/* A call that handlers end begins: those that have run by now do not. */
static inline void posix_call_begins(void)
{
	posix_me.call.run = posix_me.handlers.run;
	posix_me.call.ending = posix_me.handlers.ending;
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
	return __builtin_expect(posix_me.call.run != posix_me.handlers.run, 0);
}

/* One that ends the call also where that goes on after handlers of SA_RESTART? */
static inline bool posix_call_is_ended(void)
{
	return __builtin_expect(posix_me.call.ending != posix_me.handlers.ending, 0);
}

/* interrupt.c. The frame of this signal's handler, which ends calls that go on after those of
 * SA_RESTART, too, or is one of these: a call of Linux's that has not begun, and is one that it
 * ends, is made without a wait, and returns EINTR if it would wait. */
void posix_interrupt(ucontext_t *context, int signal, bool ending);

#define POSIX_CALL_GOES_ON LONG_MIN

/*
 * A call of Linux's in which handlers of these signals have run, a bit each, before it was made:
 * what it gives without a wait, as Linux's instruction does; -EINTR if it would wait, and then what
 * it is to tell of the time that is left is told. POSIX_CALL_GOES_ON: it is to be made, for they
 * do not end it, or it will not wait. ending: one of them was without SA_RESTART.
 */
long posix_call_tried(long number, const long arguments[6], uint64_t handled, bool ending);

/* The same with the handlers that have run in the call that the caller is in. */
static inline long posix_call_tried_here(long number, const long arguments[6])
{
	return posix_call_is_interrupted() ? posix_call_tried(number, arguments, posix_me.handled,
							      posix_call_is_ended())
					   : POSIX_CALL_GOES_ON;
}

/* Is this instant to come? False, too, where there is none. */
bool posix_call_is_ahead(clockid_t clock, const struct timespec *instant);

/* What it gives as a function of the C library's. */
static inline long posix_call_told(long result)
{
	if (result >= 0)
		return result;
	errno = (int)-result;
	return -1;
}

#endif
