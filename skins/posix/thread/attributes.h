/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What threads are made with, if that differs from the request. */
#ifndef POSIX_ATTRIBUTES_H
#define POSIX_ATTRIBUTES_H

#include <pthread.h>
#include <stdbool.h>

#include "posix/state/record.h"

/* False: the program has set no affinity. One that was never set has every bit. */
bool posix_attributes_affinity(const pthread_attr_t *attributes, cpu_set_t *cpus);

/* False: the program has set no mask, or this C library has none in its attributes. */
bool posix_attributes_mask(const pthread_attr_t *attributes, sigset_t *mask);

/*
 * What a thread is made with: a stack with room for a task's frames, if the program requests a
 * small one (16 KiB, even before a policy is requested); a stack that the program supplies is used
 * as it is. With `placed`, no real-time CPU: the thread would not begin there while a task
 * computes, and would leave at once. The record stores what was requested, and what was changed.
 * False: the requested attributes can be used.
 */
bool posix_attributes_revise(const pthread_attr_t *asked, struct posix_thread *record, bool placed,
			     pthread_attr_t *revised);

/* How much of its stack the calling thread has left below here; SIZE_MAX if it is unknown. */
size_t posix_stack_left(void);

#endif
