/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads of this library: Linux threads that wait for the nucleus, and do what tasks leave to
 * Linux without going there. Each ends with the real-time half.
 */
#ifndef POSIX_HELPER_H
#define POSIX_HELPER_H

#include <pthread.h>

#include <tactus/sem.h>

struct posix_helper {
	pthread_mutex_t lock;
	tact_sem_t sem;         /* at which it waits; 0: it has not begun */
	uint32_t most;          /* the most units of sem */
	void *(*entry)(void *); /* runs until a wait fails for another reason than its timeout */
};

/* Make a thread that waits for something else, and does not end. 0 or an error number. Context:
 * linux. */
int posix_helper_begin(void *(*entry)(void *));

/*
 * Call the function and return its result. If the caller has little stack left, it is called in
 * such a thread, with the same affinity and policy. refused: the result if no thread can be made.
 * Context: linux.
 */
int posix_with_stack(int (*function)(void), int refused);

/*
 * The semaphore of a helper. The first call starts the thread, with the policy of the caller. 0: it
 * could not be made. Context: any thread, after the start of the real-time half.
 */
tact_sem_t posix_helper(struct posix_helper *helper);

#endif
