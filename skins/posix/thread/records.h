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
/* pid: as the sched_*() calls take it: 0 or the caller's own is the caller. NULL: not a thread of
 * the program. */
struct posix_thread *posix_thread_of_tid(pid_t tid);
struct posix_thread *posix_thread_of_pthread(pthread_t pthread);

/*
 * A thread that is to be made, in memory of its creator. The creator or the thread frees this
 * memory, whichever leaves it last. Its record says what the thread begins with, and is changed
 * like any record until the thread enters.
 */
struct posix_thread_init {
	struct posix_thread record;
	bool left; /* one of the two has left it; under posix_threads_lock() */
};
/*
 * For the creator. Before the thread is made (mask: the signals that it is to block; NULL: those of
 * its creator; false: no memory); if it was not made; if it was made (false: the thread has left
 * this already).
 */
bool posix_thread_init_begin(struct posix_thread_init *thread_init, const sigset_t *mask);
void posix_thread_init_cancel(struct posix_thread_init *thread_init);
bool posix_thread_init_created(struct posix_thread_init *thread_init, const pthread_t *pthread);

/*
 * The calling thread enters the list, as this new thread, or as itself (NULL). True: the creator
 * has left `thread_init` already.
 */
bool posix_thread_enter(struct posix_thread_init *thread_init);
/* Parts of leaving (thread.h), and of what a fork's child does. */
void posix_records_leave(void);
void posix_records_forked(void);

/* Each thread checks at its next interposed call whether it is to be a task. */
void posix_threads_policy_changed(void);
/* At the program's end: take the figures of threads that are still tasks. */
void posix_threads_sum_up(void (*take)(struct posix_thread *thread,
				       const struct tact_task_info *info));

#endif
