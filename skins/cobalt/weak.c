/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread that has left the real-time policies, or has SCHED_WEAK, is a weak task while it owns a
 * mutex. It is in primary mode until it unlocks its last mutex or calls Linux. If it owns a mutex
 * with a ceiling, it has the priority of the ceiling. Source: Xenomai 3, SCHED_WEAK.
 */
#include "weak.h"

__thread bool cobalt_weak __attribute__((tls_model("initial-exec")));
static __thread int usual;      /* its priority among weak tasks */
static __thread unsigned owned; /* how many mutexes it owns */
static __thread bool raised;    /* by a ceiling */

void cobalt_weak_begin(int priority)
{
	cobalt_weak = true;
	usual = priority;
}

void cobalt_weak_end(void)
{
	cobalt_weak = false;
	owned = 0;
	raised = false;
}

/* Return to the priority before the ceiling. */
static void lower(void)
{
	if (!raised)
		return;
	raised = false;
	posix_thread_set_policy(&posix_me, SCHED_OTHER, 0);
	(void)cobalt_be_weak(usual);
}

/* Only a real-time thread may lock a mutex with a ceiling, so the thread is one until it owns no
 * mutex. */
void cobalt_weak_prepare(pthread_mutex_t *mutex)
{
	int ceiling;

	if (raised || !(posix_mutex_kind(mutex) & POSIX_MUTEX_PROTECT) ||
	    pthread_mutex_getprioceiling(mutex, &ceiling) || ceiling < 1)
		return;
	posix_thread_set_policy(&posix_me, SCHED_FIFO, ceiling);
	raised = true;
}

void cobalt_weak_locked(int error)
{
	if (!error && !cobalt_be_task()) {
		owned++;
		(void)tact_task_harden();
	} else if (!owned) {
		lower();
	}
}

void cobalt_weak_unlocked(void)
{
	if (!owned || --owned)
		return;
	lower();
	(void)tact_task_relax();
}
