/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Clocks, timers, names, prints: what needs no second task. */
#include <rtai_nam2num.h>

#include "rtai_test.h"

RTAI_TEST(a_count_is_a_nanosecond)
{
	RTIME origin[2] = {0, 0};
	const RTIME start = rt_get_time();

	WORKS(rt_get_time, rt_get_time() < start);
	WORKS(rt_get_time_cpuid, rt_get_time_cpuid(0) < start);
	WORKS(rt_get_time_ns, rt_get_time_ns() < start);
	WORKS(rt_get_time_ns_cpuid, rt_get_time_ns_cpuid(3) < start);
	WORKS(rt_get_cpu_time_ns, rt_get_cpu_time_ns() < start);
	WORKS(count2nano, count2nano(-12345) != -12345);
	WORKS(nano2count, nano2count(1ll << 61) != 1ll << 61);
	WORKS(count2nano_cpuid, count2nano_cpuid(7, 0) != 7);
	WORKS(nano2count_cpuid, nano2count_cpuid(7, 0) != 7);
	WORKS(rt_get_cpu_freq, rt_get_cpu_freq() != 1000000000);
	WORKS(nanos2tscnts, nanos2tscnts(2000, 500000000) != 1000);
	WORKS(tscnts2nanos, tscnts2nanos(1000, 500000000) != 2000);
	expect_eq(tscnts2nanos(1000, 0), 0);
	expect_eq(nanos2tscnts(MS(100000), 3000000000u), 300000000000ll);
	WORKS(rt_hard_timer_tick, rt_hard_timer_tick() < 0);
	WORKS(rt_hard_timer_tick_cpuid, rt_hard_timer_tick_cpuid(0) < 0);
	WORKS(rt_get_real_time, rt_get_real_time() <= 0);
	WORKS(rt_get_real_time_ns, rt_get_real_time_ns() < rt_get_real_time() - MS(1000));
	WORKS(rt_gettimeorig, (rt_gettimeorig(origin), origin[0] != origin[1]));
	expect_true(rt_get_real_time() - rt_get_time() - origin[0] < MS(1000));
	rt_gettimeorig(NULL);
}

RTAI_TEST(timer_runs_between_start_and_stop)
{
	struct apic_timer_setup_data setup[4] = {{0}};

	WORKS(rt_set_oneshot_mode, (rt_set_oneshot_mode(), 0));
	WORKS(rt_set_periodic_mode, (rt_set_periodic_mode(), 0));
	WORKS(rt_is_hard_timer_running, rt_is_hard_timer_running());
	WORKS(start_rt_timer, start_rt_timer(1000000) != 1000000);
	expect_eq(rt_is_hard_timer_running(), 1);
	WORKS(stop_rt_timer, (stop_rt_timer(), 0));
	expect_eq(rt_is_hard_timer_running(), 0);
	WORKS(start_ftimer, start_ftimer(500, 0) != 500);
	WORKS(stop_ftimer, stop_ftimer());
	WORKS(start_rt_apic_timers, (start_rt_apic_timers(setup, 0), 0));
	expect_eq(rt_is_hard_timer_running(), 1);
	WORKS(rt_get_timer_cpu, rt_get_timer_cpu());
	/* Sleepers do not need it. */
	stop_rt_timer();
	expect_eq(rt_sleep(MS(1)), 0);
}

RTAI_TEST(sleepers_wake_at_their_instant)
{
	RTIME origin[2];
	RTIME start = rt_get_time();

	WORKS(rt_sleep, rt_sleep(MS(3)));
	expect_true(rt_get_time() >= start + MS(3));
	start = rt_get_time();
	WORKS(rt_sleep_until, rt_sleep_until(start + MS(2)));
	expect_true(rt_get_time() >= start + MS(2));
	FAILS(rt_sleep, RTE_TMROVRN, rt_sleep(0));
	FAILS(rt_sleep, RTE_TMROVRN, rt_sleep(-MS(1)));
	FAILS(rt_sleep_until, RTE_TMROVRN, rt_sleep_until(start));
	FAILS(rt_sleep_until, RTE_TMROVRN, rt_sleep_until(-1));
	/* An instant of the wall clock. */
	rt_gettimeorig(origin);
	start = rt_get_time();
	expect_eq(rt_sleep_until(start + MS(2) + origin[0]), 0);
	expect_true(rt_get_time() >= start + MS(1) && rt_get_time() < start + MS(1000));
	start = rt_get_time();
	WORKS(rt_busy_sleep, (rt_busy_sleep(1000000), 0));
	expect_true(rt_get_time() >= start + MS(1));
	rt_busy_sleep(-5);
}

RTAI_TEST(names_have_six_letters)
{
	char name[8] = "";

	WORKS(nam2num, nam2num("") != 0xffffffff);
	expect_true(nam2num(NULL) == 0xffffffff);
	expect_true(nam2num("abc") == nam2num("ABC"));
	expect_true(nam2num("ABCDEF") == nam2num("ABCDEFGH"));
	expect_true(nam2num("A") != nam2num("B"));
	WORKS(num2nam, (num2nam(nam2num("TsK_9$"), name), strcmp(name, "TSK_9$") != 0));
	num2nam(0xffffffff, name);
	expect_true(!strcmp(name, "|null|"));
	num2nam(nam2num("AB"), name);
	expect_true(!strcmp(name, "AB"));
	expect_true(nam2num("......") < MAX_NAM2NUM);
}

RTAI_TEST(objects_are_found_by_name)
{
	RT_TASK *task = rt_agent();
	const unsigned long name = rt_get_name(NULL);

	WORKS(rt_get_adr, rt_get_adr(rt_get_name(task)) != task);
	FAILS(rt_get_adr, NULL, rt_get_adr(nam2num("NOBODY")));
	FAILS(rt_get_adr, NULL, rt_get_adr(0));
	WORKS(rt_get_name, rt_get_name(NULL) == name);
	expect_eq(rt_get_name(GARBAGE), 0);
}

RTAI_TEST(prints_tell_their_length)
{
	WORKS(rt_printk, rt_printk("# %s %d\n", "print", 7) != 10);
	WORKS(rtai_print_to_screen, rtai_print_to_screen("# %c\n", 'x') != 4);
	FAILS(rt_printk, EINVAL, -rt_printk(NULL));
	FAILS(rtai_print_to_screen, EINVAL, -rtai_print_to_screen(NULL));
	WORKS(rt_grow_and_lock_stack, (rt_grow_and_lock_stack(20000), 0));
	WORKS(rt_allow_nonroot_hrt, (rt_allow_nonroot_hrt(), 0));
}
