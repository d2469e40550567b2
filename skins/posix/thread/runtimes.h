/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runtimes that tasks cannot serve: those that cause faults in normal operation and repair them in
 * their handlers, because a task has no handlers for faults in primary mode; and sanitizers, with
 * which a program was built.
 */
#ifndef POSIX_RUNTIMES_H
#define POSIX_RUNTIMES_H

#include <stdbool.h>

/* Is the address in such a runtime? */
bool posix_runtime_at(const void *address);
/* Is such a runtime loaded? */
bool posix_runtime_loaded(void);

/*
 * Has a runtime handlers for all signals, including faults and real-time signals? They have to run
 * on the stack that it gave the thread, which the shadow itself uses while it serves a task.
 */
bool posix_runtime_takes_signals(void);

/* Is the program built with ThreadSanitizer? It only knows switches between threads by Linux. */
bool posix_runtime_follows_threads(void);

#endif
