/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The priority at which tasks that are woken together are told: a more urgent task runs before, a
 * less urgent one finds them ready. The tasks:
 *
 *   low      many, of priority 10
 *   between  of 20: at its turn it says whether the last of the low ones has been told
 *   high     six, of 30, more than are told at once
 *   boss     or the body, of 50, wakes all of them
 */
#include "test.h"

#include <tactus/cond.h>
#include <tactus/mutex.h>

#define MANY    60u
#define FEW     6u
#define LOW     10u
#define BETWEEN 20u
#define HIGH    30u

static tact_sem_t many, few, gate;
static tact_task_t low[MANY], between;
static uint32_t low_told, high_told;
static uint64_t computed_ns;
static bool (*untold)(void);

static void wait_low(void *unused)
{
	(void)unused;
	expect_ok(tact_sem_wait(many, TEST_LONG));
	low_told++;
}

static void wait_high(void *sem)
{
	expect_ok(tact_sem_wait(*(tact_sem_t *)sem, TEST_LONG));
	high_told++;
}

static bool last_waits(void)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(low[MANY - 1], &info));
	return info.state & TACT_TASK_STATE_WAITING;
}

static void be_between(void *unused)
{
	(void)unused;
	expect_ok(tact_sem_wait(gate, TEST_LONG));
	mark(untold() ? "untold" : "told");
	tact_compute(10 * TEST_MS);
	computed_ns = tact_now().ns;
}

static uint64_t woken_ns;

static void wait_and_note(void *unused)
{
	(void)unused;
	expect_ok(tact_sem_wait(many, TEST_LONG));
	woken_ns = tact_now().ns;
}

static void begin(uint32_t flags)
{
	expect_ok(tact_sem_create(NULL, 0, 1, flags, &many));
	expect_ok(tact_sem_create(NULL, 0, 1, flags, &few));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &gate));
	untold = last_waits;
	between = test_spawn_light(BETWEEN, be_between, NULL);
	for (uint32_t i = 0; i < MANY; i++)
		low[i] = test_spawn_light(LOW, wait_low, NULL);
	test_until_state(low[MANY - 1], TACT_TASK_STATE_WAITING);
}

static void begin_high(tact_sem_t *sem)
{
	tact_task_t last = {0};

	for (uint32_t i = 0; i < FEW; i++)
		last = test_spawn_light(HIGH, wait_high, sem);
	test_until_state(last, TACT_TASK_STATE_WAITING);
}

static void let_all_run(uint32_t low_ones)
{
	expect_ok(tact_task_join(between, TEST_LONG));
	/* Sleeping also lets Linux's thread run. */
	for (int i = 0; i < 1000 && low_told < low_ones; i++)
		expect_error(tact_sem_wait(gate, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	expect_eq(low_told, low_ones);
}

TASK_TEST(more_urgent_batch_is_told_before_an_earlier_one)
{
	begin(TACT_FIFO);
	begin_high(&few);
	expect_eq(tact_sem_broadcast(many), MANY);
	expect_ok(tact_sem_post(gate));
	expect_eq(tact_sem_broadcast(few), FEW);
	expect_ok(tact_task_sleep(TEST_MS));
	expect_eq(high_told, FEW);
	expect_eq(low_told, 0);
	expect_marks("untold");
	let_all_run(MANY);
}

TASK_TEST(batch_by_priority_falls_with_those_who_are_left)
{
	begin(TACT_PRIO);
	begin_high(&many);
	expect_eq(tact_sem_broadcast(many), MANY + FEW);
	expect_ok(tact_sem_post(gate));
	expect_ok(tact_task_sleep(TEST_MS));
	expect_eq(high_told, FEW);
	expect_marks("untold");
	let_all_run(MANY);
}

static void serve_high(tact_sem_t *sem)
{
	begin_high(sem);
	for (uint32_t i = 0; i < FEW; i++)
		expect_ok(tact_sem_post(*sem));
	expect_ok(tact_task_sleep(TEST_MS));
	expect_eq(high_told, FEW);
}

TASK_TEST(who_has_left_a_queue_by_priority_demands_nothing)
{
	begin(TACT_PRIO);
	serve_high(&many);
	expect_eq(tact_sem_broadcast(many), MANY);
	expect_ok(tact_sem_post(gate));
	let_all_run(MANY);
	expect_marks("untold");
}

/* The result of the very last one is known. */
static bool last_but_one_waits(void)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(low[MANY - 2], &info));
	return info.state & TACT_TASK_STATE_WAITING;
}

TASK_TEST(who_has_left_a_queue_in_order_of_arrival_demands_nothing)
{
	tact_task_t task;

	begin(TACT_FIFO);
	untold = last_but_one_waits;
	task = test_spawn_light(TEST_PRIORITY - 1, wait_and_note, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_delete(task));
	expect_eq(tact_sem_broadcast(many), MANY);
	expect_ok(tact_sem_post(gate));
	let_all_run(MANY);
	expect_marks("untold");
}

static char order[2 * MANY + FEW + 1];
static uint32_t ordered;

static void wait_in_order(void *sem)
{
	const bool first = sem == &many;

	expect_ok(tact_sem_wait(*(tact_sem_t *)sem, TEST_LONG));
	order[ordered++] = first ? 'a' : 'b';
}

/* Also if the first one has been more urgent. */
TASK_TEST(batches_of_one_level_are_told_as_they_were_made)
{
	tact_task_t last = {0};

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO, &many));
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO, &few));
	for (uint32_t i = 0; i < 12; i++)
		last = test_spawn_light(LOW, wait_in_order, i % 2 ? &many : &few);
	for (uint32_t i = 0; i < 10; i++)
		last = test_spawn_light(HIGH, wait_in_order, &many);
	test_until_state(last, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_sleep(TEST_MS));
	expect_eq(tact_sem_broadcast(many), 16);
	expect_eq(tact_sem_broadcast(few), 6);
	expect_ok(tact_task_sleep(TEST_MS));
	/* A piece of the second, two, is ready when its broadcast returns. */
	expect_str(order, "aaaaaaaaaabbaaaaaabbbb");
}

static tact_mutex_t mutex;
static tact_cond_t cond;

static void wait_cond(void *unused)
{
	(void)unused;
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	/* The first is boosted meanwhile. */
	expect_ok(tact_sem_wait(few, TEST_LONG));
	expect_ok(tact_cond_wait(cond, mutex, TEST_LONG));
	low_told++;
	expect_ok(tact_mutex_unlock(mutex));
}

static void lock_once(void *unused)
{
	(void)unused;
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	expect_ok(tact_mutex_unlock(mutex));
	high_told++;
}

/* The first of them has the mutex; a task that has been told waits for it. */
static bool few_wait_for_the_mutex(void)
{
	struct tact_mutex_info info = {0};

	expect_ok(tact_mutex_inquire(mutex, &info));
	return info.waiters < FEW;
}

TASK_TEST(condition_knows_nothing_of_a_boost_that_ended_with_the_mutex)
{
	begin(TACT_FIFO);
	untold = few_wait_for_the_mutex;
	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex));
	expect_ok(tact_cond_create(NULL, TACT_FIFO, &cond));
	for (uint32_t i = 0; i < MANY; i++) {
		expect_ok(tact_task_delete(low[i]));
		low[i] = test_spawn_light(LOW, wait_cond, NULL);
		test_until_state(low[i], TACT_TASK_STATE_WAITING);
		test_until_state(test_spawn_light(HIGH, lock_once, NULL), TACT_TASK_STATE_WAITING);
		expect_ok(tact_sem_post(few));
		expect_ok(tact_task_sleep(TEST_MS));
		expect_eq(high_told, i + 1);
	}
	expect_eq(tact_cond_broadcast(cond), MANY);
	expect_ok(tact_sem_post(gate));
	let_all_run(MANY);
	expect_marks("untold");
}

static void be_boss(void *unused)
{
	(void)unused;
	expect_ok(tact_task_sleep(10 * TEST_MS));
	expect_ok(tact_sem_post(gate));
	expect_true(tact_sem_broadcast(many) >= (int)MANY);
}

/* Linux's thread waits behind all of them. */
TEST(linux_thread_is_told_at_once_and_lends_the_others_nothing)
{
	begin(TACT_FIFO);
	(void)test_spawn_light(TEST_PRIORITY, be_boss, NULL);
	expect_ok(tact_sem_wait(many, TEST_LONG));
	expect_marks("untold");
	expect_eq(computed_ns, 0);
	let_all_run(MANY);
}

static tact_task_t begin_behind(uint32_t cpu)
{
	tact_task_t task = test_spawn_on(cpu, LOW, wait_and_note, NULL);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	return task;
}

static void expect_woken_at_once(tact_task_t task)
{
	test_join(task);
	let_all_run(MANY);
	expect_marks("untold");
	expect_true(woken_ns < computed_ns);
}

TEST_CPUS(2, task_of_another_cpu_is_told_at_once_and_lends_the_others_nothing)
{
	tact_task_t task;

	begin(TACT_PRIO);
	task = begin_behind(1);
	(void)test_spawn_light(TEST_PRIORITY, be_boss, NULL);
	expect_woken_at_once(task);
}

TEST_CPUS(2, waiter_that_has_migrated_is_told_at_once)
{
	tact_task_t task;

	begin(TACT_FIFO);
	task = begin_behind(0);
	expect_ok(tact_task_migrate(task, 1));
	(void)test_spawn_light(TEST_PRIORITY, be_boss, NULL);
	expect_woken_at_once(task);
}

static void be_boss_and_say_so(void *unused)
{
	be_boss(unused);
	expect_ok(tact_sem_post(few));
}

TEST_CPUS(2, waiter_that_migrates_before_it_is_told_is_told_then)
{
	tact_task_t task;

	begin(TACT_PRIO);
	task = begin_behind(0);
	(void)test_spawn_light(TEST_PRIORITY, be_boss_and_say_so, NULL);
	expect_ok(tact_sem_wait(few, TEST_LONG));
	expect_eq(woken_ns, 0);
	expect_ok(tact_task_migrate(task, 1));
	expect_woken_at_once(task);
}

static void raise_one(uint32_t flags, uint32_t which)
{
	begin(flags);
	expect_eq(tact_sem_broadcast(many), MANY);
	expect_ok(tact_sem_post(gate));
	expect_ok(tact_task_set_priority(low[which], HIGH, 0, NULL));
	expect_ok(tact_task_sleep(TEST_MS));
	expect_eq(low_told, 1);
	expect_marks("untold");
	let_all_run(MANY);
}

TASK_TEST(raised_waiter_is_told_before_the_others)
{
	raise_one(TACT_PRIO, MANY / 2);
}

TASK_TEST(raised_waiter_leaves_those_who_came_before_it_where_they_are)
{
	raise_one(TACT_FIFO, MANY / 2);
}

TASK_TEST(lowered_waiter_keeps_nobody_behind_it)
{
	begin(TACT_PRIO);
	expect_eq(tact_sem_broadcast(many), MANY);
	for (uint32_t i = 4; i < MANY; i += 2)
		expect_ok(tact_task_set_priority(low[i], 1, 0, NULL));
	/* The last is one of those that have not been lowered. */
	expect_ok(tact_task_set_priority(between, 5, 0, NULL));
	expect_ok(tact_sem_post(gate));
	expect_ok(tact_task_sleep(TEST_MS));
	expect_marks("told");
	expect_eq(low_told, MANY / 2 + 2);
	let_all_run(MANY);
}

/* They come to be ready after its deadline, which counts from the broadcast. */
static void job_begins_with_the_broadcast(const struct tact_sched_param *param)
{
	struct tact_task_attr attr = {.sched = param, .priority = LOW, .flags = TACT_TASK_LIGHT};
	struct tact_task_info info = {0};
	tact_task_t task;

	begin(TACT_FIFO);
	expect_ok(tact_task_spawn(&attr, wait_low, NULL, &task));
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_sleep(50 * TEST_MS));
	expect_eq(tact_sem_broadcast(many), MANY + 1);
	expect_ok(tact_sem_post(gate));
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.deadlines_missed, 0);
	expect_ok(tact_task_set_priority(task, LOW - 1, 0, NULL));
	let_all_run(MANY + 1);
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.deadlines_missed, 1);
	test_join(task);
}

TASK_TEST(job_by_deadline_begins_with_the_broadcast)
{
	job_begins_with_the_broadcast(&(struct tact_sched_param){.sched_class = TACT_SCHED_EDF,
								 .deadline_ns = 5 * TEST_MS});
}

TASK_TEST(job_of_a_bandwidth_server_begins_with_the_broadcast)
{
	job_begins_with_the_broadcast(&(struct tact_sched_param){.sched_class = TACT_SCHED_CBS,
								 .budget_ns = 2 * TEST_MS,
								 .deadline_ns = 5 * TEST_MS,
								 .replenish_ns = 5 * TEST_MS});
}

#define ROUNDS 70000u

static void wait_again(void *unused)
{
	(void)unused;
	while (!tact_sem_wait(many, TEST_LONG))
		high_told++;
}

/* While more urgent tasks are told again and again. */
TASK_TEST(batch_is_not_lost_however_many_come_and_go)
{
	tact_task_t last = {0};

	begin(TACT_PRIO);
	for (uint32_t i = 0; i < FEW; i++)
		last = test_spawn_light(TEST_PRIORITY + 1, wait_again, NULL);
	test_until_state(last, TACT_TASK_STATE_WAITING);
	expect_eq(tact_sem_broadcast(many), FEW + MANY);
	for (uint32_t i = 0; i < ROUNDS; i++)
		expect_eq(tact_sem_broadcast(many), FEW);
	expect_eq(high_told, FEW * (ROUNDS + 1));
	expect_ok(tact_sem_post(gate));
	let_all_run(MANY);
	expect_marks("untold");
	expect_ok(tact_sem_delete(many));
}
