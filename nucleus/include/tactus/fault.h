/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Faults that are no mistakes of the task's: copying to and from memory that somebody else has
 * named, and handlers that the program has for faults.
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
 * Copy memory that may lead nowhere on either side, as Linux does with what a system call is given:
 * where it does, nobody is stopped and no handler of the program's called. to, from: do not
 * overlap. What is 1, 2, 4 or 8 bytes is read and written as one.
 *
 * Returns 0, or
 *   -TACT_EFAULT  it leads nowhere, or may not be read or written; an unknown part was copied
 *   -TACT_EPERM   nobody would notice; nothing was copied. On the sim back end before the start, on
 *                 others where the processor has no FSGSBASE
 * Context: any, but a Linux thread, or a task in secondary mode, that blocks SIGSEGV or SIGBUS:
 * there Linux ends the program. Cost: that of copying.
 */
int tact_copy(void *to, const void *from, size_t bytes) __attribute__((warn_unused_result));

/* What a program does with a signal, as rt_sigaction(2) has it. */
struct tact_fault_action {
	void *handler; /* or SIG_DFL, SIG_IGN */
	uint64_t flags;
	uint64_t mask; /* bit n - 1 for signal n */
};

/**
 * What the program does with a signal of faults, while a handler of Tactus's stands before it: that
 * stays the first, and the program's serves tasks in secondary mode, as one does that was there
 * before the start. sigaction(2) would replace it. signal: SIGSEGV, SIGBUS, SIGFPE, SIGILL,
 * SIGTRAP, on the thread back end SIGSYS, too; action: from now on, or NULL; former: receives what
 * it was until then, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  another signal
 *   -TACT_EPERM   no handler of Tactus's is there: it is to be asked of Linux. Before the start and
 *                 after the stop, but for SIGSEGV and SIGBUS once tact_copy() was called; and on
 *                 the sim back end
 * Context: any. Cost: O(1).
 */
int tact_fault_action(int signal, const struct tact_fault_action *action,
		      struct tact_fault_action *former);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
