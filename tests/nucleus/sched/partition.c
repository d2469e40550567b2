/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Time partitions: which task runs when, and what the calls refuse. */
#include "at.h"

static const struct tact_partition_window schedule[] = {
	{.offset_ns = 0, .length_ns = 3 * TEST_MS, .partition = 1},
	{.offset_ns = 3 * TEST_MS, .length_ns = 2 * TEST_MS, .partition = 2},
	{.offset_ns = 7 * TEST_MS, .length_ns = TEST_MS, .partition = 1},
};
#define WINDOWS 3
#define FRAME   (10 * TEST_MS)

static tact_task_t spawn(uint32_t partition, void (*entry)(void *), void *arg)
{
	struct tact_sched_param sched = {.sched_class = TACT_SCHED_PARTITION,
					 .partition = partition};

	return spawn_as(&sched, 20, entry, arg);
}

static void mark_it(void *arg)
{
	mark(arg);
}

TASK_TEST(tasks_run_in_their_windows_only)
{
	struct tact_partition_info info = {0};
	tact_task_t one = spawn(1, compute_for_ever, NULL);
	tact_task_t two = spawn(2, compute_for_ever, NULL);
	tact_task_t three = spawn(3, mark_it, "not-reached");

	need_exact();
	expect_ok(tact_partition_set(0, schedule, WINDOWS, FRAME));
	expect_eq(info_of(one).state, TACT_TASK_STATE_THROTTLED);
	start = tact_time_add(tact_now(), TEST_MS);
	expect_ok(tact_partition_start(0, start));
	expect_ok(tact_partition_inquire(0, &info));
	expect_eq(info.running, 1);
	expect_eq(info.active, TACT_PARTITION_NONE);
	expect_eq(info.frames, 0);
	at(2 * TEST_MS);
	expect_eq(info_of(one).state, TACT_TASK_STATE_READY);
	expect_eq(info_of(two).state, TACT_TASK_STATE_THROTTLED);
	expect_ok(tact_partition_inquire(0, &info));
	expect_eq(info.active, 1);
	at(4 * TEST_MS);
	expect_run(one, 3 * TEST_MS);
	expect_eq(info_of(one).state, TACT_TASK_STATE_THROTTLED);
	expect_eq(info_of(two).state, TACT_TASK_STATE_READY);
	at(6 * TEST_MS);
	expect_ok(tact_partition_inquire(0, &info));
	expect_eq(info.active, TACT_PARTITION_NONE);
	expect_run(two, 2 * TEST_MS);
	at(9 * TEST_MS);
	expect_run(one, 4 * TEST_MS);
	at(39 * TEST_MS);
	expect_run(one, 16 * TEST_MS);
	expect_run(two, 8 * TEST_MS);
	expect_ok(tact_partition_inquire(0, &info));
	expect_eq(info.frames, 4);
	expect_eq(info.windows, WINDOWS);
	expect_eq(info.frame_ns, FRAME);
	at(41 * TEST_MS);
	expect_ok(tact_partition_stop(0));
	expect_eq(info_of(one).state, TACT_TASK_STATE_THROTTLED);
	expect_marks("");
	expect_ok(tact_task_delete(one));
	expect_ok(tact_task_delete(two));
	expect_ok(tact_task_delete(three));
}

static void three_parts(void *arg)
{
	for (int i = 0; i < 3; i++) {
		mark(arg);
		tact_compute(TEST_MS);
	}
}

TASK_TEST(order_is_kept_over_the_windows)
{
	tact_task_t a = spawn(1, three_parts, "a");
	tact_task_t b = spawn(1, three_parts, "b");
	struct tact_partition_window window = {0, 2 * TEST_MS, 1, 0};

	expect_ok(tact_partition_set(0, &window, 1, 10 * TEST_MS));
	expect_ok(tact_partition_start(0, (tact_time_t){0}));
	test_join(a);
	test_join(b);
	expect_marks("a a a b b b");
	expect_ok(tact_partition_stop(0));
}

TASK_TEST(waits_go_on_outside_the_window)
{
	struct tact_partition_window window = {TEST_MS, 2 * TEST_MS, 1, 0};
	tact_task_t task = spawn(1, mark_it, "ran");
	tact_task_t gone = spawn(1, compute_for_ever, NULL);

	/* Deleted, suspended and moved to another class while throttled. */
	expect_ok(tact_task_delete(gone));
	expect_ok(tact_task_suspend(task));
	expect_eq(info_of(task).state, TACT_TASK_STATE_THROTTLED | TACT_TASK_STATE_SUSPENDED);
	expect_ok(tact_partition_set(0, &window, 1, 5 * TEST_MS));
	expect_ok(tact_partition_start(0, (tact_time_t){0}));
	expect_ok(tact_task_sleep(6 * TEST_MS));
	expect_marks("");
	expect_ok(tact_partition_stop(0));
	expect_ok(tact_task_resume(task));
	expect_eq(info_of(task).state, TACT_TASK_STATE_THROTTLED);
	expect_ok(tact_task_set_sched(task,
				      &(struct tact_sched_param){.sched_class = TACT_SCHED_FIFO}));
	expect_eq(info_of(task).state, TACT_TASK_STATE_READY);
	test_join(task);
	expect_marks("ran");
}

TASK_TEST_CPUS(2, task_is_bound_to_its_cpu)
{
	tact_task_t task = spawn(1, mark_it, "ran");

	expect_error(tact_task_migrate(task, 1), TACT_EBUSY);
	expect_ok(tact_task_migrate(task, 0));
	expect_ok(tact_task_delete(task));
}

TASK_TEST(windows_are_checked)
{
	static const struct tact_partition_window good = {0, TEST_MS, 31, 0};
	static const struct {
		struct tact_partition_window window[2];
		uint32_t count;
		uint64_t frame_ns;
	} bad[] = {
		{{{0, TEST_MS, 1, 0}, {TEST_MS / 2, TEST_MS, 2, 0}}, 2, FRAME}, /* they overlap */
		{{{TEST_MS, TEST_MS, 1, 0}, {0, TEST_MS, 2, 0}}, 2, FRAME},     /* out of order */
		{{{0, TEST_MS, 1, 0}}, 0, FRAME},
		{{{0, TEST_MS, 1, 0}}, 65, FRAME},
		{{{0, TEST_MS, 1, 0}}, 1, TEST_MS - 1}, /* beyond the frame */
		{{{0, 999, 1, 0}}, 1, 999},
		{{{0, TEST_MS, 1, 0}}, 1, UINT64_MAX},
		{{{0, TEST_MS, 32, 0}}, 1, FRAME},
		{{{0, TEST_MS, 1, 1}}, 1, FRAME}, /* reserved is not 0 */
		{{{0, 999, 1, 0}}, 1, FRAME},
		{{{5, UINT64_MAX, 1, 0}}, 1, FRAME},
		{{{UINT64_MAX, TEST_MS, 1, 0}}, 1, FRAME},
	};

	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		expect_error(tact_partition_set(0, bad[i].window, bad[i].count, bad[i].frame_ns),
			     TACT_EINVAL);
	expect_error(tact_partition_set(0, NULL, 1, FRAME), TACT_EINVAL);
	expect_error(tact_partition_set(1, &good, 1, FRAME), TACT_ENXIO);
	expect_error(tact_partition_start(1, (tact_time_t){0}), TACT_ENXIO);
	expect_error(tact_partition_stop(1), TACT_ENXIO);
	expect_error(tact_partition_inquire(1, NULL), TACT_ENXIO);
}

TASK_TEST(a_schedule_is_started_once_and_changed_while_it_rests)
{
	static const struct tact_partition_window window = {0, TEST_MS, 31, 0};
	const tact_time_t now = {0};

	expect_error(tact_partition_start(0, now), TACT_ESRCH);
	expect_ok(tact_partition_stop(0));
	expect_ok(tact_partition_set(0, &window, 1, FRAME));
	expect_error(tact_partition_start(0, (tact_time_t){1}), TACT_ETIMEDOUT);
	expect_ok(tact_partition_start(0, now));
	expect_error(tact_partition_start(0, now), TACT_EBUSY);
	expect_error(tact_partition_set(0, NULL, 0, 0), TACT_EBUSY);
	expect_ok(tact_partition_stop(0));
	expect_ok(tact_partition_set(0, NULL, 0, 0));
	expect_error(tact_partition_start(0, now), TACT_ESRCH);
	expect_ok(tact_partition_inquire(0, NULL));
}

TEST_UNSTARTED(partitions_want_a_start)
{
	expect_error(tact_partition_set(0, schedule, WINDOWS, FRAME), TACT_EPERM);
	expect_error(tact_partition_start(0, (tact_time_t){0}), TACT_EPERM);
	expect_error(tact_partition_stop(0), TACT_EPERM);
	expect_error(tact_partition_inquire(0, NULL), TACT_EPERM);
}

static void set_in_handler(void *arg)
{
	int *result = arg;

	result[0] = tact_partition_set(0, schedule, WINDOWS, FRAME);
	result[1] = tact_partition_start(0, (tact_time_t){0});
	result[2] = tact_partition_stop(0);
	result[3] = tact_partition_inquire(0, NULL);
	result[4] = tact_quota_create(NULL, TEST_MS, TEST_MS / 2, 0, 0, NULL);
}

TEST(handler_may_only_inquire)
{
	int result[5];

	test_in_handler(set_in_handler, result);
	expect_error(result[0], TACT_EPERM);
	expect_error(result[1], TACT_EPERM);
	expect_error(result[2], TACT_EPERM);
	expect_ok(result[3]);
	expect_error(result[4], TACT_EPERM);
}

#define EARLY_NS 20000u
#define FRAMES   50u
#define FRAME_NS (20 * EARLY_NS)

static char reason[TACT_REASON_BYTES];
static tact_sem_t sem;

/* 160 us in a frame for the one and 180 for the other, with gaps of which one is next to nothing.
 */
static const struct tact_partition_window small[] = {
	{.offset_ns = 0, .length_ns = 4 * EARLY_NS, .partition = 1},
	{.offset_ns = 4 * EARLY_NS, .length_ns = 5 * EARLY_NS, .partition = 2},
	{.offset_ns = 10 * EARLY_NS, .length_ns = 4 * EARLY_NS, .partition = 2},
	{.offset_ns = 14 * EARLY_NS + 10, .length_ns = 4 * EARLY_NS, .partition = 1},
};
#define SMALL (sizeof(small) / sizeof(small[0]))

/* The length of one computation is the delay that it may have at the end of a window. */
static void stay_inside(void *partition)
{
	for (;;) {
		uint64_t now_ns = tact_now().ns - start.ns;
		uint64_t at_ns = now_ns % FRAME_NS;
		unsigned i = 0;

		while (i < SMALL && (small[i].partition != (uint32_t)(uintptr_t)partition ||
				     at_ns < small[i].offset_ns ||
				     at_ns > small[i].offset_ns + small[i].length_ns + 1000))
			i++;
		if (i == SMALL)
			test_fail(__FILE__, __LINE__, "a task runs %llu ns after the start",
				  (unsigned long long)now_ns);
		tact_compute(1000);
	}
}

/* Events from other CPUs also come when windows are about to end. */
static void post_often(void *unused)
{
	(void)unused;
	for (;;) {
		(void)tact_sem_post(sem);
		(void)tact_sem_wait(sem, TACT_NOWAIT);
		tact_compute(EARLY_NS / 3);
	}
}

static void watch_parts(void *unused)
{
	tact_task_t one, two;

	(void)unused;
	start = tact_time_add(tact_now(), TEST_MS);
	one = spawn(1, stay_inside, (void *)1);
	two = spawn(2, stay_inside, (void *)2);
	expect_ok(tact_partition_set(0, small, SMALL, FRAME_NS));
	expect_ok(tact_partition_start(0, start));
	/* In the gap at the end, because a wake-up takes time. */
	for (uint64_t i = 0; i < FRAMES; i++) {
		at(i * FRAME_NS + 19 * EARLY_NS + EARLY_NS / 2);
		expect_run(one, (i + 1) * 8 * EARLY_NS);
		expect_run(two, (i + 1) * 9 * EARLY_NS);
	}
	expect_ok(tact_partition_stop(0));
	expect_ok(tact_task_delete(one));
	expect_ok(tact_task_delete(two));
}

static void expect_parts(uint32_t cpus)
{
	tact_task_t poster = {0};

	need_exact();
	expect_ok(test_start(&(struct tact_config){.cpus = cpus, .gravity.preempt_ns = EARLY_NS},
			     reason));
	expect_ok(tact_sem_create(NULL, 0, 10, TACT_ON_CPU(0), &sem));
	if (cpus > 1)
		poster = test_spawn_on(1, 20, post_often, NULL);
	test_join(test_spawn_on(0, 60, watch_parts, NULL));
	if (poster.id)
		expect_ok(tact_task_delete(poster));
	expect_ok(tact_stop());
}

TEST_UNSTARTED(smallest_windows_have_their_length)
{
	expect_parts(1);
}

TEST_UNSTARTED(events_from_afar_end_no_window_early)
{
	expect_parts(2);
}
