/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Functions as Linux threads: pinned, and under SCHED_FIFO if that is allowed. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "bench.h"

#define STACK_BYTES (64u * 1024)

void bench_threads_init(void)
{
	const struct sched_param normal = {.sched_priority = 0};
	const struct sched_param wanted = {.sched_priority = bench.priority};

	bench.fifo = !sched_setscheduler(0, SCHED_FIFO, &wanted);
	if (bench.fifo)
		(void)sched_setscheduler(0, SCHED_OTHER, &normal);
	else
		bench_notice("no permission for SCHED_FIFO: the counterpart runs under "
			     "SCHED_OTHER; run as root, with CAP_SYS_NICE, or raise `ulimit -r`");
}

static void *enter(void *thread)
{
	const struct bench_thread *entry = thread;

	entry->body(entry->arg);
	return NULL;
}

static int start(pthread_t *id, const struct bench_thread *thread)
{
	const struct sched_param parameters = {.sched_priority = bench.priority + thread->priority};
	pthread_attr_t attributes;
	cpu_set_t set;
	int error = pthread_attr_init(&attributes);

	if (error)
		return error;
	CPU_ZERO(&set);
	CPU_SET(bench.cpu, &set);
	/* The main thread has left the CPU under test, so it may use only the others. */
	if (thread->elsewhere)
		(void)sched_getaffinity(0, sizeof(set), &set);
	error = pthread_attr_setaffinity_np(&attributes, sizeof(set), &set);
	if (!error)
		error = pthread_attr_setstacksize(&attributes, STACK_BYTES);
	if (!error && bench.fifo) {
		(void)pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
		(void)pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
		error = pthread_attr_setschedparam(&attributes, &parameters);
	}
	if (!error)
		error = pthread_create(id, &attributes, enter, (void *)thread);
	(void)pthread_attr_destroy(&attributes);
	return error;
}

int bench_threads_run(const struct bench_thread *threads, unsigned int count)
{
	pthread_t *ids = calloc(count, sizeof(*ids));
	unsigned int started = 0;
	int error = ids ? 0 : ENOMEM;

	for (; started < count && !error; started++)
		error = start(&ids[started], &threads[started]);
	if (error) {
		while (started > 0 && --started > 0)
			(void)pthread_cancel(ids[started - 1]);
		free(ids);
		return bench_failed("pthread_create()", error);
	}
	for (unsigned int i = 0; i < count; i++)
		(void)pthread_join(ids[i], NULL);
	free(ids);
	return 0;
}

int bench_thread_run(void (*body)(void *arg), void *arg)
{
	const struct bench_thread thread = {body, arg, 0, false};

	return bench_threads_run(&thread, 1);
}
