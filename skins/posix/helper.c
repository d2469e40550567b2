/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads of this library's own: see helper.h. None of them handles a signal. */
#define _GNU_SOURCE
#include "helper.h"

#include <signal.h>

#include "real.h"
#include "thread.h"

int posix_helper_begin(void *(*entry)(void *))
{
	sigset_t all, before;
	pthread_t thread;
	int error;

	sigfillset(&all);
	posix_real.pthread_sigmask(SIG_SETMASK, &all, &before);
	error = posix_real.pthread_create(&thread, NULL, entry, NULL);
	posix_real.pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!error)
		pthread_detach(thread);
	return error;
}

tact_sem_t posix_helper(struct posix_helper *helper)
{
	tact_sem_t sem;

	posix_real.pthread_mutex_lock(&helper->lock);
	if (!helper->sem) {
		bool denied = posix_linux_begin();

		if (!tact_sem_create(NULL, 0, helper->most, TACT_ON_CPU(0), &helper->sem) &&
		    posix_helper_begin(helper->entry)) {
			(void)tact_sem_delete(helper->sem);
			helper->sem = 0;
		}
		posix_linux_end(denied);
	}
	sem = helper->sem;
	posix_real.pthread_mutex_unlock(&helper->lock);
	return sem;
}
