/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The task under test waits for the interrupt, and first reads the clock. The interrupt of a timer
 * is caused at its release. The interrupt of the device is caused by another thread, on another CPU
 * if there is one, otherwise below the task on the same CPU; the time counts from right before the
 * write that raises it. The beginning of the kernel's handler is looked up in the kernel's trace
 * afterwards.
 */
#include "measure.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/complain.h"

#define SETTLE_NS 50000000u

struct raiser {
	struct irq_measure *measure;
	pthread_t thread;
	_Atomic bool armed; /* the task has served the last one */
	_Atomic uint64_t caused_ns;
	_Atomic bool over; /* the task has given up */
};

struct waiter {
	struct irq_measure *measure;
	struct raiser *raiser;
};

static void sleep_until(uint64_t time_ns)
{
	const struct timespec until = clock_timespec(time_ns);

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

static void serve(struct irq_measure *measure, uint64_t caused_ns, uint64_t woken_ns)
{
	measure->caused_ns[measure->served] = caused_ns;
	measure->woken_ns[measure->served] = woken_ns;
	measure->served++;
}

static void *timer_task(void *arg)
{
	struct irq_measure *measure = ((struct waiter *)arg)->measure;

	/* From here on, because on a loaded machine the start of a thread may take long. */
	measure->start_ns = clock_now_ns() + measure->period_ns;
	for (uint64_t n = 0; n < measure->loops; n++) {
		const uint64_t release_ns = measure->start_ns + n * measure->period_ns;

		if (clock_now_ns() >= release_ns) {
			measure->skipped++;
			continue;
		}
		irq_timer_arm(&measure->source, release_ns);
		measure->error = irq_timer_wait(&measure->source);
		if (measure->error < 0)
			break;
		serve(measure, release_ns, clock_now_ns());
	}
	return NULL;
}

static void *edu_task(void *arg)
{
	struct waiter *waiter = arg;
	struct irq_measure *measure = waiter->measure;
	struct raiser *raiser = waiter->raiser;

	for (uint64_t n = 0; n < measure->loops; n++) {
		uint64_t woken_ns;

		/* Pairs with the acquire in raise_all(): the last one is acknowledged. */
		atomic_store_explicit(&raiser->armed, true, memory_order_release);
		measure->error = irq_edu_wait(&measure->source);
		woken_ns = clock_now_ns();
		if (measure->error < 0)
			break;
		serve(measure, atomic_load(&raiser->caused_ns), woken_ns);
		irq_edu_acknowledge(&measure->source);
	}
	atomic_store(&raiser->over, true);
	return NULL;
}

/* If the task is not ready at a release, the release is skipped. The run continues until the task
 * has got as many interrupts as it waits for, because it cannot be told while it waits. */
static void *raise_all(void *arg)
{
	struct raiser *raiser = arg;
	struct irq_measure *measure = raiser->measure;

	for (uint64_t n = 0; !atomic_load(&raiser->over); n++) {
		sleep_until(measure->start_ns + n * measure->period_ns);
		if (!atomic_exchange_explicit(&raiser->armed, false, memory_order_acquire)) {
			measure->skipped += !atomic_load(&raiser->over);
			continue;
		}
		atomic_store(&raiser->caused_ns, clock_now_ns());
		irq_edu_raise(&measure->source);
	}
	return NULL;
}

static int start_task(struct irq_measure *measure, struct waiter *waiter, pthread_t *task)
{
	return machine_thread_start(&measure->machine, task, measure->priority,
				    measure->source.raised ? edu_task : timer_task, waiter);
}

static int run_threads(struct irq_measure *measure)
{
	struct raiser raiser = {.measure = measure};
	struct waiter waiter = {measure, &raiser};
	pthread_t task;
	int error;

	measure->start_ns = clock_now_ns() + SETTLE_NS;
	error = start_task(measure, &waiter, &task);
	if (error == 0 && measure->source.raised) {
		const int below = measure->priority > 1 ? measure->priority - 1 : 1;

		error = machine_thread_start(&measure->elsewhere, &raiser.thread, below, raise_all,
					     &raiser);
		if (error == 0) {
			(void)pthread_join(raiser.thread, NULL);
		} else {
			/* It waits for an interrupt that nothing will raise. */
			(void)pthread_cancel(task);
			(void)pthread_join(task, NULL);
		}
	}
	if (error != 0)
		return complain("no thread: %s: raise `ulimit -u` and `ulimit -l`",
				strerror(error));
	(void)pthread_join(task, NULL);
	if (measure->error == 0)
		return 0;
	return complain("waiting for the interrupt: %s", strerror(-measure->error));
}

/* The first entry between cause and task belongs to the handler of this interrupt. */
static void match_handler(struct irq_measure *measure)
{
	const struct irq_trace *trace = &measure->trace;
	size_t at = 0;

	for (uint64_t i = 0; i < measure->served; i++) {
		const uint64_t caused_ns = measure->caused_ns[i];

		while (at < trace->count && trace->entries_ns[at] < caused_ns)
			at++;
		if (at < trace->count && trace->entries_ns[at] <= measure->woken_ns[i])
			samples_push(&measure->store, IRQ_HANDLER, caused_ns - measure->start_ns,
				     (int64_t)(trace->entries_ns[at] - caused_ns), 0);
		else
			measure->unmatched++;
	}
}

static void choose_elsewhere(struct irq_measure *measure)
{
	cpu_set_t allowed;

	measure->elsewhere = measure->machine;
	if (!measure->source.raised || measure->raise_here ||
	    sched_getaffinity(0, sizeof(allowed), &allowed) < 0)
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, &allowed) && cpu != measure->machine.cpu) {
			measure->elsewhere.cpu = cpu;
			return;
		}
	}
}

int irq_measure_run(struct irq_measure *measure)
{
	bool traced;
	int status;

	measure->caused_ns = calloc(measure->loops, sizeof(uint64_t));
	measure->woken_ns = calloc(measure->loops, sizeof(uint64_t));
	if (measure->caused_ns == NULL || measure->woken_ns == NULL)
		return complain("no memory for %llu interrupts: lower --loops or --seconds",
				(unsigned long long)measure->loops);
	choose_elsewhere(measure);
	machine_leave_cpu(&measure->machine);
	traced = irq_trace_start(&measure->trace, measure->source.trace_event,
				 measure->source.trace_filter, 2 * measure->loops,
				 &measure->notices) == 0;
	status = run_threads(measure);
	if (irq_trace_stop(&measure->trace, measure->source.raised ? -1 : measure->machine.cpu) < 0)
		status = -1;
	for (uint64_t i = 0; status == 0 && i < measure->served; i++)
		samples_push(&measure->store, IRQ_TASK, measure->caused_ns[i] - measure->start_ns,
			     (int64_t)(measure->woken_ns[i] - measure->caused_ns[i]), 0);
	if (status == 0 && traced)
		match_handler(measure);
	free(measure->caused_ns);
	free(measure->woken_ns);
	irq_trace_free(&measure->trace);
	return status;
}
