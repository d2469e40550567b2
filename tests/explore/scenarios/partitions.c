/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks of time partitions while the schedule is stopped, changed and started again: no task runs
 * outside a window of its partition, and each comes to its end.
 */
#include "hal/sim.h"

#include "explore/scenario.h"

#define PARTITIONS 3u
#define WINDOWS    4u
#define STEPS      12

static struct tact_partition_window window[WINDOWS];
static uint32_t windows;
static uint64_t frame_ns, begin_ns;
static bool sure;    /* no call that changes the schedule is under way */
static bool started; /* after the last one */
static uint32_t workers_left;

static bool inside(uint64_t offset_ns, uint32_t partition)
{
	for (uint32_t i = 0; i < windows; i++)
		if (window[i].partition == partition && offset_ns >= window[i].offset_ns &&
		    offset_ns <= window[i].offset_ns + window[i].length_ns)
			return true;
	return false;
}

/* The CPU of a running task has handled all due events: no tolerance is needed. */
static void check_window(const struct explore_actor *self)
{
	uint64_t now = hal_sim_now();
	uint64_t offset;

	explore_check(self);
	if (!sure)
		return;
	must(started && now >= begin_ns, "actor %u runs while no schedule does", self->index);
	offset = (now - begin_ns) % frame_ns;
	must(inside(offset, self->number) || (!offset && inside(frame_ns, self->number)),
	     "actor %u of partition %u runs %llu ns after the begin of the frame", self->index,
	     self->number, (unsigned long long)offset);
}

static void work(struct explore_actor *self)
{
	struct tact_sched_param sched = {.sched_class = TACT_SCHED_PARTITION,
					 .partition = self->number};

	must_succeed(tact_task_set_sched(TACT_SELF, &sched));
	for (int i = 0; i < STEPS; i++) {
		check_window(self);
		explore_dawdle(20000);
	}
	check_window(self);
	/* The last stop of the schedule must not find it while it ends. */
	sched.sched_class = TACT_SCHED_FIFO;
	must_succeed(tact_task_set_sched(TACT_SELF, &sched));
	workers_left--;
}

static void disturb(struct explore_actor *self)
{
	while (workers_left) {
		const struct explore_actor *worker = explore_actor(explore_below(self->number));
		int result = 0;

		if (explore_chance(2))
			tact_compute(explore_below(5000));
		else
			result = tact_task_suspend(worker->task);
		if (explore_chance(2))
			explore_pause(20000);
		(void)tact_task_resume(worker->task);
		must(!result || result == -TACT_EBUSY || result == -TACT_EIDRM, "suspend: %d",
		     result);
		explore_check(self);
		explore_pause(50000);
	}
}

/* Every partition has a window; otherwise its tasks would wait for ever. */
static void draw_schedule(void)
{
	uint64_t offset = 0;

	windows = explore_between(PARTITIONS, WINDOWS);
	for (uint32_t i = 0; i < windows; i++) {
		offset += explore_chance(2) ? explore_below(30000) : 0;
		window[i].offset_ns = offset;
		window[i].length_ns = explore_between(1000, 60000);
		window[i].partition = i < PARTITIONS ? i : explore_below(PARTITIONS);
		offset += window[i].length_ns;
	}
	frame_ns = offset + (explore_chance(2) ? explore_below(50000) : 0);
}

static void start_another(void)
{
	int result;

	draw_schedule();
	must_succeed(tact_partition_set(0, window, windows, frame_ns));
	do {
		begin_ns = tact_now().ns + explore_between(1000, 200000);
		sure = false;
		result = tact_partition_start(0, (tact_time_t){begin_ns});
		started = !result;
		sure = true;
		must(!result || result == -TACT_ETIMEDOUT, "start: %d", result);
	} while (result);
}

EXPLORE(partitions, 1, 2, "tasks run in the windows of their partitions, whatever is done to them")
{
	uint32_t workers = explore_between(2, 6);
	struct tact_partition_info info = {0};

	must_succeed(tact_partition_set(0, NULL, 0, 0));
	explore_keep();
	sure = true;
	workers_left = workers;
	for (uint32_t i = 0; i < workers; i++)
		explore_task(EXPLORE_EITHER, 0, explore_between(1, 9), work, i % PARTITIONS);
	for (uint32_t i = explore_below(3); i; i--)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), disturb,
			     workers);
	while (workers_left) {
		start_another();
		tact_compute(explore_between(100000, 1000000));
		if (!explore_chance(3))
			tact_compute(20 * frame_ns);
		sure = false;
		must_succeed(tact_partition_stop(0));
		started = false;
		sure = true;
		must_succeed(tact_partition_inquire(0, &info));
		must_equal(info.active, TACT_PARTITION_NONE);
	}
	must_succeed(tact_partition_set(0, NULL, 0, 0));
}
