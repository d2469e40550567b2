/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where threads may run, as the program sees it: among all CPUs that it was started with. */
#ifndef POSIX_AFFINITY_H
#define POSIX_AFFINITY_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "posix/state/record.h"

/* Before and after the start, which takes CPUs from the thread that makes it. */
void posix_affinity_before_start(void);
void posix_affinity_after_start(void);
/* How many the program may use. */
uint32_t posix_affinity_cpus(void);

/* The affinity that the thread is told to have; false: it is the one that Linux tells. */
bool posix_affinity_reported(pthread_t pthread, cpu_set_t *set);

/* Which real-time CPU the caller belongs on by its affinity: 0 unless it names another one. */
uint32_t posix_affinity_cpu(void);

/* What a thread that becomes a task may begin on, of the set that it was given. */
void posix_affinity_without_tasks(cpu_set_t *set);

/* The caller is about to be a task, whose shadow leaves the real-time CPUs alone; and is none any
 * more; and is the only thread of a fork's child. */
void posix_affinity_leave_cpus(void);
void posix_affinity_return(void);
/* Everything the program may use, for one that takes its place. */
void posix_affinity_restore(void);

/* That the program may use; set at the start. */
extern cpu_set_t posix_affinity_all;
/* What is told of a thread that the caller may name. False: it changes just now. */
bool posix_affinity_of(const struct posix_thread *thread, cpu_set_t *set);
/* Is it what these attributes say already? */
bool posix_affinity_is_in(const struct posix_thread *thread, const pthread_attr_t *attributes);
/* Linux has accepted the set for this thread of ours, which is no task; or may be one. */
void posix_affinity_note(struct posix_thread *thread, size_t bytes, const cpu_set_t *set);
void posix_affinity_accept(struct posix_thread *thread, size_t bytes, const cpu_set_t *set);
/* The real-time CPUs of the set leave it, into another one. */
void posix_affinity_part(cpu_set_t *set, cpu_set_t *real_time);

#endif
