/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks that are made with a function, and locks of interrupts. */
#include <rtai_msg.h>
#include <rtai_sem.h>
#include <rtai_usi.h>

#include "rtai_test.h"

static _Atomic long sum;
static _Atomic int turns;

static void add(long data)
{
	sum += data;
}

static void wait_for_message(long data)
{
	unsigned long msg = 0;

	(void)data;
	while (rt_receive(NULL, &msg) && msg)
		sum += (long)msg;
}

static void no_signal(void)
{
}

RTAI_TEST(a_named_task_begins_when_it_is_resumed)
{
	RT_TASK *task;

	WORKS(rt_named_task_init, !(task = rt_named_task_init("ADDER", add, 7, 0, 10, 0, NULL)));
	expect_true(rt_get_adr(nam2num("ADDER")) == task);
	expect_true(rt_named_task_init("ADDER", wait_for_message, 0, 0, 10, 0, NULL) == task);
	rt_sleep(MS(5));
	expect_eq(sum, 0);
	expect_eq(rt_task_resume(task), 0);
	rt_sleep(MS(5));
	expect_eq(sum, 7);
	/* It has returned. */
	expect_true(!rt_get_adr(nam2num("ADDER")));
	expect_eq(rt_task_resume(task), -EINVAL);
	FAILS(rt_named_task_delete, EINVAL, -rt_named_task_delete(task));
}

RTAI_TEST(named_tasks_exchange_messages)
{
	RT_TASK *task;

	WORKS(rt_named_task_init_cpuid,
	      !(task = rt_named_task_init_cpuid("SERVER", wait_for_message, 0, 64000, 10, 1, NULL,
						0)));
	rt_task_resume(task);
	expect_true(rt_send(task, 5) == task);
	expect_true(rt_send(task, 6) == task);
	expect_eq(sum, 11);
	WORKS(rt_named_task_delete, rt_named_task_delete(task));
	expect_true(!rt_get_adr(nam2num("SERVER")));
	expect_true(rt_send(task, 7) != task);
}

RTAI_TEST(a_task_is_deleted_before_it_begins)
{
	RT_TASK *task = rt_named_task_init("NEVER", add, 1, 0, 10, 0, NULL);

	expect_eq(rt_named_task_delete(task), 0);
	rt_sleep(MS(5));
	expect_eq(sum, 0);
	task = rt_named_task_init("NEVER", add, 1, 0, 10, 0, NULL);
	expect_true(task != NULL);
	rt_task_resume(task);
	rt_sleep(MS(5));
	expect_eq(sum, 1);
}

RTAI_TEST(errors_of_named_tasks)
{
	rt_sem_init(nam2num("TAKEN"), 0);
	FAILS(rt_named_task_init, NULL, rt_named_task_init("TAKEN", add, 1, 0, 1, 0, NULL));
	FAILS(rt_named_task_init, NULL, rt_named_task_init(NULL, add, 1, 0, 1, 0, NULL));
	FAILS(rt_named_task_init, NULL, rt_named_task_init("", add, 1, 0, 1, 0, NULL));
	FAILS(rt_named_task_init, NULL, rt_named_task_init("A", NULL, 1, 0, 1, 0, NULL));
	FAILS(rt_named_task_init, NULL, rt_named_task_init("A", add, 1, 0, 1, 0, no_signal));
	FAILS(rt_named_task_init, NULL, rt_named_task_init("A", add, 1, -1, 1, 0, NULL));
	FAILS(rt_named_task_init, NULL, rt_named_task_init("A", add, 1, 0, -1, 0, NULL));
	FAILS(rt_named_task_init_cpuid, NULL,
	      rt_named_task_init_cpuid("A", add, 1, 0, 1, 0, NULL, 1000));
	FAILS(rt_named_task_delete, EINVAL, -rt_named_task_delete(GARBAGE));
}

static void delete_in_handler(void *arg)
{
	FAILS(rt_named_task_delete, EPERM, -rt_named_task_delete(arg));
	FAILS(rt_named_task_init, NULL, rt_named_task_init("IRQ", add, 1, 0, 1, 0, NULL));
}

static void delete_main(void *arg)
{
	FAILS(rt_named_task_delete, EPERM, -rt_named_task_delete(arg));
	expect_eq(rt_named_task_delete(NULL), 0);
}

RTAI_TEST(who_may_delete_named_tasks)
{
	RT_TASK *task = rt_named_task_init("A", add, 1, 0, 10, 0, NULL);
	struct peer peer;

	test_in_handler(delete_in_handler, task);
	peer_start(&peer, 10, delete_main, rt_agent());
	peer_join(&peer);
	expect_eq(rt_named_task_delete(task), 0);
}

static void turn(void *arg)
{
	(void)arg;
	for (int i = 0; i < 20; i++) {
		rt_sleep(MS(1));
		turns++;
	}
}

/* Returns how often a more urgent task ran meanwhile. */
static int compute(void)
{
	const int before = turns;

	rt_busy_sleep(5000000);
	return turns - before;
}

RTAI_TEST(nothing_runs_while_interrupts_are_locked)
{
	unsigned long flags = 0;
	struct peer peer;

	peer_start(&peer, 10, turn, NULL);
	expect_true(compute() > 0);
	WORKS(rtai_cli, (rtai_cli(), 0));
	rtai_cli();
	expect_eq(compute(), 0);
	WORKS(rtai_sti, (rtai_sti(), 0));
	expect_true(turns > 0);
	WORKS(rtai_save_flags_and_cli, rtai_save_flags_and_cli(flags));
	expect_eq(compute(), 0);
	WORKS(rtai_restore_flags, (rtai_restore_flags(flags), 0));
	rtai_cli();
	rtai_save_flags_and_cli(flags);
	expect_true(flags != 0);
	rtai_restore_flags(flags);
	expect_eq(compute(), 0);
	rtai_sti();
	peer_join(&peer);
}

static int lock_word;

static void hold_lock(void *arg)
{
	(void)arg;
	rt_spin_lock(&lock_word);
	rt_sleep(MS(5));
	turns++;
	rt_spin_unlock(&lock_word);
}

RTAI_TEST(spinning_locks)
{
	unsigned long flags;
	struct peer peer;

	WORKS(rt_spin_lock_init, (rt_spin_lock_init(&lock_word), 0));
	peer_start(&peer, 60, hold_lock, NULL);
	expect_eq(lock_word, 1);
	WORKS(rt_spin_lock, (rt_spin_lock(&lock_word), 0));
	expect_eq(turns, 1);
	WORKS(rt_spin_unlock, (rt_spin_unlock(&lock_word), 0));
	peer_join(&peer);
	WORKS(rt_spin_lock_irq, (rt_spin_lock_irq(&lock_word), 0));
	expect_eq(lock_word, 1);
	WORKS(rt_spin_unlock_irq, (rt_spin_unlock_irq(&lock_word), 0));
	peer_start(&peer, 60, hold_lock, NULL);
	WORKS(rt_spin_lock_irqsave, (int)(flags = rt_spin_lock_irqsave(&lock_word)));
	expect_eq(turns, 2);
	WORKS(rt_spin_unlock_irqrestore, (rt_spin_unlock_irqrestore(flags, &lock_word), 0));
	expect_eq(lock_word, 0);
	peer_join(&peer);
}
