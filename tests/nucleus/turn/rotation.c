/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rotation of a priority: the first ready task goes behind its equals, and nothing else changes. */
#include "test.h"

#include <stdatomic.h>

#include <tactus/sched.h>

static _Atomic int running;
static _Atomic int go_on;
static tact_mutex_t mutex;

static void mark_it(void *arg)
{
	mark(arg);
}

static void spawn_all(uint32_t cpu, tact_task_t *task)
{
	static char *const names[] = {"a", "b", "c"};

	for (int i = 0; i < 3; i++)
		task[i] = test_spawn_on(cpu, 10, mark_it, names[i]);
}

static void join_all(tact_task_t *task)
{
	for (int i = 0; i < 3; i++)
		test_join(task[i]);
}

/* Suspended: creating a task may ask Linux for its stack, and meanwhile others run. */
static tact_task_t make(uint32_t priority, const struct tact_sched_param *sched, char *name)
{
	struct tact_task_attr attr = {.priority = priority,
				      .flags = TACT_TASK_LIGHT | TACT_TASK_SUSPENDED,
				      .sched = sched};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, mark_it, name, &task));
	return task;
}

TASK_TEST(first_of_a_priority_goes_behind_its_equals)
{
	tact_task_t task[] = {make(10, NULL, "a"), make(10, NULL, "b"), make(10, NULL, "c")};

	for (int i = 0; i < 3; i++)
		expect_ok(tact_task_resume(task[i]));
	expect_ok(tact_sched_rotate(TACT_CPU_ANY, 10));
	join_all(task);
	expect_marks("b c a");
}

TASK_TEST(empty_priority_and_a_single_task_stay)
{
	tact_task_t task = make(10, NULL, "a");

	expect_ok(tact_sched_rotate(0, 11));
	expect_ok(tact_sched_rotate(0, TEST_PRIORITY));
	expect_ok(tact_task_resume(task));
	expect_ok(tact_sched_rotate(0, 10));
	expect_ok(tact_sched_rotate(0, TACT_PRIORITY_MIN));
	expect_ok(tact_sched_rotate(0, TACT_PRIORITY_MAX));
	test_join(task);
	expect_marks("a");
}

TASK_TEST(running_task_gives_way_to_its_equal)
{
	tact_task_t task = make(TEST_PRIORITY, NULL, "equal");

	expect_ok(tact_task_resume(task));
	mark("before");
	expect_ok(tact_sched_rotate(TACT_CPU_ANY, TEST_PRIORITY));
	mark("after");
	test_join(task);
	expect_marks("before equal after");
}

TASK_TEST(locked_scheduler_keeps_the_running_task)
{
	tact_task_t task = make(TEST_PRIORITY, NULL, "equal");

	expect_ok(tact_task_resume(task));
	expect_ok(tact_task_lock_scheduler());
	expect_ok(tact_sched_rotate(TACT_CPU_ANY, TEST_PRIORITY));
	mark("locked");
	expect_ok(tact_task_unlock_scheduler());
	mark("after");
	test_join(task);
	expect_marks("locked equal after");
}

static void rotate(void *priority)
{
	expect_ok(tact_sched_rotate(TACT_CPU_ANY, *(uint32_t *)priority));
	go_on = 1;
}

static void compute_and_mark(void *name)
{
	running = 1;
	while (!go_on)
		tact_compute(TEST_MS / 10);
	mark(name);
}

/* As a clock's tick does in other systems. */
TEST(handler_rotates_the_priority_that_runs)
{
	uint32_t priority = 10;
	tact_timer_t timer;
	tact_task_t task[2];

	expect_ok(tact_timer_create(NULL, rotate, &priority, 0, &timer));
	task[0] = test_spawn(10, compute_and_mark, "first");
	while (!running)
		expect_ok(tact_task_inquire(task[0], NULL));
	task[1] = test_spawn(10, compute_and_mark, "second");
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	test_join(task[0]);
	test_join(task[1]);
	expect_marks("second first");
}

static void rotate_cpu_1(void *unused)
{
	(void)unused;
	expect_ok(tact_sched_rotate(1, 10));
}

static void rotate_cpu_1_in_handler(void *unused)
{
	(void)unused;
	test_in_handler(rotate_cpu_1, NULL);
}

static void rotate_cpu_1_in_task(void *unused)
{
	(void)unused;
	test_join(test_spawn(10, rotate_cpu_1, NULL));
}

/* Three tasks are ready behind one that keeps their CPU. */
static void rotate_afar(void (*by)(void *))
{
	tact_task_t task[3];
	tact_task_t keeper = test_spawn_on(1, 20, compute_and_mark, "keeper");

	while (!running)
		expect_ok(tact_task_inquire(keeper, NULL));
	spawn_all(1, task);
	by(NULL);
	settle();
	go_on = 1;
	test_join(keeper);
	join_all(task);
	expect_marks("keeper b c a");
}

TEST_CPUS(2, linux_thread_rotates_afar)
{
	rotate_afar(rotate_cpu_1);
}

TEST_CPUS(2, handler_rotates_afar)
{
	rotate_afar(rotate_cpu_1_in_handler);
}

TEST_CPUS(2, task_rotates_afar)
{
	rotate_afar(rotate_cpu_1_in_task);
}

static void relax_and_rotate(void *unused)
{
	(void)unused;
	expect_ok(tact_task_relax());
	expect_ok(tact_sched_rotate(TACT_CPU_ANY, 10));
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
}

static void by_relaxed(void *unused)
{
	(void)unused;
	test_join(test_spawn_on(1, 30, relax_and_rotate, NULL));
}

TEST_CPUS(2, task_in_secondary_mode_rotates_its_own_cpu)
{
	rotate_afar(by_relaxed);
}

static void lock_and_mark(void *name)
{
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	running = 1;
	while (!go_on)
		tact_compute(TEST_MS / 10);
	mark(name);
	expect_ok(tact_mutex_unlock(mutex));
}

static void lock_it(void *name)
{
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	mark(name);
	expect_ok(tact_mutex_unlock(mutex));
}

/* The owner is in the list of the priority that it inherits. */
TEST(task_counts_by_its_present_priority)
{
	tact_task_t owner, waiter, equal;

	expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &mutex));
	owner = test_spawn(5, lock_and_mark, "owner");
	while (!running)
		expect_ok(tact_task_inquire(owner, NULL));
	waiter = test_spawn(10, lock_it, "waiter");
	test_until_state(waiter, TACT_TASK_STATE_WAITING);
	equal = test_spawn(10, mark_it, "equal");
	expect_ok(tact_sched_rotate(0, 5));
	expect_marks("");
	expect_ok(tact_sched_rotate(0, 10));
	go_on = 1;
	test_join(owner);
	test_join(waiter);
	test_join(equal);
	expect_marks("equal owner waiter");
}

TASK_TEST(tasks_with_deadlines_keep_their_order)
{
	const struct tact_sched_param soon = {.sched_class = TACT_SCHED_EDF,
					      .deadline_ns = 1000 * TEST_MS};
	const struct tact_sched_param later = {.sched_class = TACT_SCHED_EDF,
					       .deadline_ns = 2000 * TEST_MS};
	tact_task_t task[] = {make(10, &soon, "soon"), make(10, &later, "later"),
			      make(10, NULL, "first"), make(10, NULL, "second")};

	for (int i = 0; i < 4; i++)
		expect_ok(tact_task_resume(task[i]));
	expect_ok(tact_sched_rotate(0, 10));
	for (int i = 0; i < 4; i++)
		test_join(task[i]);
	expect_marks("soon later second first");
}

TASK_TEST(what_is_out_of_range_is_refused)
{
	expect_error(tact_sched_rotate(0, 0), TACT_EINVAL);
	expect_error(tact_sched_rotate(0, TACT_PRIORITY_MAX + 1), TACT_EINVAL);
	expect_error(tact_sched_rotate(1, 10), TACT_ENXIO);
	expect_error(tact_sched_rotate(TACT_CPU_ANY - 1, 10), TACT_ENXIO);
}

TEST_UNSTARTED(nothing_rotates_before_the_start)
{
	expect_error(tact_sched_rotate(TACT_CPU_ANY, 10), TACT_EPERM);
	expect_error(tact_sched_rotate(0, 10), TACT_EPERM);
}
