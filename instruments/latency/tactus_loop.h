/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the loops in Tactus's contexts share. Latency is read from Linux's clock, as for the peers
 * and independently of the library; only in virtual time is there no other clock than the
 * library's.
 */
#ifndef LATENCY_TACTUS_LOOP_H
#define LATENCY_TACTUS_LOOP_H

#include <stdatomic.h>

#include <tactus/tact.h>

#include "common/clock_first.h"
#include "common/turns_mark.h"
#include "run.h"

/* An entry of the set: a task, or a timer whose handler is the task. */
struct tactus_entry {
	struct latency_run *run;
	uint32_t index;
	int error; /* of its own calls */
	tact_task_t task;
	/* For a handler: */
	tact_timer_t timer;
	tact_sem_t ended;   /* the semaphore that reports it */
	_Atomic bool armed; /* its releases count */
	uint64_t last_ns;   /* the latest release for which it was called */
	uint64_t done_ns;   /* when it had served that */
	uint64_t gone;      /* releases up to that one without a run */
};

/* Start all entries (run and index are set), or none, and wait until each has served its last
 * release. Return 0 or the first error. Context: linux. */
int tactus_tasks_run(struct tactus_entry *entries, unsigned int count);
int tactus_handlers_run(struct tactus_entry *entries, unsigned int count);

/*
 * Call start(entries, count) in a task. It sets the first releases and starts what serves them;
 * under load, the calling thread may get no processor for longer than RUN_SETTLE_NS in between.
 * Returns its result, or the error of making the task. Context: linux.
 */
int tactus_start_in_task(int (*start)(struct tactus_entry *entries, unsigned int count),
			 struct tactus_entry *entries, unsigned int count);

/* Let the run start RUN_SETTLE_NS from now, or as soon after that as avoids an emulator's turns;
 * called by the code that sets the first releases. Context: task, linux. */
void tactus_start_soon(struct latency_run *run);

static inline uint64_t tactus_entry_now_ns(const struct tactus_entry *entry)
{
	return entry->run->options.back_end == LATENCY_BACK_END_SIM ? tact_now().ns
								    : clock_now_ns();
}

/* The instant when its caller began, if the caller does this first. */
static inline uint64_t tactus_entry_first_ns(const struct tactus_entry *entry)
{
	return entry->run->options.back_end == LATENCY_BACK_END_SIM ? tact_now().ns
								    : clock_first_ns();
}

static inline uint64_t tactus_entry_end_ns(const struct tactus_entry *entry)
{
	return entry->run->start_ns + entry->run->options.duration_ns;
}

/* Take the sample of a release, then do the declared work. Context: task, handler. */
static inline void tactus_entry_serve(struct tactus_entry *entry, uint64_t release_ns,
				      uint64_t started_ns, uint64_t skipped)
{
	struct latency_run *run = entry->run;

	turns_mark((unsigned int)run->options.cpu + run->plans[entry->index].cpu,
		   (int64_t)(started_ns - release_ns + run->anticipated_ns));
	samples_push(&run->store, entry->index, release_ns - run->start_ns,
		     (int64_t)(started_ns - release_ns), (uint32_t)skipped);
	if (run->options.back_end == LATENCY_BACK_END_SIM)
		tact_compute(run->plans[entry->index].work_ns);
	else
		taskset_work(run->work_rounds);
}

#endif
