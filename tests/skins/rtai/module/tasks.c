/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks of modules. */
#include <rtai_msg.h>

#include "module_test.h"

static RT_TASK task;
static RT_TASK other;
static volatile int runs;
static volatile long seen;

static void nothing(void)
{
}

static void once(long data)
{
	seen = data;
	runs++;
}

static void for_ever(long data)
{
	(void)data;
	for (;;) {
		runs++;
		(void)rt_task_suspend(NULL);
	}
}

static void periodic(long data)
{
	for (;;) {
		runs++;
		(void)data;
		(void)rt_task_wait_period();
	}
}

TEST_UNSTARTED(arguments_are_checked)
{
	FAILS(rt_task_init, EINVAL, -rt_task_init(NULL, once, 0, STACK, 1, 0, NULL));
	FAILS(rt_task_init, EINVAL, -rt_task_init(&task, NULL, 0, STACK, 1, 0, NULL));
	FAILS(rt_task_init, EINVAL, -rt_task_init(&task, once, 0, STACK, -1, 0, NULL));
	FAILS(rt_task_init, EINVAL, -rt_task_init(&task, once, 0, STACK, 1, 0, nothing));
	FAILS(rt_task_init_cpuid, EINVAL,
	      -rt_task_init_cpuid(&task, once, 0, STACK, -1, 0, NULL, 0));
	FAILS(rt_task_delete, EINVAL, -rt_task_delete(&task));
	FAILS(rt_task_delete, EINVAL, -rt_task_delete(NULL));
	FAILS(rt_task_delete, EINVAL, -rt_task_delete(GARBAGE));
	FAILS(rt_get_prio, EINVAL, -rt_get_prio(&task));
	FAILS(rt_get_inher_prio, EINVAL, -rt_get_inher_prio(&task));
	FAILS(rt_named_task_delete, EFAULT, -rt_named_task_delete(&task));
	WORKS(rt_get_task_state, rt_get_task_state(&task));
}

TEST_UNSTARTED(task_waits_for_its_resumption)
{
	runs = 0;
	WORKS(rt_task_init, rt_task_init(&task, once, 7, STACK, 1, 0, NULL));
	expect_eq(rt_task_init(&task, once, 7, STACK, 1, 0, NULL), -EINVAL);
	rt_sleep(MS(1));
	expect_eq(runs, 0);
	expect_eq(rt_get_task_state(&task), RT_SCHED_READY | RT_SCHED_SUSPENDED);
	expect_eq(WORKS(rt_get_prio, rt_get_prio(&task) - 1), 0);
	expect_eq(WORKS(rt_get_inher_prio, rt_get_inher_prio(&task) - 1), 0);
	expect_ok(rt_task_resume(&task));
	UNTIL(runs == 1);
	expect_eq(seen, 7);
	/* It has returned, so its structure is free. */
	UNTIL(rt_task_delete(&task) == -EINVAL);
	WORKS(rt_task_init_cpuid, rt_task_init_cpuid(&task, once, 8, STACK, 1, 0, NULL, 0));
	expect_ok(rt_task_resume(&task));
	UNTIL(seen == 8);
}

TEST_UNSTARTED(task_is_suspended_resumed_and_deleted)
{
	runs = 0;
	expect_ok(rt_task_init(&task, for_ever, 0, STACK, 1, 0, NULL));
	for (int i = 1; i < 4; i++) {
		expect_ok(rt_task_resume(&task));
		UNTIL(runs == i);
	}
	WORKS(rt_task_delete, rt_task_delete(&task));
	expect_eq(rt_task_resume(&task), -EINVAL);
	expect_eq(rt_task_delete(&task), -EINVAL);
}

TEST_UNSTARTED(period_begins_the_task)
{
	const RTIME start = rt_get_time() + MS(10);

	runs = 0;
	expect_ok(rt_task_init(&task, periodic, 0, STACK, 1, 0, NULL));
	expect_ok(rt_task_make_periodic(&task, start, MS(10)));
	rt_sleep_until(start - MS(2));
	seen = runs;
	if (rt_get_time() < start)
		expect_eq(seen, 0);
	UNTIL(runs == 3);
	expect_true(rt_get_time() >= start + MS(20));
	expect_ok(rt_task_delete(&task));
}

static void look_at_itself(long data)
{
	(void)data;
	expect_eq(WORKS(rt_whoami, rt_whoami() == &task ? 0 : 1), 0);
	expect_eq(WORKS(next_period, (int)next_period()), 0);
	WORKS(rt_make_hard_real_time, (rt_make_hard_real_time(NULL), 0));
	WORKS(rt_make_soft_real_time, (rt_make_soft_real_time(NULL), 0));
	expect_ok(rt_task_make_periodic(NULL, rt_get_time() + MS(2), MS(5)));
	expect_true(next_period() > rt_get_time());
	runs++;
	(void)rt_task_delete(NULL);
	runs = 100;
}

TEST_UNSTARTED(task_knows_itself_and_ends_by_its_deletion)
{
	runs = 0;
	expect_true(rt_whoami() != NULL);
	expect_ok(rt_task_init(&task, look_at_itself, 0, STACK, 1, 0, NULL));
	expect_ok(rt_task_resume(&task));
	UNTIL(runs);
	UNTIL(rt_task_resume(&task) == -EINVAL);
	expect_eq(runs, 1);
	WORKS(rt_linux_use_fpu, (rt_linux_use_fpu(1), 0));
	WORKS(start_rt_timer_ns, start_rt_timer_ns(0));
	WORKS(rt_hard_timer_tick_count, rt_hard_timer_tick_count() - 1);
	WORKS(rtai_module_times, (int)(rtai_module_times()->tick_time > 0) - 1);
}

TEST_UNSTARTED(names_find_tasks)
{
	RT_TASK *named = rt_named_task_init("motor", for_ever, 0, STACK, 1, 0, NULL);

	WORKS(rt_named_task_init,
	      rt_named_task_init("motor", for_ever, 0, STACK, 1, 0, NULL) != named);
	WORKS(rt_named_task_init_cpuid,
	      rt_named_task_init_cpuid("motor", for_ever, 0, STACK, 1, 0, NULL, 0) != named);
	expect_true(rt_get_adr(nam2num("motor")) == named);
	FAILS(rt_named_task_init, NULL, rt_named_task_init("bad", NULL, 0, STACK, 1, 0, NULL));
	FAILS(rt_named_task_init_cpuid, NULL,
	      rt_named_task_init_cpuid("bad", NULL, 0, STACK, 1, 0, NULL, 0));
	expect_eq(rt_named_task_delete(named), 2);
	expect_eq(rt_named_task_delete(named), 1);
	WORKS(rt_named_task_delete, rt_named_task_delete(named));
	expect_true(rt_get_adr(nam2num("motor")) == NULL);
}

TEST_UNSTARTED(addresses_get_names)
{
	static int data;

	expect_eq(rt_register(0, &data, 1, NULL), 0);
	WORKS(rt_register, rt_register(nam2num("data"), &data, 100, NULL) - 1);
	expect_eq(rt_register(nam2num("data"), &task, 100, NULL), 0);
	expect_true(rt_get_adr(nam2num("data")) == &data);
	WORKS(rt_drg_on_adr, rt_drg_on_adr(&data) - 1);
	expect_eq(rt_drg_on_adr(&data), 0);
	expect_eq(rt_register(nam2num("data"), &data, 100, NULL), 1);
	WORKS(rt_drg_on_name, rt_drg_on_name(nam2num("data")) - 1);
	expect_eq(rt_drg_on_name(nam2num("data")), 0);
}

/* A structure is the object, and its copy is none. */
TEST_UNSTARTED(copy_of_a_structure_is_no_task)
{
	expect_ok(rt_task_init(&task, for_ever, 0, STACK, 1, 0, NULL));
	other = task;
	expect_eq(rt_task_resume(&other), -EINVAL);
	expect_eq(rt_task_resume((RT_TASK *)(void *)((char *)&task + 1)), -EINVAL);
	expect_ok(rt_task_delete(&task));
}

static void receive(long data)
{
	unsigned long message = 0;
	RT_TASK *sender = rt_receive(NULL, &message);

	(void)data;
	seen = sender == &other ? (long)message : -1;
	(void)rt_return(sender, message + 1);
}

static void call(long data)
{
	unsigned long reply = 0;

	(void)data;
	expect_true(rt_rpc(&task, 20, &reply) == &task);
	runs = (int)reply;
}

/* Whoever a call names is named by the structure of the module. */
TEST_UNSTARTED(messages_name_structures)
{
	runs = 0;
	expect_ok(rt_task_init(&task, receive, 0, STACK, 1, 0, NULL));
	expect_ok(rt_task_init(&other, call, 0, STACK, 2, 0, NULL));
	expect_ok(rt_task_resume(&task));
	expect_ok(rt_task_resume(&other));
	UNTIL(runs == 21);
	expect_eq(seen, 20);
}
