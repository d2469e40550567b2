/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Locks, requests to Linux, and what modules have of Linux's kernel. */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/time.h>

#include <rtai_sem.h>

#include "module_test.h"

static volatile int runs;
static volatile int order;
static RT_TASK task;
static spinlock_t lock;
static unsigned long flags;

static void note(long data)
{
	(void)data;
	order = order * 10 + 2;
}

/* A task of a higher priority runs when the last lock is given back. */
static void with_locks(long way)
{
	order = 0;
	task.opaque = NULL;
	expect_ok(rt_task_init(&task, note, 0, STACK, 1, 0, NULL));
	switch (way) {
	case 0:
		rtai_cli();
		break;
	case 1:
		rtai_save_flags_and_cli(flags);
		expect_eq(flags, 0);
		break;
	case 2:
		WORKS(rt_global_cli, (rt_global_cli(), 0));
		break;
	case 3:
		flags = rt_global_save_flags_and_cli();
		WORKS(rt_global_save_flags_and_cli, rt_global_save_flags_and_cli() == 0);
		break;
	case 4:
		rt_spin_lock_irq(&lock);
		break;
	default:
		spin_lock_irqsave(&lock, flags);
	}
	expect_ok(rt_task_resume(&task));
	order = order * 10 + 1;
	switch (way) {
	case 0:
		rtai_sti();
		break;
	case 1:
		rtai_restore_flags(flags);
		break;
	case 2:
		WORKS(rt_global_sti, (rt_global_sti(), 0));
		break;
	case 3:
		WORKS(rt_global_restore_flags, (rt_global_restore_flags(flags), 0));
		break;
	case 4:
		rt_spin_unlock_irq(&lock);
		break;
	default:
		spin_unlock_irqrestore(&lock, flags);
	}
	order = order * 10 + 3;
}

TEST_UNSTARTED(locks_keep_other_tasks_away)
{
	for (long way = 0; way < 6; way++) {
		run_task(5, with_locks, way);
		expect_eq(order, 123);
	}
}

static void look_at_flags(long data)
{
	unsigned long before = 0;
	unsigned long inside = 0;

	(void)data;
	WORKS(rtai_module_flags, rtai_module_flags());
	WORKS(rt_global_save_flags, (rt_global_save_flags(&before), 0));
	rt_global_cli();
	rt_global_save_flags(&inside);
	expect_true(inside != before);
	rt_global_cli();
	rt_global_restore_flags(inside);
	rt_global_save_flags(&inside);
	expect_true(inside != before);
	rt_global_restore_flags(before);
	rt_global_save_flags(&inside);
	expect_eq(inside, before);
}

TEST_UNSTARTED(flags_tell_how_the_caller_is_locked)
{
	run_task(5, look_at_flags, 0);
	/* Outside of tasks nothing is locked. */
	rtai_save_flags_and_cli(flags);
	rtai_restore_flags(flags);
}

static void count(void)
{
	runs++;
}

TEST_UNSTARTED(linux_runs_what_is_pending)
{
	int number;

	runs = 0;
	FAILS(rt_request_srq, EINVAL, -rt_request_srq(0, NULL, NULL));
	FAILS(rt_free_srq, EINVAL, -rt_free_srq(3));
	FAILS(rt_free_srq, EINVAL, -rt_free_srq(1000));
	WORKS(rt_request_srq, (number = rt_request_srq(0, count, NULL)) < 1);
	WORKS(rt_pend_linux_srq, (rt_pend_linux_srq((unsigned int)number), 0));
	UNTIL(runs == 1);
	rt_pend_linux_srq(0);
	rt_pend_linux_srq(1000);
	for (int i = 1; i < 31; i++)
		expect_true(rt_request_srq(0, count, NULL) > 0);
	FAILS(rt_request_srq, EBUSY, -rt_request_srq(0, count, NULL));
	WORKS(rt_free_srq, rt_free_srq((unsigned int)number));
	rt_pend_linux_srq((unsigned int)number);
	rt_sleep(MS(2));
	expect_eq(runs, 1);
}

TEST_UNSTARTED(handler_runs_periodically)
{
	runs = 0;
	FAILS(rt_request_timer, EINVAL, -rt_request_timer(NULL, 1193, 0));
	FAILS(rt_request_timer, EINVAL, -rt_request_timer(count, 0, 0));
	WORKS(rt_request_timer, rt_request_timer(count, 11931, 0));
	FAILS(rt_request_timer, EBUSY, -rt_request_timer(count, 11931, 0));
	UNTIL(runs >= 3);
	WORKS(rt_free_timer, (rt_free_timer(), 0));
	expect_ok(rt_request_timer(count, 1193, 0));
	rt_free_timer();
}

TEST_UNSTARTED(small_ones)
{
	unsigned long rest = 0;
	const unsigned long long before = rdtsc();

	WORKS(rtai_module_rdtsc, rtai_module_rdtsc() < before);
	WORKS(rtai_module_cpuid, rtai_module_cpuid());
	WORKS(rt_assign_irq_to_cpu, rt_assign_irq_to_cpu(TIMER_8254_IRQ, 1));
	WORKS(rt_reset_irq_to_sym_mode, rt_reset_irq_to_sym_mode(TIMER_8254_IRQ));
	WORKS(rtai_llimd, rtai_llimd(3000000000000ll, 1000, 3000) != 1000000000000ll);
	WORKS(rtai_ulldiv, rtai_ulldiv(17, 5, &rest) - 3);
	expect_eq(rest, 2);
}

TEST_UNSTARTED(memory_and_times_of_linux)
{
	const unsigned long now = jiffies;
	long seconds = 0;
	long microseconds = -1;
	char *memory;

	WORKS(rtai_linux_alloc, (memory = rtai_linux_alloc(8)) == NULL);
	WORKS(rtai_linux_realloc, (memory = rtai_linux_realloc(memory, 64)) == NULL);
	WORKS(rtai_linux_free, (rtai_linux_free(memory), 0));
	WORKS(rtai_linux_alloc_zeros, (memory = rtai_linux_alloc_zeros(8)) == NULL);
	expect_eq(memory[7], 0);
	kfree(memory);
	expect_true(kcalloc(~0ul, 16, GFP_KERNEL) == NULL);
	WORKS(rtai_linux_sleep, (rtai_linux_sleep(5000000), 0));
	WORKS(rtai_linux_jiffies, rtai_linux_jiffies() < now + 5);
	WORKS(rtai_linux_compute, (rtai_linux_compute(1000), 0));
	WORKS(schedule, (schedule(), 0));
	WORKS(schedule_timeout, schedule_timeout(1));
	WORKS(num_online_cpus, num_online_cpus() < 1);
	WORKS(rtai_linux_gettimeofday, (rtai_linux_gettimeofday(&seconds, &microseconds), 0));
	expect_true(seconds >= 0 && microseconds >= 0 && microseconds < 1000000);
	WORKS(printk, printk(KERN_INFO "text %d\n", 5) - 10);
}
