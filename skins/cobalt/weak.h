/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mutexes of threads that once had a real-time policy, or have SCHED_WEAK. */
#ifndef COBALT_WEAK_H
#define COBALT_WEAK_H

#include "cobalt_internal.h"

#include <pthread.h>

/* Is the caller such a thread? The two calls make it one, with this priority among weak tasks, or
 * end that. */
extern __thread bool cobalt_weak __attribute__((tls_model("initial-exec")));
void cobalt_weak_begin(int priority);
void cobalt_weak_end(void);

/* It is about to lock a mutex; the lock has returned `error`; it has unlocked a mutex. */
void cobalt_weak_prepare(pthread_mutex_t *mutex);
void cobalt_weak_locked(int error);
void cobalt_weak_unlocked(void);

#endif
