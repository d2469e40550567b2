/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * With explicit scheduling and attributes that name none, a new thread gets what the C library
 * has stored of its creator: nothing, until that was read, set, or made with attributes that
 * name it.
 */
#include "check.h"

static void *reports(void *name)
{
	struct sched_param parameter;
	int policy;

	pthread_getschedparam(pthread_self(), &policy, &parameter);
	printf("%s: %d %d, Linux has %d\n", (const char *)name, policy, parameter.sched_priority,
	       sched_getscheduler(0));
	SHOW(policy == SCHED_OTHER ? is_no_task() : is_task_if_expected());
	return NULL;
}

static void make(pthread_attr_t *attributes, const char *name)
{
	pthread_t thread;
	int error = pthread_create(&thread, attributes, reports, (void *)(uintptr_t)name);

	if (error)
		printf("%s: error %d\n", name, error);
	else
		pthread_join(thread, NULL);
}

static void *makes(void *attributes)
{
	make(attributes, "by one whose attributes named it");
	return NULL;
}

int main(void)
{
	struct sched_param parameter = {.sched_priority = 10};
	pthread_attr_t attributes;
	int policy;

	SHOW(sched_setscheduler(0, SCHED_FIFO, &parameter));
	pthread_attr_init(&attributes);
	make(&attributes, "inherited");
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	make(&attributes, "explicit, nothing named");
	pthread_join(fifo_thread(20, makes, &attributes), NULL);
	make(&attributes, "explicit, nothing named, once more");
	pthread_getschedparam(pthread_self(), &policy, &parameter);
	make(&attributes, "explicit, nothing named, but told");
	return 0;
}
