/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads of this library's own, Linux threads that wait for the nucleus: for what tasks leave to
 * Linux without going there. Each ends with the real-time half.
 */
#ifndef POSIX_HELPER_H
#define POSIX_HELPER_H

#include <pthread.h>

#include <tactus/sem.h>

struct posix_helper {
	pthread_mutex_t lock;
	tact_sem_t sem;         /* that it waits at; 0: it has not begun */
	uint32_t most;          /* units that it can hold */
	void *(*entry)(void *); /* until a wait fails for another reason than its time */
};

/* One that waits for something else, and stays. 0 or an error number. Context: linux. */
int posix_helper_begin(void *(*entry)(void *));

/*
 * What the function returns, called here, or, where the caller has little stack left, in one of
 * these with the same affinity and policy; refused: there is none to be had. Context: linux.
 */
int posix_with_stack(int (*function)(void), int refused);

/*
 * Its semaphore; the first who asks begins it, with a policy of his own. 0: there is none to be
 * had. Context: any thread once the real-time half is started.
 */
tact_sem_t posix_helper(struct posix_helper *helper);

#endif
