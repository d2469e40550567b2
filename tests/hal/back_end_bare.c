/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The suite on the bare back end: calls and faults are real. Linux keeps one CPU. */
#define _GNU_SOURCE
#include "suite.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "base/error.h"

#define NS_PER_S  1000000000ll
#define NS_PER_US 1000
#define SPINS     100u
#define SPIN_NS   5000u

static struct suite_task task;

static int64_t ns_of(const struct timespec *time)
{
	return time->tv_sec * NS_PER_S + time->tv_nsec;
}

/* A light task has no shadow, so Linux cannot answer. */
static void read_clocks(void *arg)
{
	struct timespec monotonic = {0}, wall = {0}, step = {0};
	struct timeval wall_us = {0};
	int64_t before_ns = (int64_t)hal_now_ns(), after_ns, offset_ns = hal_wall_offset_ns();

	(void)arg;
	clock_gettime(CLOCK_MONOTONIC, &monotonic);
	clock_gettime(CLOCK_REALTIME, &wall);
	gettimeofday(&wall_us, NULL);
	clock_getres(CLOCK_MONOTONIC, &step);
	after_ns = (int64_t)hal_now_ns();
	expect_true("monotonic clock in its place",
		    ns_of(&monotonic) >= before_ns && ns_of(&monotonic) <= after_ns);
	expect_true("wall clock in its place",
		    ns_of(&wall) >= before_ns + offset_ns && ns_of(&wall) <= after_ns + offset_ns);
	expect_true("in microseconds too",
		    (wall_us.tv_sec * NS_PER_S + wall_us.tv_usec * NS_PER_US) / NS_PER_US >=
			    ns_of(&wall) / NS_PER_US);
	expect("resolution", 1, ns_of(&step));
}

static void c_library_clocks_are_read_in_primary_mode(void)
{
	struct timespec before, after;

	for (int life = 0; life < 2; life++) {
		clock_gettime(CLOCK_MONOTONIC, &before);
		suite_start(1);
		suite_task_start(&task, 0, false, read_clocks, NULL);
		suite_task_join(&task);
		read_clocks(NULL);
		suite_stop();
		clock_gettime(CLOCK_MONOTONIC, &after);
		expect_true("Linux's own goes on from there", ns_of(&after) > ns_of(&before));
	}
}

struct spins {
	uint64_t read_ns; /* shortest time of a reading of the clock */
	uint64_t late_ns; /* shortest delay of a spin, as a reading shows it */
};

static void spin(void *arg)
{
	struct spins *spins = arg;

	for (unsigned i = 0; i < SPINS; i++) {
		uint64_t first_ns, second_ns, end_ns;

		hal_enter();
		first_ns = hal_now_ns();
		second_ns = hal_now_ns();
		hal_spin_until(second_ns + SPIN_NS);
		end_ns = hal_now_ns();
		hal_leave();
		if (second_ns - first_ns < spins->read_ns)
			spins->read_ns = second_ns - first_ns;
		if (end_ns - second_ns - SPIN_NS < spins->late_ns)
			spins->late_ns = end_ns - second_ns - SPIN_NS;
	}
}

/*
 * The clock's page tells the ticks of an instant. So the end of a spin contains no reading of the
 * clock except the one that checks it, and a step of the counter, which some machines advance by 10
 * ns at a time.
 */
static void spin_is_late_by_less_than_three_readings_of_the_clock(void)
{
	struct spins spins = {UINT64_MAX, UINT64_MAX};

	suite_start(1);
	suite_task_start(&task, 0, false, spin, &spins);
	suite_task_join(&task);
	suite_stop();
	printf("# a reading takes %" PRIu64 " ns, a spin's end is seen after %" PRIu64 "\n",
	       spins.read_ns, spins.late_ns);
	expect_true("in its time", spins.late_ns < 3 * spins.read_ns);
}

static void options_say_what_they_may_be(void)
{
	static const struct {
		const char *options, *said;
	} wrong[] = {
		{"siblings=perhaps", "give take or leave"},
		{"siblings", "give take or leave"},
		{"siblings=take,mode_signal=9", "give a signal number"},
		{"share=yes", "has siblings and mode_signal"},
	};
	struct hal_config config = suite_config(1);
	char reason[256];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		config.options = wrong[i].options;
		expect(wrong[i].options, -TACT_EINVAL, suite_try_start(&config, reason));
		expect_true(reason, strstr(reason, wrong[i].said) != NULL);
	}
}

static const struct suite_case cases_bare[] = {
	CASE(c_library_clocks_are_read_in_primary_mode),
	CASE(spin_is_late_by_less_than_three_readings_of_the_clock),
	CASE(options_say_what_they_may_be),
	{NULL, NULL},
};

const struct suite_case *const back_end_cases[] = {cases_bare, NULL};

unsigned back_end_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) || CPU_COUNT(&set) < 2)
		return 1;
	return (unsigned)CPU_COUNT(&set) - 1;
}
