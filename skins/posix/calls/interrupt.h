/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls of Linux's that a handler interrupts just before they begin: see interrupt.c. */
#ifndef POSIX_INTERRUPT_H
#define POSIX_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <ucontext.h>

/* The frame of this signal's handler, which ends calls that go on after those of
 * SA_RESTART, too, or is one of these: a call of Linux's that has not begun, and is one that it
 * ends, is made without a wait, and returns EINTR if it would wait. */
void posix_interrupt(ucontext_t *context, int signal, bool ending);

/*
 * A call of Linux's in which handlers of these signals have run, a bit each, before it was made:
 * what it gives without a wait, as Linux's instruction does; -EINTR if it would wait, and then what
 * it is to tell of the time that is left is told. POSIX_CALL_GOES_ON: it is to be made, for they
 * do not end it, or it will not wait. ending: one of them was without SA_RESTART.
 */
long posix_call_tried(long number, const long arguments[6], uint64_t handled, bool ending);

/* Is this instant to come? False, too, where there is none. */
bool posix_call_is_ahead(clockid_t clock, const struct timespec *instant);

#endif
