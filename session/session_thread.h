/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How a session and the skins make their Linux threads. Inline, because each of their libraries
 * makes some, and none exports this. */
#ifndef SESSION_THREAD_H
#define SESSION_THREAD_H

#include <pthread.h>
#include <signal.h>

#define SESSION_THREAD_STACK_BYTES (128u << 10)

/* Make a thread without a real-time priority, even if its maker has one. It has a small stack and
 * blocks all signals. 0 or an error number. Context: linux. */
static inline int session_linux_thread(pthread_t *thread, void *(*body)(void *), void *arg)
{
	struct sched_param none = {0};
	pthread_attr_t attributes;
	sigset_t all;
	sigset_t before;
	int error;

	sigfillset(&all);
	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
	pthread_attr_setschedparam(&attributes, &none);
	pthread_attr_setstacksize(&attributes, SESSION_THREAD_STACK_BYTES);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(thread, &attributes, body, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

#endif
