/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where threads may run, as the program sees it: among all CPUs that it was started with. */
#ifndef POSIX_AFFINITY_H
#define POSIX_AFFINITY_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "posix/state/record.h"

/* To be called before and after the start, which takes CPUs from the thread that makes it. */
void posix_affinity_before_start(void);
void posix_affinity_after_start(void);
/* How many CPUs the program may use. */
uint32_t posix_affinity_cpus(void);

/* The affinity that the program sees of a thread; false: it is the one in Linux. */
bool posix_affinity_reported(pthread_t pthread, cpu_set_t *set);

/* The real-time CPU for the caller by its affinity: 0, unless the affinity names another one. */
uint32_t posix_affinity_cpu(void);

/* Reduce a set to the CPUs on which a thread that becomes a task may begin. */
void posix_affinity_without_tasks(cpu_set_t *set);

/* The caller is about to become a task, whose shadow must not use the real-time CPUs; has ceased to
 * be one. */
void posix_affinity_leave_cpus(void);
void posix_affinity_return(void);
/* The caller gets the affinity that the program sees, or else all CPUs that the program may use. */
void posix_affinity_restore(void);

/* The CPUs that the program may use; set at the start. */
extern cpu_set_t posix_affinity_all;
/* What the program sees of a thread that the caller may name. False: it is changing at this
 * moment. */
bool posix_affinity_of(const struct posix_thread *thread, cpu_set_t *set);
/* Is it what these attributes already contain? */
bool posix_affinity_is_in(const struct posix_thread *thread, const pthread_attr_t *attributes);
/* Linux has accepted the set for this thread of the program, which is not a task; or which may be
 * one. */
void posix_affinity_note(struct posix_thread *thread, size_t bytes, const cpu_set_t *set);
void posix_affinity_accept(struct posix_thread *thread, size_t bytes, const cpu_set_t *set);
/* Move the real-time CPUs of the set to another set. */
void posix_affinity_part(cpu_set_t *set, cpu_set_t *real_time);

#endif
