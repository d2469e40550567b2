/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Faults that are not mistakes of the task: copies from and to addresses that others have given.
 */
#ifndef TACTUS_FAULT_H
#define TACTUS_FAULT_H

#include <stddef.h>

#include <tactus/error.h>

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

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
