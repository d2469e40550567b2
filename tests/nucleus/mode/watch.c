/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What Linux tells a task in primary mode (thread back end): files that it watches, its mask. */
#define _GNU_SOURCE
#include "test.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <tactus/skin.h>

static struct tact_watch watch;
static int descriptor;
static tact_sem_t told;

static void needs_linux(void)
{
	if (test_on_sim())
		test_skip("virtual time has no files");
}

static uint64_t mode_switches(void)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(TACT_SELF, &info));
	return info.mode_switches;
}

static void take_three(void *arg)
{
	uint64_t before;

	(void)arg;
	watch.fd = descriptor;
	watch.sem = told;
	expect_ok(tact_task_watch(&watch));
	expect_eq(tact_task_watch(&watch), -TACT_EEXIST);
	for (int i = 0; i < 3; i++) {
		uint64_t value = 0;

		before = mode_switches();
		expect_ok(tact_sem_wait(told, TEST_LONG));
		expect_eq(tact_mode(), TACT_MODE_PRIMARY);
		expect_eq(mode_switches(), before);
		expect_eq(watch.told, 1);
		watch.told = 0;
		expect_eq(read(descriptor, &value, sizeof(value)), sizeof(value));
		expect_eq(value, i + 1);
	}
	expect_ok(tact_task_unwatch(&watch));
}

static void write_to_it(uint64_t value)
{
	expect_eq(write(descriptor, &value, sizeof(value)), sizeof(value));
}

TEST(a_watched_file_is_told_without_a_switch)
{
	const struct tact_task_attr attr = {.priority = 10};
	tact_task_t task;

	needs_linux();
	descriptor = eventfd(1, 0); /* readable from the start */
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &told));
	expect_ok(tact_task_spawn(&attr, take_three, NULL, &task));
	for (uint64_t value = 2; value <= 3; value++) {
		usleep(20000);
		write_to_it(value);
	}
	expect_ok(tact_task_join(task, TEST_LONG));
	write_to_it(9);
	usleep(20000);
	expect_eq(watch.told, 0); /* unwatched */
	close(descriptor);
}

static void watch_in_vain(void *arg)
{
	(void)arg;
	watch.fd = -1;
	expect_eq(tact_task_watch(&watch), test_on_sim() ? -TACT_ENOTSUP : -TACT_EBADF);
	expect_eq(tact_task_watch(NULL), -TACT_EINVAL);
	expect_eq(tact_task_unwatch(NULL), -TACT_EINVAL);
	expect_ok(tact_task_set_flags(TACT_SELF, TACT_TASK_NO_LINUX, 0));
	expect_eq(tact_task_watch(&watch), -TACT_EPERM);
	expect_ok(tact_task_set_flags(TACT_SELF, 0, TACT_TASK_NO_LINUX));
}

TEST(what_cannot_be_watched_is_refused)
{
	const struct tact_task_attr attr = {.priority = 10};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, watch_in_vain, NULL, &task));
	expect_ok(tact_task_join(task, TEST_LONG));
	expect_eq(tact_task_watch(&watch), -TACT_EPERM);
	expect_eq(tact_task_signal_mask(NULL), -TACT_EPERM);
}

static void look_at_mask(void *arg)
{
	uint64_t mask = 0;
	sigset_t set;

	(void)arg;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	expect_eq(tact_task_signal_mask(&mask), -TACT_EPERM); /* now in secondary mode */
	expect_ok(tact_task_harden());
	expect_ok(tact_task_signal_mask(&mask));
	expect_eq(mask >> (SIGUSR1 - 1) & 1, 1);
	expect_eq(mask >> (SIGUSR2 - 1) & 1, 0);
}

TEST(the_signal_mask_is_known_in_primary_mode)
{
	const struct tact_task_attr attr = {.priority = 10};
	tact_task_t task;

	needs_linux();
	expect_ok(tact_task_spawn(&attr, look_at_mask, NULL, &task));
	expect_ok(tact_task_join(task, TEST_LONG));
}
