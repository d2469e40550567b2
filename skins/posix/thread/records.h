/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The list of the program's threads, from before Linux makes them. */
#ifndef POSIX_RECORDS_H
#define POSIX_RECORDS_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include <tactus/tact.h>

#include "posix/state/record.h"

/* The list of records, by a lock of Linux: for calls that change or look up threads. */
void posix_threads_lock(void);
void posix_threads_unlock(void);
/* pid as the sched_*() calls take it: 0 or the caller's is the caller. NULL: no thread of ours. */
struct posix_thread *posix_thread_of_tid(pid_t tid);
struct posix_thread *posix_thread_of_pthread(pthread_t pthread);

/*
 * A thread that is to be made, in memory of its creator's, which frees it, or leaves that to the
 * thread: whoever is done with it last. Its record says what the thread begins with, and is changed
 * as any until the thread enters.
 */
struct posix_thread_init {
	struct posix_thread record;
	bool left; /* by one of the two; under posix_threads_lock() */
};
/*
 * Its creator: before it is made, mask: the signals that it is to block, or NULL: those of its
 * creator's; false: no memory; it was not made; it was: false: the thread has left it already.
 */
bool posix_thread_init_begin(struct posix_thread_init *thread_init, const sigset_t *mask);
void posix_thread_init_cancel(struct posix_thread_init *thread_init);
bool posix_thread_init_created(struct posix_thread_init *thread_init, const pthread_t *pthread);

/*
 * The calling thread enters the list, as this new thread or as itself (NULL). True: the creator has
 * left the new thread already.
 */
bool posix_thread_enter(struct posix_thread_init *thread_init);
/* Parts of leaving (thread.h), and of what a fork's child does. */
void posix_records_leave(void);
void posix_records_forked(void);

/* Every thread looks at its next interposed call what it is to be. */
void posix_threads_policy_changed(void);
/* Those who are tasks still, at the program's end: take their figures. */
void posix_threads_sum_up(void (*take)(struct posix_thread *thread,
				       const struct tact_task_info *info));

#endif
