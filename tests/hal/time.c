/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Time: one clock, the same on every CPU. */
#include "suite.h"

#define READS 20000u

static struct suite_task tasks[2];
static _Atomic uint64_t latest_ns;
static _Atomic unsigned backwards;

static void read_against_the_others(void *arg)
{
	(void)arg;
	for (unsigned i = 0; i < READS; i++) {
		uint64_t seen_ns = atomic_load(&latest_ns);
		uint64_t now_ns = hal_now_ns();

		if (now_ns < seen_ns)
			atomic_fetch_add(&backwards, 1);
		while (seen_ns < now_ns &&
		       !atomic_compare_exchange_weak(&latest_ns, &seen_ns, now_ns))
			;
	}
}

static void time_is_one_on_all_cpus(void)
{
	unsigned cpus = back_end_cpus() > 1 ? 2 : 1;

	suite_start(cpus);
	for (unsigned i = 0; i < cpus; i++)
		suite_task_start(&tasks[i], i, false, read_against_the_others, NULL);
	read_against_the_others(NULL);
	for (unsigned i = 0; i < cpus; i++)
		suite_task_join(&tasks[i]);
	suite_stop();
	expect("steps backwards", 0, atomic_load(&backwards));
}

static void spin(void *arg)
{
	struct hal_cpu *cpu = hal_enter();
	uint64_t before_ns = suite_spun_ns(cpu);
	uint64_t until_ns = hal_now_ns() + 1000000;

	(void)arg;
	hal_spin_until(until_ns);
	expect_true("not before the instant", hal_now_ns() >= until_ns);
	hal_spin_until(0);
	expect_true("counted", suite_spun_ns(cpu) >= before_ns + 900000);
	hal_leave();
}

static void spinning_ends_at_the_instant_and_is_counted(void)
{
	suite_start(1);
	suite_task_start(&tasks[0], 0, false, spin, NULL);
	suite_task_join(&tasks[0]);
	suite_stop();
}

static void ticks_count_nanoseconds(void)
{
	uint64_t begin_ns, begin_ticks, ns, ticks_ns;

	suite_start(1);
	begin_ns = hal_now_ns();
	begin_ticks = hal_ticks();
	hal_linux_pause(50000000);
	ticks_ns = hal_ticks_to_ns(hal_ticks() - begin_ticks);
	ns = hal_now_ns() - begin_ns;
	suite_stop();
	expect_true("within 1 in 100 below", ticks_ns >= ns - ns / 100);
	expect_true("within 1 in 100 above", ticks_ns <= ns + ns / 100);
	expect("0 ticks", 0, (int64_t)hal_ticks_to_ns(0));
}

static void wall_clock_is_an_offset(void)
{
	int64_t first, second, apart;
	uint64_t wall;

	suite_start(1);
	first = hal_wall_offset_ns();
	hal_linux_pause(1000000);
	second = hal_wall_offset_ns();
	wall = hal_wall_ns();
	apart = (int64_t)(hal_wall_ns() - hal_now_ns()) - second;
	expect_true("forwards", hal_wall_ns() >= wall);
	suite_stop();
	expect_true("the same clock", apart < 10000000 && apart > -10000000);
	expect_true("after 2020", first > 0 && first + (int64_t)hal_now_ns() > 1577836800000000000);
	expect_true("steady within 10 ms", second - first < 10000000 && first - second < 10000000);
}

static void compute_a_millisecond(void *arg)
{
	uint64_t begin_ns = hal_now_ns();

	(void)arg;
	hal_compute(1000000);
	expect_true("a millisecond at least", hal_now_ns() >= begin_ns + 1000000);
}

static void computing_takes_its_time(void)
{
	suite_start(1);
	suite_task_start(&tasks[0], 0, false, compute_a_millisecond, NULL);
	suite_task_join(&tasks[0]);
	suite_stop();
}

const struct suite_case cases_time[] = {
	CASE(time_is_one_on_all_cpus),  CASE(spinning_ends_at_the_instant_and_is_counted),
	CASE(ticks_count_nanoseconds),  CASE(wall_clock_is_an_offset),
	CASE(computing_takes_its_time), {NULL, NULL},
};
