/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The loop as two tasks. The control task runs at 10 kHz and never asks Linux for anything; what it
 * has to say it leaves in a buffer. The log task takes it from there and writes it to disk: each
 * write moves it to secondary mode, where Linux runs it, and the control task never waits for that.
 */
#define _GNU_SOURCE
#include <unistd.h>

#include <tactus/tact.h>

#include "back_ends.h"

#define BATCH 256u
#define KEPT  50000u /* turns that wait for the log: five seconds of a disk that does not answer */

struct work {
	uint32_t turns;
	FILE *log;
	struct result *result;
	tact_buffer_t records;
	int failed;
};

static void control(void *arg)
{
	struct work *work = arg;
	struct result *result = work->result;
	tact_time_t release = tact_time_add(tact_now(), TACT_MS(1));
	uint64_t missed;

	work->failed = tact_task_set_periodic(TACT_SELF, release, BALL_PERIOD_NS);
	loop_init(&result->loop, tact_now().ns);
	while (!work->failed && result->loop.turns < work->turns) {
		int waited = tact_task_wait_period(&missed, &release);
		struct turn turn;

		if (waited == -TACT_ETIMEDOUT)
			result->overruns += missed;
		else if (waited)
			work->failed = waited;
		turn = loop_turn(&result->loop, release.ns, tact_now().ns);
		/* Never waits for the log. */
		if (tact_buffer_write(work->records, &turn, sizeof(turn), TACT_BUFFER_WHOLE,
				      TACT_NOWAIT) < 0)
			result->dropped_records++;
	}
}

static void write_log(void *arg)
{
	struct work *work = arg;
	struct turn batch[BATCH];
	int bytes;

	/* Ends when the buffer is deleted. What is there is taken; one turn is waited for. */
	while ((bytes = tact_buffer_read(work->records, batch, sizeof(batch), TACT_BUFFER_PARTIAL,
					 TACT_FOREVER)) > 0) {
		for (uint32_t i = 0; i < (uint32_t)bytes / sizeof(batch[0]); i++)
			log_turn(work->log, &batch[i]);
		/* To Linux and back: once a batch. */
		fflush(work->log);
		if (tact_task_sleep(TACT_MS(10)))
			break;
	}
}

static int run_tasks(struct work *work)
{
	struct tact_task_attr fast = {.name = "control", .priority = 90};
	struct tact_task_attr slow = {.name = "log", .priority = 10, .stack_bytes = 131072};
	struct tact_buffer_info left;
	struct tact_task_info info;
	tact_task_t control_task, log_task;

	if (tact_buffer_create("records", KEPT * sizeof(struct turn), TACT_FIFO, &work->records) ||
	    tact_task_spawn(&slow, write_log, work, &log_task) ||
	    tact_task_create(&fast, &control_task) || tact_task_start(control_task, control, work))
		return 1;
	if (tact_task_join(control_task, TACT_FOREVER))
		return 1;
	do {
		usleep(1000);
		if (tact_buffer_inquire(work->records, &left))
			return 1;
	} while (left.used);
	/* Deleted while the task writes its last batch: it finds out at its next read. */
	if (tact_task_inquire(log_task, &info) || tact_buffer_delete(work->records) ||
	    tact_task_join(log_task, TACT_FOREVER))
		return 1;
	work->result->log_switches = info.mode_switches;
	return work->failed != 0;
}

int run_tactus(uint32_t turns, FILE *log, struct result *result)
{
	struct tact_config config = {.name = "maglev", .pool_bytes = 8u << 20};
	struct work work = {.turns = turns, .log = log, .result = result};
	char reason[TACT_REASON_BYTES];
	int failed = tact_start(&config, reason);

	if (reason[0])
		fprintf(stderr, "maglev: %s\n", reason);
	if (failed)
		return 1;
	failed = run_tasks(&work);
	return tact_stop() || failed;
}
