/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The peers: the periodic loop in the manner of Linux programs. There is one pinned SCHED_FIFO
 * thread per task, with absolute clock_nanosleep(). The spinning variant (lead > 0) sleeps until
 * `lead` before the release, and then reads the clock until the release has come. It does only
 * these readings, so no such thread can be better.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/clock_first.h"
#include "run.h"

/* A longer step between two readings of the clock was not spun: another thread had the
 * processor. */
#define SPIN_STEP_MAX_NS 2000u

/*
 * The place where tasks wait for each other. The last one to come sets the start, because it has
 * real-time priority, while the thread that makes them may get no processor for longer than
 * RUN_SETTLE_NS.
 */
struct start_line {
	pthread_mutex_t mutex;
	pthread_cond_t moved;
	unsigned int awaited;
	bool off; /* a thread could not be made */
};

struct peer {
	struct latency_run *run;
	struct start_line *line;
	uint32_t index;
	uint64_t lead_ns;
	uint64_t spun_ns;
	pthread_t thread;
};

static void sleep_until(uint64_t time_ns)
{
	const struct timespec deadline = clock_timespec(time_ns);

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL) == EINTR)
		;
}

/* Returns the time at which the task started. */
static uint64_t wait_for_release(struct peer *peer, uint64_t release_ns)
{
	uint64_t now_ns;

	sleep_until(release_ns - peer->lead_ns);
	now_ns = clock_first_ns();
	while (now_ns < release_ns) {
		const uint64_t later_ns = clock_now_ns();

		if (later_ns - now_ns <= SPIN_STEP_MAX_NS)
			peer->spun_ns += later_ns - now_ns;
		now_ns = later_ns;
	}
	return now_ns;
}

/* Returns whether there is a run. */
static bool start_together(struct start_line *line, struct latency_run *run)
{
	bool off;

	(void)pthread_mutex_lock(&line->mutex);
	if (--line->awaited == 0) {
		run->start_ns = clock_now_ns() + RUN_SETTLE_NS;
		(void)pthread_cond_broadcast(&line->moved);
	}
	while (line->awaited > 0 && !line->off)
		(void)pthread_cond_wait(&line->moved, &line->mutex);
	off = line->off;
	(void)pthread_mutex_unlock(&line->mutex);
	return !off;
}

static void call_off(struct start_line *line)
{
	(void)pthread_mutex_lock(&line->mutex);
	line->off = true;
	(void)pthread_cond_broadcast(&line->moved);
	(void)pthread_mutex_unlock(&line->mutex);
}

static void *peer_loop(void *arg)
{
	struct peer *peer = arg;
	struct latency_run *run = peer->run;
	const struct task_plan *plan = &run->plans[peer->index];
	uint64_t release_ns, end_ns;
	uint32_t skipped = 0;

	if (!start_together(peer->line, run))
		return NULL;
	release_ns = run->start_ns + plan->offset_ns;
	end_ns = run->start_ns + run->options.duration_ns;
	while (release_ns < end_ns) {
		const uint64_t now_ns = wait_for_release(peer, release_ns);

		samples_push(&run->store, peer->index, release_ns - run->start_ns,
			     (int64_t)(now_ns - release_ns), skipped);
		taskset_work(run->work_rounds);
		release_ns =
			run_next_release(release_ns, plan->period_ns, clock_now_ns(), &skipped);
	}
	return NULL;
}

int linux_loop_run(struct latency_run *run)
{
	const struct latency_options *options = &run->options;
	struct start_line line = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
				  options->tasks, false};
	struct peer peers[LATENCY_TASKS_MAX];
	uint64_t begin_ns, begin_cpu_ns;
	unsigned int started = 0;
	int error = 0;

	machine_leave_cpu(&run->machine);
	if (samples_start(&run->store) < 0)
		return -1;
	begin_ns = clock_now_ns();
	begin_cpu_ns = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
	for (; started < options->tasks; started++) {
		struct peer *peer = &peers[started];

		*peer = (struct peer){.run = run, .line = &line, .index = started};
		if (options->back_end == LATENCY_BACK_END_LINUX_SPIN)
			peer->lead_ns = options->lead_ns;
		error = machine_thread_start(&run->machine, &peer->thread,
					     options->priority - (int)started, peer_loop, peer);
		if (error != 0) {
			call_off(&line);
			break;
		}
	}
	for (unsigned int i = 0; i < started; i++) {
		(void)pthread_join(peers[i].thread, NULL);
		run->spun_ns += peers[i].spun_ns;
	}
	run->wall_ns = clock_now_ns() - begin_ns;
	run->cpu_ns = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID) - begin_cpu_ns;
	if (error == 0)
		return 0;
	fprintf(stderr,
		"tactus-latency: no thread for task %u: %s: raise `ulimit -u` and `ulimit "
		"-l`, or measure fewer tasks\n",
		started, strerror(error));
	return -1;
}
