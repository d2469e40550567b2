/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Choices among objects of several real-time CPUs: by tasks of any CPU, which may move meanwhile,
 * and by Linux threads. */
#include "choice.h"

#define CPUS   3u
#define SEMS   9u /* CPU 0, 1, 2, 0, ... */
#define ROUNDS 60u

static tact_sem_t sem[SEMS];
static uint32_t sems;
static tact_timeout_t timeout;
static int result;
static uint32_t taken_index;

static void make(uint32_t count)
{
	sems = count;
	timeout = TEST_LONG;
	for (uint32_t i = 0; i < count; i++)
		expect_ok(tact_sem_create(NULL, 0, 1000, TACT_ON_CPU(i % CPUS) | (i & 1), &sem[i]));
}

/* Returns the index, or an error. */
static int choose(void)
{
	struct tact_wait_item item[SEMS], *taken;
	int error;

	for (uint32_t i = 0; i < sems; i++)
		item[i] = tact_wait_sem(sem[i], i);
	error = tact_wait_any(item, sems, timeout, &taken);
	taken_index = taken ? (uint32_t)taken->cookie : UINT32_MAX;
	return error ? error : (int)taken->cookie;
}

static void choose_in_task(void *unused)
{
	(void)unused;
	result = choose();
}

static tact_task_t chooser(uint32_t cpu)
{
	tact_task_t task = test_spawn_on(cpu, 10, choose_in_task, NULL);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	/* Also at the last object. */
	settle();
	return task;
}

TEST_CPUS(CPUS, unit_of_any_cpu_ends_the_wait)
{
	make(SEMS);
	for (uint32_t cpu = 0; cpu < CPUS; cpu++)
		for (uint32_t i = 0; i < SEMS; i++) {
			tact_task_t task = chooser(cpu);

			expect_ok(tact_sem_post(sem[i]));
			test_join(task);
			expect_eq(result, i);
			expect_nobody_waits(sem, SEMS);
			expect_eq(value_of(sem[i]), 0);
		}
}

TEST_CPUS(CPUS, first_item_that_is_ready_is_taken_wherever_it_is)
{
	make(SEMS);
	for (uint32_t i = 0; i < SEMS; i++)
		expect_ok(tact_sem_post(sem[i]));
	for (uint32_t i = 0; i < SEMS; i++) {
		if (i & 1)
			timeout = TACT_NOWAIT;
		expect_eq(choose(), i);
		expect_eq(value_of(sem[i]), 0);
		if (i + 1 < SEMS)
			expect_eq(value_of(sem[i + 1]), 1);
	}
	timeout = TACT_NOWAIT;
	expect_error(choose(), TACT_EAGAIN);
	timeout = tact_in(0);
	expect_error(choose(), TACT_ETIMEDOUT);
	expect_nobody_waits(sem, SEMS);
}

static void post(void *index)
{
	expect_ok(tact_sem_post(sem[(uintptr_t)index]));
}

TEST_CPUS(CPUS, linux_thread_chooses_among_cpus)
{
	make(SEMS);
	for (uint32_t i = 0; i < SEMS; i++) {
		tact_task_t task = test_spawn_on((i + 1) % CPUS, 10, post, (void *)(uintptr_t)i);

		expect_eq(choose(), i);
		test_join(task);
	}
	timeout = tact_in(TEST_MS);
	expect_error(choose(), TACT_ETIMEDOUT);
	expect_nobody_waits(sem, SEMS);
}

static void wait_ends(uint32_t from, bool moves, int how)
{
	tact_task_t task;

	make(5);
	if (how == 0)
		timeout = tact_in(20 * TEST_MS);
	task = chooser(from);
	if (moves) {
		expect_ok(tact_task_migrate(task, (from + 1) % CPUS));
		expect_ok(tact_task_migrate(task, from));
		expect_ok(tact_task_migrate(task, (from + 2) % CPUS));
		expect_ok(tact_task_set_priority(task, 40, 0, NULL));
	}
	if (how == 1)
		expect_ok(tact_task_unblock(task, 0));
	else if (how == 2)
		expect_ok(tact_sem_delete(sem[4]));
	else if (how == 3)
		expect_ok(tact_sem_post(sem[2]));
	else if (how == 4)
		expect_ok(tact_task_delete(task));
	(void)tact_task_join(task, TEST_LONG);
	settle();
	expect_nobody_waits(sem, 4);
	if (how == 0)
		expect_error(result, TACT_ETIMEDOUT);
	else if (how == 1)
		expect_error(result, TACT_ECANCELED);
	else if (how == 2)
		expect_error(result, TACT_EIDRM);
	else if (how == 3)
		expect_eq(result, 2);
	if (how < 4)
		expect_eq(taken_index, how == 2 ? 4 : how == 3 ? 2 : UINT32_MAX);
}

TEST_CPUS(CPUS, wait_ends_by_anything_on_any_cpu)
{
	for (int how = 0; how < 5; how++)
		for (uint32_t from = 0; from < CPUS; from++)
			wait_ends(from, false, how);
}

TEST_CPUS(CPUS, wait_of_a_task_that_moves_ends_by_anything)
{
	for (int how = 0; how < 5; how++)
		for (uint32_t from = 0; from < CPUS; from++)
			wait_ends(from, true, how);
}

static void choose_last(void *name)
{
	struct tact_wait_item item[2] = {tact_wait_sem(sem[0], 0), tact_wait_sem(sem[1], 1)};

	expect_ok(tact_wait_any(item, 2, TEST_LONG, NULL));
	mark(name);
}

/* By priority: sem[1], of CPU 1. */
TEST_CPUS(CPUS, new_priority_reaches_the_queues_of_other_cpus)
{
	tact_task_t task[2];

	make(2);
	task[0] = test_spawn_on(0, 10, choose_last, "first");
	test_until_state(task[0], TACT_TASK_STATE_WAITING);
	task[1] = test_spawn_on(2, 20, choose_last, "second");
	test_until_state(task[1], TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_migrate(task[0], 2));
	expect_ok(tact_task_set_priority(task[0], 30, 0, NULL));
	settle();
	expect_ok(tact_sem_post(sem[1]));
	test_join(task[0]);
	expect_ok(tact_sem_post(sem[1]));
	test_join(task[1]);
	expect_marks("first second");
}

static uint32_t posted[CPUS], chosen[2 * CPUS];

static void post_many(void *cpu)
{
	const uint32_t mine = (uint32_t)(uintptr_t)cpu;

	for (uint32_t i = 0; i < ROUNDS; i++) {
		expect_ok(tact_sem_post(sem[(mine + i) % sems]));
		posted[mine]++;
		if (i % 7 == mine)
			expect_ok(tact_task_sleep(TEST_MS / 10));
	}
}

static void choose_many(void *number)
{
	while (choose() >= 0)
		chosen[(uintptr_t)number]++;
}

/* Each unit ends one choice, even if many are under way at once. */
TEST_CPUS(CPUS, no_unit_is_lost_or_taken_twice)
{
	uint32_t all_posted = 0, all_chosen = 0;
	tact_task_t task[3 * CPUS];

	make(7);
	timeout = tact_in(200 * TEST_MS);
	for (uint32_t i = 0; i < 2 * CPUS; i++)
		task[i] = test_spawn_on(i % CPUS, 10 + i, choose_many, (void *)(uintptr_t)i);
	for (uint32_t i = 0; i < CPUS; i++)
		task[2 * CPUS + i] = test_spawn_on(i, 8 + 2 * i, post_many, (void *)(uintptr_t)i);
	for (uint32_t i = 0; i < 3 * CPUS; i++)
		test_join(task[i]);
	for (uint32_t i = 0; i < CPUS; i++)
		all_posted += posted[i];
	for (uint32_t i = 0; i < 2 * CPUS; i++)
		all_chosen += chosen[i];
	for (uint32_t i = 0; i < sems; i++)
		expect_eq(value_of(sem[i]), 0);
	expect_eq(all_posted, CPUS * ROUNDS);
	expect_eq(all_chosen, all_posted);
	expect_nobody_waits(sem, sems);
}

static tact_event_t event;
static tact_queue_t queue;

static void choose_mixed(void *unused)
{
	char text[16] = "";
	struct tact_wait_item *taken,
		item[4] = {
			tact_wait_sem(sem[0], 0),
			tact_wait_event(event, 6, TACT_EVENT_ALL | TACT_EVENT_CONSUME, 1),
			tact_wait_queue(queue, text, sizeof(text), 2),
			tact_wait_sem(sem[1], 3),
		};

	(void)unused;
	expect_ok(tact_wait_any(item, 4, TEST_LONG, &taken));
	expect_eq(taken->cookie, 1);
	expect_eq(taken->value, 7);
	mark("event");
	expect_eq(tact_wait_any(item, 4, TEST_LONG, &taken), 4);
	expect_eq(taken->cookie, 2);
	expect_str(text, "abc");
	mark("queue");
	expect_ok(tact_wait_any(item, 4, TEST_LONG, &taken));
	expect_eq(taken->cookie, 3);
	mark("semaphore");
}

TEST_CPUS(CPUS, objects_of_all_kinds_and_cpus)
{
	tact_task_t task;

	make(2);
	expect_ok(tact_event_create(NULL, 1, TACT_ON_CPU(1), &event));
	expect_ok(tact_queue_create(NULL, 16, 2, TACT_ON_CPU(2), &queue));
	task = test_spawn_on(0, 10, choose_mixed, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_eq(tact_event_set(event, 2), 0);
	(void)tact_event_set(event, 4);
	while (strcmp(test_marks(), "event") != 0)
		expect_ok(tact_event_inquire(event, NULL));
	expect_ok(tact_queue_send(queue, "abc", 4, TACT_QUEUE_NORMAL, TEST_LONG));
	while (strcmp(test_marks(), "event queue") != 0)
		expect_ok(tact_event_inquire(event, NULL));
	expect_ok(tact_sem_post(sem[1]));
	test_join(task);
	expect_marks("event queue semaphore");
	expect_eq(tact_event_wait(event, ~0ull, 0, TACT_NOWAIT, NULL), 0);
	expect_nobody_waits(sem, 2);
}
