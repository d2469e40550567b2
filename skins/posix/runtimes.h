/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runtimes that meet faults in the normal course of things, and mend them in their handlers: a task
 * has no handlers for faults in primary mode.
 */
#ifndef POSIX_RUNTIMES_H
#define POSIX_RUNTIMES_H

#include <stdbool.h>

/* Is the address in one? */
bool posix_runtime_at(const void *address);
/* Is one loaded? */
bool posix_runtime_loaded(void);

#endif
