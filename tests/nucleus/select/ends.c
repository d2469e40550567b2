/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What ends a choice without anything taken: time, deletion, a break, a signal, the end of its
 * task. In each case no caller waits afterwards, and nothing that was given is missing. */
#define _GNU_SOURCE
#include "choice.h"

#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SEMS 6u

static tact_sem_t sem[SEMS];
static tact_timeout_t timeout;
static int result;
static struct tact_wait_item *taken;
static uint32_t taken_index;

static void make(void)
{
	for (uint32_t i = 0; i < SEMS; i++)
		expect_ok(tact_sem_create(NULL, 0, 9, i & 1 ? TACT_PRIO : 0, &sem[i]));
	timeout = TACT_FOREVER;
}

static int choose(void)
{
	struct tact_wait_item item[SEMS];

	for (uint32_t i = 0; i < SEMS; i++)
		item[i] = tact_wait_sem(sem[i], i);
	result = tact_wait_any(item, SEMS, timeout, &taken);
	taken_index = taken ? (uint32_t)taken->cookie : UINT32_MAX;
	return result;
}

static void choose_in_task(void *unused)
{
	(void)unused;
	(void)choose();
}

static tact_task_t chooser(void)
{
	tact_task_t task = test_spawn(10, choose_in_task, NULL);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	return task;
}

static void ends_with(int error, uint32_t index)
{
	expect_error(result, error);
	expect_eq(taken_index, index);
}

TASK_TEST(timeouts_pass)
{
	tact_time_t before = tact_now();

	make();
	timeout = tact_in(2 * TEST_MS);
	expect_error(choose(), TACT_ETIMEDOUT);
	expect_true(!taken);
	expect_true(tact_now().ns >= before.ns + 2 * TEST_MS);
	timeout = tact_at(tact_time_add(tact_now(), TEST_MS));
	expect_error(choose(), TACT_ETIMEDOUT);
	timeout = tact_at_wall(tact_time_add(tact_wall_now(), TEST_MS));
	expect_error(choose(), TACT_ETIMEDOUT);
	expect_nobody_waits(sem, SEMS);
}

TASK_TEST(unit_that_is_there_is_taken_whatever_the_timeout)
{
	tact_timeout_t all[] = {TACT_NOWAIT, tact_in(0), tact_at((tact_time_t){1}), TACT_FOREVER,
				TEST_LONG};

	make();
	for (uint32_t i = 0; i < 5; i++) {
		expect_ok(tact_sem_post(sem[5]));
		timeout = all[i];
		expect_ok(choose());
		expect_eq(taken_index, 5);
	}
	timeout = tact_in(0);
	expect_error(choose(), TACT_ETIMEDOUT);
	timeout = tact_at((tact_time_t){1});
	expect_error(choose(), TACT_ETIMEDOUT);
	timeout = TACT_NOWAIT;
	expect_error(choose(), TACT_EAGAIN);
	expect_nobody_waits(sem, SEMS);
}

TEST(linux_thread_chooses_and_times_out)
{
	make();
	timeout = tact_in(2 * TEST_MS);
	expect_error(choose(), TACT_ETIMEDOUT);
	timeout = TACT_NOWAIT;
	expect_error(choose(), TACT_EAGAIN);
	expect_ok(tact_sem_post(sem[3]));
	expect_ok(choose());
	expect_eq(taken_index, 3);
	expect_nobody_waits(sem, SEMS);
}

TEST(deletion_of_any_object_ends_the_wait)
{
	for (uint32_t i = 0; i < SEMS; i++) {
		tact_task_t task;

		make();
		task = chooser();
		expect_ok(tact_sem_delete(sem[i]));
		test_join(task);
		ends_with(TACT_EIDRM, i);
		for (uint32_t other = 0; other < SEMS; other++)
			if (other != i)
				expect_nobody_waits(&sem[other], 1);
	}
}

TEST(unblock_ends_the_wait)
{
	tact_task_t task;

	make();
	task = chooser();
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	ends_with(TACT_ECANCELED, UINT32_MAX);
	expect_nobody_waits(sem, SEMS);
}

TEST(flush_of_an_object_ends_the_wait)
{
	tact_task_t task;

	make();
	task = chooser();
	expect_eq(tact_sem_flush(sem[4]), 1);
	test_join(task);
	ends_with(TACT_ECANCELED, 4);
	expect_nobody_waits(sem, SEMS);
}

TEST(broadcast_of_an_object_ends_the_wait)
{
	tact_task_t task;

	make();
	task = chooser();
	expect_eq(tact_sem_broadcast(sem[2]), 1);
	test_join(task);
	expect_ok(result);
	expect_eq(taken_index, 2);
	expect_nobody_waits(sem, SEMS);
}

TEST(task_is_deleted_while_it_chooses)
{
	tact_task_t task;

	make();
	task = chooser();
	expect_ok(tact_task_delete(task));
	(void)tact_task_join(task, TEST_LONG);
	expect_nobody_waits(sem, SEMS);
	expect_ok(tact_sem_post(sem[0]));
	expect_eq(value_of(sem[0]), 1);
}

static uint32_t tid_of(tact_task_t task)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(task, &info));
	return info.linux_tid;
}

static void on_signal(int number)
{
	(void)number;
	mark("handled");
}

TEST(signal_ends_the_wait)
{
	struct sigaction action = {.sa_handler = on_signal};
	tact_task_t task;

	if (test_on_sim())
		test_skip("virtual time has no system calls");
	make();
	expect_ok(sigaction(SIGUSR1, &action, NULL));
	task = chooser();
	expect_ok(syscall(SYS_tgkill, getpid(), tid_of(task), SIGUSR1));
	test_join(task);
	ends_with(TACT_EINTR, UINT32_MAX);
	expect_marks("handled");
	expect_nobody_waits(sem, SEMS);
}

static void *choose_in_thread(void *unused)
{
	(void)unused;
	(void)choose();
	return NULL;
}

TEST_UNSTARTED(stop_ends_the_wait_of_a_linux_thread)
{
	struct tact_config config = {.cpus = 1};
	char reason[TACT_REASON_BYTES];
	struct tact_sem_info info = {0};
	pthread_t thread;

	if (test_on_sim())
		test_skip("the simulation runs its own threads only");
	expect_ok(test_start(&config, reason));
	make();
	expect_ok(pthread_create(&thread, NULL, choose_in_thread, NULL));
	do
		expect_ok(tact_sem_inquire(sem[SEMS - 1], &info));
	while (!info.waiters);
	expect_ok(tact_stop());
	expect_ok(pthread_join(thread, NULL));
	expect_error(result, TACT_EIDRM);
	expect_true(taken_index < SEMS);
}

static int file;

static void choose_file(void *unused)
{
	struct tact_watch watch = {.fd = file};
	struct tact_wait_item item[2];
	struct tact_task_info before = {0}, after = {0};
	uint64_t value;

	(void)unused;
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &watch.sem));
	item[0] = tact_wait_sem(sem[0], 1);
	item[1] = tact_wait_descriptor(&watch, 2);
	expect_ok(tact_task_watch(&watch));
	expect_ok(tact_task_harden());
	expect_ok(tact_task_inquire(TACT_SELF, &before));
	expect_ok(tact_wait_any(item, 2, TEST_LONG, &taken));
	expect_eq(taken->cookie, 2);
	expect_ok(tact_task_inquire(TACT_SELF, &after));
	expect_eq(after.mode_switches, before.mode_switches);
	expect_eq(watch.told, 1);
	watch.told = 0;
	expect_eq(read(file, &value, sizeof(value)), sizeof(value));
	expect_eq(value, 7);
	expect_ok(tact_wait_any(item, 2, TEST_LONG, &taken));
	expect_eq(taken->cookie, 1);
	expect_ok(tact_task_unwatch(&watch));
}

TEST(descriptor_that_becomes_readable_ends_the_wait)
{
	const uint64_t value = 7;
	tact_task_t task;

	if (test_on_sim())
		test_skip("virtual time has no files");
	make();
	file = eventfd(0, EFD_NONBLOCK);
	expect_true(file >= 0);
	task = test_spawn(10, choose_file, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_eq(write(file, &value, sizeof(value)), sizeof(value));
	usleep(20000);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_sem_post(sem[0]));
	test_join(task);
}

/* The unit passes the choice that has ended and reaches the waiter behind it. */
static void wait_behind(void *unused)
{
	(void)unused;
	expect_ok(tact_sem_wait(sem[1], TEST_LONG));
	mark("behind");
}

static void post_both(void *unused)
{
	(void)unused;
	expect_ok(tact_sem_post(sem[0]));
	expect_ok(tact_sem_post(sem[1]));
	mark("posted");
}

TEST(second_unit_goes_to_the_next_waiter)
{
	tact_task_t first, second, poster;

	make();
	first = chooser();
	second = test_spawn(5, wait_behind, NULL);
	test_until_state(second, TACT_TASK_STATE_WAITING);
	poster = test_spawn(40, post_both, NULL);
	test_join(poster);
	test_join(first);
	test_join(second);
	expect_ok(result);
	expect_eq(taken_index, 0);
	expect_marks("posted behind");
	expect_eq(value_of(sem[1]), 0);
}

static tact_sem_t line;

static void choose_in_line(void *name)
{
	struct tact_wait_item item[2] = {tact_wait_sem(sem[0], 0), tact_wait_sem(line, 1)};

	expect_ok(tact_wait_any(item, 2, TEST_LONG, &taken));
	mark(name);
}

static void in_line(uint32_t flags, const char *order)
{
	static const struct {
		const char *name;
		uint32_t priority;
	} who[] = {{"low", 10}, {"high", 30}, {"middle", 20}};
	tact_task_t task[3];

	make();
	expect_ok(tact_sem_create(NULL, 0, 9, flags, &line));
	for (uint32_t i = 0; i < 3; i++) {
		task[i] =
			test_spawn(who[i].priority, choose_in_line, (void *)(uintptr_t)who[i].name);
		test_until_state(task[i], TACT_TASK_STATE_WAITING);
	}
	for (uint32_t i = 0; i < 3; i++) {
		expect_ok(tact_sem_post(line));
		while (strlen(test_marks()) < strlen(order) * (i + 1) / 4)
			expect_ok(tact_sem_inquire(line, NULL));
	}
	for (uint32_t i = 0; i < 3; i++)
		test_join(task[i]);
	expect_marks(order);
}

TEST(choices_are_served_by_priority)
{
	in_line(TACT_PRIO, "high middle low");
}

TEST(choices_are_served_in_order_of_arrival)
{
	in_line(0, "low high middle");
}

TEST(priority_of_one_who_chooses_moves_it_in_the_queues)
{
	tact_task_t task[2];

	make();
	expect_ok(tact_sem_create(NULL, 0, 9, TACT_PRIO, &line));
	task[0] = test_spawn(10, choose_in_line, "first");
	test_until_state(task[0], TACT_TASK_STATE_WAITING);
	task[1] = test_spawn(20, choose_in_line, "second");
	test_until_state(task[1], TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_set_priority(task[0], 30, 0, NULL));
	settle();
	expect_ok(tact_sem_post(line));
	test_join(task[0]);
	expect_marks("first");
	expect_ok(tact_sem_post(line));
	test_join(task[1]);
	expect_marks("first second");
}
