/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runtimes that tasks cannot serve: those that meet faults in the normal course of things, and mend
 * them in their handlers, for a task has no handlers for faults in primary mode; and sanitizers,
 * which are part of a program as it was built.
 */
#ifndef POSIX_RUNTIMES_H
#define POSIX_RUNTIMES_H

#include <stdbool.h>

/* Is the address in one? */
bool posix_runtime_at(const void *address);
/* Is one loaded? */
bool posix_runtime_loaded(void);

/*
 * Has one taken every signal, faults and those of real time alike? Its handlers have to run on the
 * stack that it gave the thread, which is the shadow's own while this serves a task.
 */
bool posix_runtime_takes_signals(void);

/* Is the program built with ThreadSanitizer? It knows switches between threads by Linux alone. */
bool posix_runtime_follows_threads(void);

#endif
