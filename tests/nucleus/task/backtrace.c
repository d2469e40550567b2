/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The calls that a task is in, as others see them and as it sees them itself. */
#include "test.h"

#include <pthread.h>
#include <unistd.h>

#include <tactus/skin.h>

#define FRAMES 32u

static tact_sem_t gate;

/* Keeps the compiler from making a jump of a call before it. */
#define COMES_BACK(value) __asm__ volatile("" : "+r"(value))

__attribute__((noinline, aligned(256))) static int waits_deeply(int depth)
{
	int result = depth ? waits_deeply(depth - 1) : tact_sem_wait(gate, TACT_FOREVER);

	COMES_BACK(result);
	return result + 1;
}

__attribute__((aligned(256))) static void waits(void *unused)
{
	(void)unused;
	expect_eq(waits_deeply(3), 4);
}

/* How many of the addresses are in the function, which is shorter than this. */
static int within(const uintptr_t *addresses, int count, const void *function)
{
	int found = 0;

	for (int i = 0; i < count; i++)
		found += addresses[i] > (uintptr_t)function &&
			 addresses[i] < (uintptr_t)function + 200;
	return found;
}

TASK_TEST(waiting_task_is_told_by_its_frames)
{
	uintptr_t addresses[FRAMES];
	tact_task_t task;
	int count;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &gate));
	task = test_spawn(TEST_PRIORITY + 1, waits, NULL);
	count = tact_task_backtrace(task, addresses, FRAMES);
	expect_true(count > 5);
	expect_eq(within(addresses, count, waits_deeply), 4);
	expect_eq(tact_task_backtrace(task, addresses, 2), 2);
	expect_ok(tact_sem_post(gate));
	test_join(task);
	expect_error(tact_task_backtrace(task, addresses, FRAMES), TACT_EIDRM);
}

static tact_task_t attached;

__attribute__((aligned(256))) static void *waits_attached(void *unused)
{
	const struct tact_task_attr attr = {.name = "attached", .priority = TEST_PRIORITY};

	expect_ok(tact_task_attach(&attr, &attached));
	expect_eq(waits_deeply(3), 4);
	expect_ok(tact_task_detach());
	return unused;
}

/* The ends of its stack are not known. */
TEST(attached_thread_is_told_by_its_frames)
{
	uintptr_t addresses[FRAMES];
	pthread_t thread;
	int count;

	if (test_on_sim())
		test_skip(
			"a Linux thread that waits beside another one; time is virtual time here");
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &gate));
	expect_ok(pthread_create(&thread, NULL, waits_attached, NULL));
	while (!__atomic_load_n(&attached.id, __ATOMIC_ACQUIRE))
		usleep(1000);
	test_until_state(attached, TACT_TASK_STATE_WAITING);
	count = tact_task_backtrace(attached, addresses, FRAMES);
	expect_true(count > 5);
	expect_eq(within(addresses, count, waits_deeply), 4);
	expect_ok(tact_sem_post(gate));
	expect_ok(pthread_join(thread, NULL));
}

TEST_CPUS(2, task_of_another_cpu_is_told_too)
{
	uintptr_t addresses[FRAMES];
	tact_task_t task;
	int count;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &gate));
	task = test_spawn_on(1, TEST_PRIORITY, waits, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	count = tact_task_backtrace(task, addresses, FRAMES);
	expect_eq(within(addresses, count, waits_deeply), 4);
	expect_ok(tact_sem_post(gate));
	test_join(task);
}

__attribute__((noinline, aligned(256))) static int looks_at_itself(tact_task_t task,
								   uintptr_t *addresses)
{
	int count = tact_task_backtrace(task, addresses, FRAMES);

	COMES_BACK(count);
	return count;
}

TASK_TEST(caller_is_told_by_its_own_frames)
{
	uintptr_t addresses[FRAMES];
	int count = looks_at_itself(TACT_SELF, addresses);

	expect_true(count > 0);
	expect_eq(within(addresses, count, looks_at_itself), 1);
	expect_eq(looks_at_itself(tact_task_self(), addresses), count);
}

static void in_handler(void *task)
{
	uintptr_t addresses[FRAMES];

	expect_error(tact_task_backtrace(*(tact_task_t *)task, addresses, FRAMES), TACT_EPERM);
}

static void in_linux(void *unused)
{
	(void)unused;
	expect_ok(tact_task_relax());
	while (tact_sem_wait(gate, TACT_NOWAIT))
		expect_ok(tact_task_relax());
}

TEST(tasks_that_cannot_be_told_are_refused)
{
	const struct tact_task_attr attr = {.flags = TACT_TASK_NO_JOIN};
	uintptr_t addresses[FRAMES];
	tact_task_t task;
	tact_task_t ended;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &gate));
	expect_error(tact_task_backtrace(TACT_SELF, addresses, FRAMES), TACT_EPERM);
	expect_ok(tact_task_create(&attr, &task));
	expect_eq(tact_task_backtrace(task, addresses, FRAMES), 0);
	expect_error(tact_task_backtrace(task, NULL, FRAMES), TACT_EINVAL);
	expect_error(tact_task_backtrace(task, addresses, 0), TACT_EINVAL);
	expect_error(tact_task_backtrace(task, addresses, TACT_FRAMES_MAX + 1), TACT_EINVAL);
	test_in_handler(in_handler, &task);
	expect_error(tact_task_backtrace((tact_task_t){gate.id}, addresses, FRAMES), TACT_EBADF);
	ended = test_spawn(TEST_PRIORITY, in_linux, NULL);
	if (!test_on_sim()) {
		test_until_state(ended, TACT_TASK_STATE_RELAXED);
		while (tact_task_backtrace(ended, addresses, FRAMES) != -TACT_EBUSY)
			;
	}
	expect_ok(tact_sem_post(gate));
	test_until_state(ended, TACT_TASK_STATE_ENDED);
	expect_error(tact_task_backtrace(ended, addresses, FRAMES), TACT_EBUSY);
	test_join(ended);
	expect_error(tact_task_backtrace(ended, addresses, FRAMES), TACT_EIDRM);
}
