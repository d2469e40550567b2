/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores from creation to deletion: names, counts, inquiry, binding. */
#include "test.h"

#include <errno.h>

#include <alchemy/sem.h>

static RT_SEM sem;

TEST(count_goes_up_and_down)
{
	RT_SEM_INFO info;

	expect_ok(rt_sem_create(&sem, "valve", 1, S_FIFO));
	expect_ok(rt_sem_v(&sem));
	expect_ok(rt_sem_inquire(&sem, &info));
	expect_eq(info.count, 2);
	expect_eq(info.nwaiters, 0);
	expect_str(info.name, "valve");
	expect_ok(rt_sem_p(&sem, TM_INFINITE));
	expect_ok(rt_sem_p(&sem, TM_NONBLOCK));
	expect_error(rt_sem_p(&sem, TM_NONBLOCK), EWOULDBLOCK);
	expect_ok(rt_sem_inquire(&sem, NULL));
	expect_ok(rt_sem_delete(&sem));
}

TEST(pulse_semaphore_keeps_no_unit)
{
	RT_SEM_INFO info;

	expect_ok(rt_sem_create(&sem, NULL, 0, S_PRIO | S_PULSE));
	expect_ok(rt_sem_v(&sem));
	expect_error(rt_sem_p(&sem, TM_NONBLOCK), EWOULDBLOCK);
	expect_ok(rt_sem_inquire(&sem, &info));
	expect_eq(info.count, 0);
}

TEST(name_is_unique_until_deletion)
{
	RT_SEM other;

	expect_ok(rt_sem_create(&sem, "once", 0, S_FIFO));
	expect_error(rt_sem_create(&other, "once", 0, S_FIFO), EEXIST);
	expect_ok(rt_sem_delete(&sem));
	expect_ok(rt_sem_create(&other, "once", 0, S_FIFO));
}

TEST(long_names_are_cut_and_told_apart)
{
	RT_SEM other;
	RT_SEM bound;
	RT_SEM_INFO info;

	expect_ok(rt_sem_create(&sem, "0123456789012345678901234567890", 3, S_FIFO));
	expect_ok(rt_sem_create(&other, "0123456789012345678901234567891", 4, S_FIFO));
	/* Equal in the 31 bytes that count. */
	expect_error(rt_sem_create(&bound, "0123456789012345678901234567890x", 3, S_FIFO), EEXIST);
	expect_ok(rt_sem_bind(&bound, "0123456789012345678901234567891", TM_NONBLOCK));
	expect_ok(rt_sem_inquire(&bound, &info));
	expect_eq(info.count, 4);
	expect_str(info.name, "0123456789012345678901234567891");
}

TEST(nameless_ones_get_names)
{
	RT_SEM other;
	RT_SEM_INFO info;
	RT_SEM_INFO other_info;

	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	expect_ok(rt_sem_create(&other, "", 0, S_FIFO));
	expect_ok(rt_sem_inquire(&sem, &info));
	expect_ok(rt_sem_inquire(&other, &other_info));
	expect_true(info.name[0] && strcmp(info.name, other_info.name) != 0);
}

TEST(binding_finds_what_is_there)
{
	RT_SEM bound = {0};

	expect_error(rt_sem_bind(&bound, "late", TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_sem_bind(&bound, "late", 100000), ETIMEDOUT);
	expect_ok(rt_sem_create(&sem, "late", 1, S_FIFO));
	expect_ok(rt_sem_bind(&bound, "late", TM_INFINITE));
	expect_ok(rt_sem_p(&bound, TM_NONBLOCK));
	expect_error(rt_sem_p(&sem, TM_NONBLOCK), EWOULDBLOCK);
	expect_ok(rt_sem_unbind(&bound));
	expect_error(rt_sem_v(&bound), EINVAL);
	expect_ok(rt_sem_v(&sem));
}

static void bind_and_mark(void *arg)
{
	RT_SEM bound;

	(void)arg;
	expect_ok(rt_sem_bind(&bound, "coming", TM_INFINITE));
	expect_ok(rt_sem_p(&bound, TM_NONBLOCK));
	mark("bound");
}

TEST(binding_waits_for_creation)
{
	tact_task_t task = test_spawn(10, bind_and_mark, NULL);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(rt_sem_create(&sem, "coming", 1, S_FIFO));
	test_join(task);
	expect_marks("bound");
}

static void bind_broken(void *arg)
{
	RT_SEM bound;

	(void)arg;
	expect_error(rt_sem_bind(&bound, "never", TM_INFINITE), EINTR);
	mark("broken");
}

TEST(binding_is_broken_by_unblock)
{
	tact_task_t task = test_spawn(10, bind_broken, NULL);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_marks("broken");
}

TEST(many_come_and_go)
{
	static RT_SEM many[300];
	RT_SEM_INFO info;

	for (int turn = 0; turn < 2; turn++) {
		for (int i = 0; i < 300; i++)
			expect_ok(rt_sem_create(&many[i], NULL, (unsigned long)i, S_FIFO));
		for (int i = 0; i < 300; i++) {
			expect_ok(rt_sem_inquire(&many[i], &info));
			expect_eq(info.count, i);
			expect_ok(rt_sem_delete(&many[i]));
			expect_error(rt_sem_inquire(&many[i], &info), EINVAL);
		}
	}
}
