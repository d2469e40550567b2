/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Periodic releases: instants, overruns, broken waits. */
#include "exact.h"

TASK_TEST(releases_come_at_their_instants)
{
	tact_time_t first = tact_time_add(tact_now(), 2 * TEST_MS);

	expect_ok(tact_task_set_periodic(TACT_SELF, first, 5 * TEST_MS));
	for (unsigned i = 0; i < 5; i++) {
		tact_time_t release;
		uint64_t overruns = 7;
		int result = tact_task_wait_period(&overruns, &release);

		if (!test_exact() && result == -TACT_ETIMEDOUT)
			continue;
		expect_ok(result);
		expect_eq(overruns, 0);
		expect_eq(release.ns, first.ns + i * 5 * TEST_MS);
		expect_true(tact_now().ns >= release.ns);
		if (test_exact())
			expect_true(tact_now().ns < release.ns + 1000);
	}
	expect_ok(tact_task_set_periodic(TACT_SELF, (tact_time_t){0}, 0));
	expect_error(tact_task_wait_period(NULL, NULL), TACT_ESRCH);
}

TASK_TEST(the_next_release_is_told)
{
	const tact_time_t first = tact_time_add(tact_now(), 10000 * TEST_MS);
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(TACT_SELF, &info));
	expect_eq(info.release.ns, 0);
	expect_ok(tact_task_set_periodic(TACT_SELF, first, TEST_MS));
	expect_ok(tact_task_inquire(TACT_SELF, &info));
	expect_eq(info.release.ns, first.ns);
	expect_ok(tact_task_set_periodic(TACT_SELF, first, 0));
	expect_ok(tact_task_inquire(TACT_SELF, &info));
	expect_eq(info.release.ns, 0);
}

TASK_TEST(first_release_is_one_period_away_by_default)
{
	tact_time_t before = tact_now();
	tact_time_t release;

	expect_ok(tact_task_set_periodic(tact_task_self(), (tact_time_t){0}, 5 * TEST_MS));
	expect_ok(tact_task_wait_period(NULL, &release));
	expect_true(release.ns >= before.ns + 5 * TEST_MS);
}

TASK_TEST(missed_releases_are_counted_and_the_schedule_goes_on)
{
	tact_time_t first = tact_time_add(tact_now(), 2 * TEST_MS);
	struct tact_task_info info = {0};
	tact_time_t release;
	uint64_t overruns;

	if (!test_exact())
		test_skip("instants are virtual time's");
	expect_ok(tact_task_set_periodic(TACT_SELF, first, 10 * TEST_MS));
	expect_ok(tact_task_wait_period(NULL, NULL));
	/* Releases at 10, 20 and 30 ms after the first pass. */
	tact_compute(35 * TEST_MS);
	expect_error(tact_task_wait_period(&overruns, &release), TACT_ETIMEDOUT);
	expect_eq(overruns, 3);
	expect_eq(release.ns, first.ns + 30 * TEST_MS);
	expect_ok(tact_task_wait_period(&overruns, &release));
	expect_eq(overruns, 0);
	expect_eq(release.ns, first.ns + 40 * TEST_MS);
	expect_ok(tact_task_inquire(TACT_SELF, &info));
	expect_eq(info.overruns, 3);
}

static void wait_release(void *arg)
{
	tact_time_t *release = arg;

	expect_error(tact_task_wait_period(NULL, NULL), TACT_ECANCELED);
	expect_ok(tact_task_wait_period(NULL, release));
}

TASK_TEST(broken_wait_does_not_lose_its_release)
{
	struct tact_task_attr attr = {.priority = 60};
	tact_time_t first = tact_time_add(tact_now(), 20 * TEST_MS);
	tact_time_t release;
	tact_task_t task;

	expect_ok(tact_task_create(&attr, &task));
	expect_ok(tact_task_set_periodic(task, first, 50 * TEST_MS));
	expect_ok(tact_task_start(task, wait_release, &release));
	test_until_state(task, TACT_TASK_STATE_SLEEPING);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_eq(release.ns, first.ns);
}

static void set_in_handler(void *arg)
{
	const tact_task_t task = *(tact_task_t *)arg;

	expect_error(tact_task_set_periodic(task, (tact_time_t){0}, TEST_MS), TACT_EPERM);
	expect_error(tact_task_wait_period(NULL, NULL), TACT_EPERM);
}

TASK_TEST(periods_are_checked)
{
	tact_task_t self = tact_task_self();

	expect_error(tact_task_set_periodic(TACT_SELF, (tact_time_t){0}, 999), TACT_EINVAL);
	expect_error(tact_task_set_periodic(TACT_SELF, (tact_time_t){0}, UINT64_MAX), TACT_EINVAL);
	expect_error(tact_task_set_periodic(TACT_SELF, (tact_time_t){UINT64_MAX}, TEST_MS),
		     TACT_EINVAL);
	expect_error(tact_task_set_periodic(TACT_SELF, (tact_time_t){1}, TEST_MS), TACT_ETIMEDOUT);
	expect_error(tact_task_set_periodic((tact_task_t){0x12345}, (tact_time_t){0}, TEST_MS),
		     TACT_EBADF);
	test_in_handler(set_in_handler, &self);
	expect_error(tact_task_wait_period(NULL, NULL), TACT_ESRCH);
}

static void keep_pace(void *arg)
{
	uint32_t *releases = arg;

	for (int i = 0; i < 200; i++)
		if (tact_task_wait_period(NULL, NULL) == 0)
			++*releases;
}

TASK_TEST_CPUS(2, periodic_task_keeps_its_pace_while_it_is_moved)
{
	struct tact_task_attr attr = {.priority = 60, .flags = TACT_ON_CPU(0)};
	uint32_t releases = 0;
	tact_task_t task;

	expect_ok(tact_task_create(&attr, &task));
	expect_ok(tact_task_set_periodic(task, (tact_time_t){0}, TEST_MS / 4));
	expect_ok(tact_task_start(task, keep_pace, &releases));
	for (uint32_t i = 0; i < 40; i++) {
		expect_ok(tact_task_migrate(task, (i + 1) % 2));
		expect_ok(tact_task_sleep(TEST_MS / 3));
	}
	test_join(task);
	if (test_exact())
		expect_eq(releases, 200);
	else
		expect_true(releases > 0);
}

static void count_releases(void *arg)
{
	tact_time_t first = tact_time_add(tact_now(), 2 * TEST_MS);

	(void)arg;
	expect_ok(tact_task_set_periodic(TACT_SELF, first, TEST_MS));
	for (unsigned i = 0; i < 10; i++) {
		tact_time_t release;
		int result = tact_task_wait_period(NULL, &release);

		if (!test_exact() && result == -TACT_ETIMEDOUT)
			return;
		expect_ok(result);
		expect_eq(release.ns, first.ns + i * TEST_MS);
	}
}

/* Gravity that anticipates more than it takes brings a task in before its instant. */
TEST_UNSTARTED(release_that_came_early_is_not_given_twice)
{
	struct tact_config config = {.gravity.task_ns = 300000};

	expect_ok(test_start(&config, NULL));
	test_join(test_spawn(20, count_releases, NULL));
	expect_ok(tact_stop());
}

static void be_late_after_a_broken_wait(void *arg)
{
	const tact_time_t *first = arg;
	tact_time_t release;
	uint64_t overruns;

	expect_error(tact_task_wait_period(NULL, NULL), TACT_ECANCELED);
	/* The release that the broken wait was for passes. */
	tact_compute(3 * TEST_MS);
	expect_error(tact_task_wait_period(&overruns, &release), TACT_ETIMEDOUT);
	expect_eq(overruns, 1);
	expect_eq(release.ns, first->ns);
	expect_ok(tact_task_wait_period(&overruns, &release));
	expect_eq(overruns, 0);
	expect_eq(release.ns, first->ns + 10 * TEST_MS);
}

TASK_TEST(release_that_passes_after_a_broken_wait_is_told)
{
	struct tact_task_attr attr = {.priority = 60};
	tact_time_t first = tact_time_add(tact_now(), 20 * TEST_MS);
	struct tact_task_info info = {0};
	tact_task_t task;

	if (!test_exact())
		test_skip("instants are virtual time's");
	expect_ok(tact_task_create(&attr, &task));
	expect_ok(tact_task_set_periodic(task, first, 10 * TEST_MS));
	expect_ok(tact_task_start(task, be_late_after_a_broken_wait, &first));
	expect_ok(tact_task_sleep_until(tact_at((tact_time_t){first.ns - TEST_MS})));
	expect_ok(tact_task_unblock(task, 0));
	expect_ok(tact_task_sleep(7 * TEST_MS));
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.overruns, 1);
	test_join(task);
}
