/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Faults that are not mistakes of the task: copies from and to addresses that others have given,
 * and the program's own handlers of faults.
 */
#ifndef TACTUS_FAULT_H
#define TACTUS_FAULT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * Copy memory although either address may be bad, as Linux does with the arguments of a system
 * call: at a bad address the call returns an error; no task is stopped, and no handler of the
 * program is called. 1, 2, 4 or 8 bytes are read and written by one instruction each.
 * to, from: must not overlap.
 *
 * Returns 0, or
 *   -TACT_EFAULT  nothing is mapped at an address, or it may not be read or written; an unknown
 *                 part was copied
 *   -TACT_EPERM   a fault could not be caught, so nothing was copied: on the sim back end before
 *                 the start, on other back ends if the processor has no FSGSBASE
 * Context: any. A Linux thread, or a task in secondary mode, must not block SIGSEGV or SIGBUS: if
 * it does, Linux ends the program at a bad address. Cost: that of copying.
 */
int tact_copy(void *to, const void *from, size_t bytes) __attribute__((warn_unused_result));

/* What a program does with a signal, in the form of rt_sigaction(2). */
struct tact_fault_action {
	void *handler; /* or SIG_DFL, SIG_IGN */
	uint64_t flags;
	uint64_t mask; /* bit n - 1 for signal n */
};

/**
 * Change or read what the program does with a signal of faults while Tactus has a handler for it.
 * The handler of Tactus stays the first one. The program's handler serves tasks in secondary mode,
 * like a handler from before the start (start.h, program_faults). sigaction(2) would replace the
 * handler of Tactus.
 * signal: SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP; on the thread back end also SIGSYS.
 * action: what the program does from now on; NULL: no change.
 * former: receives what the program did until now, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  another signal
 *   -TACT_EPERM   Tactus has no handler for it: use sigaction(2). This is so before the start and
 *                 after the stop, except for SIGSEGV and SIGBUS once tact_copy() was called; and
 *                 always on the sim back end
 * Context: any. Cost: O(1).
 */
int tact_fault_action(int signal, const struct tact_fault_action *action,
		      struct tact_fault_action *former);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
