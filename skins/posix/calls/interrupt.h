/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls of Linux that a handler interrupts just before they begin: see interrupt.c. */
#ifndef POSIX_INTERRUPT_H
#define POSIX_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <ucontext.h>

/*
 * context: the frame of this signal's handler. ending: the handler also ends calls that continue
 * after handlers of SA_RESTART. If the frame is at a call of Linux that this handler ends, the call
 * is made without a wait, and returns EINTR if it would wait.
 */
void posix_interrupt(ucontext_t *context, int signal, bool ending);

/*
 * A call of Linux, before which handlers of these signals have run (one bit each). Makes it without
 * a wait, and returns what Linux's instruction returns. -EINTR: it would wait; the time left is
 * then written if the call has to report it. POSIX_CALL_GOES_ON: the call has to be made, because
 * the handlers do not end it, or it will not wait. ending: one of the handlers was without
 * SA_RESTART.
 */
long posix_call_tried(long number, const long arguments[6], uint64_t handled, bool ending);

/* Is this instant in the future? Also false if there is no instant. */
bool posix_call_is_ahead(clockid_t clock, const struct timespec *instant);

#endif
