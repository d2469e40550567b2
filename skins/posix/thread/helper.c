/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads of this library's own: see helper.h. None of them handles a signal. */
#define _GNU_SOURCE
#include "posix/thread/helper.h"

#include <signal.h>

#include "posix/libc/real.h"
#include "posix/state/linux_call.h"
#include "posix/state/record.h"
#include "posix/state/say.h"
#include "posix/thread/attributes.h"

#define ENOUGH_BYTES 65536u /* some 17 KiB were seen */

static int begin(pthread_t *thread, void *(*entry)(void *), void *argument)
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	posix_real.pthread_sigmask(SIG_SETMASK, &all, &before);
	error = posix_real.pthread_create(thread, NULL, entry, argument);
	posix_real.pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

int posix_helper_begin(void *(*entry)(void *))
{
	pthread_t thread;
	int error = begin(&thread, entry, NULL);

	if (!error)
		pthread_detach(thread);
	return error;
}

struct errand {
	const struct posix_thread *caller;
	int (*function)(void);
	int result;
};

static void *run(void *argument)
{
	struct errand *errand = argument;

	posix_me.affinity.confined = errand->caller->affinity.confined;
	posix_me.affinity.set = errand->caller->affinity.set;
	errand->result = errand->function();
	return NULL;
}

int posix_with_stack(int (*function)(void), int refused)
{
	struct errand errand = {.caller = &posix_me, .function = function, .result = refused};
	pthread_t thread;
	int cancel;

	/* A sanitizer inside the program does not know the thread yet, and would be asked for its
	 * stack. */
	if (posix_is_stood_before() || posix_stack_left() >= ENOUGH_BYTES)
		return function();
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	if (begin(&thread, run, &errand))
		posix_say(
			"the start of Tactus needs another thread, because the stack of this one "
			"is too small, but no thread can be made: see ulimit -u and -v; real-time "
			"threads stay with Linux");
	else
		(void)pthread_join(thread, NULL);
	pthread_setcancelstate(cancel, NULL);
	return errand.result;
}

tact_sem_t posix_helper(struct posix_helper *helper)
{
	tact_sem_t sem;

	posix_real.pthread_mutex_lock(&helper->lock);
	if (!helper->sem.id) {
		bool denied = posix_linux_begin();

		if (!tact_sem_create(NULL, 0, helper->most, TACT_ON_CPU(0), &helper->sem) &&
		    posix_helper_begin(helper->entry)) {
			(void)tact_sem_delete(helper->sem);
			helper->sem.id = 0;
		}
		posix_linux_end(denied);
	}
	sem = helper->sem;
	posix_real.pthread_mutex_unlock(&helper->lock);
	return sem;
}
