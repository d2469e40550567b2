/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads that cannot be made, and calls on them. */
#define _GNU_SOURCE
#include "errors.h"

static void *nothing(void *argument)
{
	return argument;
}

static int made_by_policy(void)
{
	const struct sched_param parameter = {.sched_priority = 60};
	pthread_attr_t attributes;
	pthread_t thread;
	int error;

	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &parameter);
	error = pthread_create(&thread, &attributes, nothing, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

/* On a CPU that does not exist. */
static int made_nowhere(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	cpu_set_t none;
	int error;

	CPU_ZERO(&none);
	pthread_attr_init(&attributes);
	pthread_attr_setaffinity_np(&attributes, sizeof(none), &none);
	error = pthread_create(&thread, &attributes, nothing, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

/* Larger than any stack that is kept from an ended thread. */
static int made_large(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	int error;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 64u << 20);
	error = pthread_create(&thread, &attributes, nothing, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

static void cases(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	WITHOUT(RLIMIT_RTPRIO, AS_NOBODY(RETURNS_AS("pthread_create", EPERM, made_by_policy())));
	RETURNS_AS("pthread_create", EINVAL, made_nowhere());
	WITHOUT(RLIMIT_NPROC,
		AS_NOBODY(RETURNS(EAGAIN, pthread_create(&thread, NULL, nothing, NULL))));
	WITHOUT(RLIMIT_AS, RETURNS_AS("pthread_create", EAGAIN, made_large()));
	WITHOUT_MEMORY(RETURNS(ENOMEM, pthread_getattr_np(pthread_self(), &attributes)));
}

int main(void)
{
	return from_every_thread(cases);
}
