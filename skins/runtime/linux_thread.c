/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads of a skin: see linux_thread.h. */
#include "runtime/linux_thread.h"

#include <signal.h>

#define STACK_BYTES (128u << 10)

int runtime_linux_thread(pthread_t *thread, void *(*body)(void *), void *arg)
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
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(thread, &attributes, body, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}
