/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What threads are made with, where that is not what was asked for. */
#ifndef POSIX_ATTRIBUTES_H
#define POSIX_ATTRIBUTES_H

#include <pthread.h>
#include <stdbool.h>

#include "posix/state/record.h"

/* False: the program gave no affinity. One that was never set has every bit. */
bool posix_attributes_affinity(const pthread_attr_t *attributes, cpu_set_t *cpus);

/* False: the program gave no mask, or this C library knows of none. */
bool posix_attributes_mask(const pthread_attr_t *attributes, sigset_t *mask);

/*
 * What a thread is made with: a stack with room for a task's frames, where the program asks for a
 * small one (16 KiB, before it asks for a policy), but one that it gives as it is; and, placed, no
 * real-time CPU, on which it would not begin while a task computes there, and which it would leave
 * at once. The record is told what was asked for, and what was not. False: that will do.
 */
bool posix_attributes_revise(const pthread_attr_t *asked, struct posix_thread *record, bool placed,
			     pthread_attr_t *revised);

/* How much of its stack the calling thread has below here; all that there is where it is not told.
 */
size_t posix_stack_left(void);

#endif
