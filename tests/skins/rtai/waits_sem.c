/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores and conditions: deletion, broken waits, times, bad pointers, handlers. */
#include <rtai_sem.h>

#include "rtai_test.h"

static SEM *sem;
static SEM *mutex;

static void deleted_rt_sem_wait(void *arg)
{
	(void)arg;
	FAILS(rt_sem_wait, RTE_OBJREM, rt_sem_wait(sem));
}

static void deleted_rt_sem_wait_until(void *arg)
{
	(void)arg;
	FAILS(rt_sem_wait_until, RTE_OBJREM, rt_sem_wait_until(sem, rt_get_time() + LONG));
}

static void deleted_rt_sem_wait_timed(void *arg)
{
	(void)arg;
	FAILS(rt_sem_wait_timed, RTE_OBJREM, rt_sem_wait_timed(sem, LONG));
}

static void deleted_rt_sem_wait_barrier(void *arg)
{
	(void)arg;
	FAILS(rt_sem_wait_barrier, RTE_OBJREM, rt_sem_wait_barrier(sem));
}

static void (*const semaphores_deleted[])(void *) = {
	deleted_rt_sem_wait,
	deleted_rt_sem_wait_until,
	deleted_rt_sem_wait_timed,
	deleted_rt_sem_wait_barrier,
};

static void broken_rt_sem_wait(void *arg)
{
	(void)arg;
	FAILS(rt_sem_wait, RTE_UNBLKD, rt_sem_wait(sem));
}

static void broken_rt_sem_wait_until(void *arg)
{
	(void)arg;
	FAILS(rt_sem_wait_until, RTE_UNBLKD, rt_sem_wait_until(sem, rt_get_time() + LONG));
}

static void broken_rt_sem_wait_timed(void *arg)
{
	(void)arg;
	FAILS(rt_sem_wait_timed, RTE_UNBLKD, rt_sem_wait_timed(sem, LONG));
}

static void broken_rt_sem_wait_barrier(void *arg)
{
	(void)arg;
	FAILS(rt_sem_wait_barrier, RTE_UNBLKD, rt_sem_wait_barrier(sem));
}

static void (*const semaphores_broken[])(void *) = {
	broken_rt_sem_wait,
	broken_rt_sem_wait_until,
	broken_rt_sem_wait_timed,
	broken_rt_sem_wait_barrier,
};

static void erase_semaphores(struct peer *peer)
{
	(void)peer;
	WORKS(rt_sem_delete, rt_sem_delete(sem) <= 0);
}

RTAI_TEST(deletion_ends_waits_of_semaphores)
{
	for (size_t i = 0; i < COUNT(semaphores_deleted); i++) {
		sem = rt_sem_init(0, i == COUNT(semaphores_deleted) - 1 ? 2 : 0);
		while_it_waits(semaphores_deleted[i], erase_semaphores);
	}
}

RTAI_TEST(waits_of_semaphores_are_broken)
{
	for (size_t i = 0; i < COUNT(semaphores_broken); i++) {
		sem = rt_sem_init(0, i == COUNT(semaphores_broken) - 1 ? 2 : 0);
		while_it_waits(semaphores_broken[i], break_its_wait);
	}
}

static void deleted_rt_cond_wait(void *arg)
{
	(void)arg;
	rt_sem_wait(mutex);
	FAILS(rt_cond_wait, RTE_OBJREM, rt_cond_wait(sem, mutex));
	expect_eq(rt_sem_signal(mutex), 0);
}

static void deleted_rt_cond_wait_until(void *arg)
{
	(void)arg;
	rt_sem_wait(mutex);
	FAILS(rt_cond_wait_until, RTE_OBJREM, rt_cond_wait_until(sem, mutex, rt_get_time() + LONG));
	expect_eq(rt_sem_signal(mutex), 0);
}

static void deleted_rt_cond_timedwait(void *arg)
{
	(void)arg;
	rt_sem_wait(mutex);
	FAILS(rt_cond_timedwait, RTE_OBJREM, rt_cond_timedwait(sem, mutex, rt_get_time() + LONG));
	expect_eq(rt_sem_signal(mutex), 0);
}

static void deleted_rt_cond_wait_timed(void *arg)
{
	(void)arg;
	rt_sem_wait(mutex);
	FAILS(rt_cond_wait_timed, RTE_OBJREM, rt_cond_wait_timed(sem, mutex, LONG));
	expect_eq(rt_sem_signal(mutex), 0);
}

static void (*const conditions_deleted[])(void *) = {
	deleted_rt_cond_wait,
	deleted_rt_cond_wait_until,
	deleted_rt_cond_timedwait,
	deleted_rt_cond_wait_timed,
};

static void broken_rt_cond_wait(void *arg)
{
	(void)arg;
	rt_sem_wait(mutex);
	FAILS(rt_cond_wait, RTE_UNBLKD, rt_cond_wait(sem, mutex));
	expect_eq(rt_sem_signal(mutex), 0);
}

static void broken_rt_cond_wait_until(void *arg)
{
	(void)arg;
	rt_sem_wait(mutex);
	FAILS(rt_cond_wait_until, RTE_UNBLKD, rt_cond_wait_until(sem, mutex, rt_get_time() + LONG));
	expect_eq(rt_sem_signal(mutex), 0);
}

static void broken_rt_cond_timedwait(void *arg)
{
	(void)arg;
	rt_sem_wait(mutex);
	FAILS(rt_cond_timedwait, RTE_UNBLKD, rt_cond_timedwait(sem, mutex, rt_get_time() + LONG));
	expect_eq(rt_sem_signal(mutex), 0);
}

static void broken_rt_cond_wait_timed(void *arg)
{
	(void)arg;
	rt_sem_wait(mutex);
	FAILS(rt_cond_wait_timed, RTE_UNBLKD, rt_cond_wait_timed(sem, mutex, LONG));
	expect_eq(rt_sem_signal(mutex), 0);
}

static void (*const conditions_broken[])(void *) = {
	broken_rt_cond_wait,
	broken_rt_cond_wait_until,
	broken_rt_cond_timedwait,
	broken_rt_cond_wait_timed,
};

static void erase_condition(struct peer *peer)
{
	(void)peer;
	WORKS(rt_cond_delete, rt_cond_delete(sem) <= 0);
}

RTAI_TEST(deletion_ends_waits_at_conditions)
{
	mutex = rt_typed_sem_init(0, RESEM_RECURS, RES_SEM);
	for (size_t i = 0; i < COUNT(conditions_deleted); i++) {
		WORKS(rt_cond_init, !(sem = rt_cond_init(0)));
		while_it_waits(conditions_deleted[i], erase_condition);
	}
}

RTAI_TEST(waits_at_conditions_are_broken)
{
	mutex = rt_typed_sem_init(0, RESEM_RECURS, RES_SEM);
	sem = rt_cond_init(0);
	for (size_t i = 0; i < COUNT(conditions_broken); i++)
		while_it_waits(conditions_broken[i], break_its_wait);
	WORKS(rt_cond_destroy, rt_cond_destroy(sem) <= 0);
}

RTAI_TEST(waits_end_with_their_time)
{
	sem = rt_sem_init(0, 0);
	mutex = rt_typed_sem_init(0, RESEM_RECURS, RES_SEM);
	FAILS(rt_sem_wait_until, RTE_TIMOUT, rt_sem_wait_until(sem, rt_get_time() + MS(1)));
	FAILS(rt_sem_wait_timed, RTE_TIMOUT, rt_sem_wait_timed(sem, MS(1)));
	FAILS(rt_sem_wait_timed, RTE_TIMOUT, rt_sem_wait_timed(sem, -1));
	rt_sem_wait(mutex);
	FAILS(rt_cond_wait_until, RTE_TIMOUT,
	      rt_cond_wait_until(sem, mutex, rt_get_time() + MS(1)));
	FAILS(rt_cond_timedwait, RTE_TIMOUT, rt_cond_timedwait(sem, mutex, rt_get_time() + MS(1)));
	FAILS(rt_cond_wait_timed, RTE_TIMOUT, rt_cond_wait_timed(sem, mutex, MS(1)));
	expect_eq(rt_sem_count(mutex), 0);
}

RTAI_TEST(bad_pointers_are_no_semaphores)
{
	void *const bad[] = {NULL, GARBAGE, NOTHING, rt_agent()};

	mutex = rt_typed_sem_init(0, RESEM_RECURS, RES_SEM);
	for (size_t i = 0; i < COUNT(bad); i++) {
		FAILS(rt_sem_signal, RTE_OBJINV, rt_sem_signal(bad[i]));
		FAILS(rt_sem_broadcast, RTE_OBJINV, rt_sem_broadcast(bad[i]));
		FAILS(rt_sem_wait, RTE_OBJINV, rt_sem_wait(bad[i]));
		FAILS(rt_sem_wait_if, RTE_OBJINV, rt_sem_wait_if(bad[i]));
		FAILS(rt_sem_wait_until, RTE_OBJINV, rt_sem_wait_until(bad[i], LONG));
		FAILS(rt_sem_wait_timed, RTE_OBJINV, rt_sem_wait_timed(bad[i], LONG));
		FAILS(rt_sem_wait_barrier, RTE_OBJINV, rt_sem_wait_barrier(bad[i]));
		FAILS(rt_sem_count, RTE_OBJINV, rt_sem_count(bad[i]));
		FAILS(rt_cond_signal, RTE_OBJINV, rt_cond_signal(bad[i]));
		FAILS(rt_cond_broadcast, RTE_OBJINV, rt_cond_broadcast(bad[i]));
		FAILS(rt_cond_wait, RTE_OBJINV, rt_cond_wait(bad[i], mutex));
		FAILS(rt_cond_wait_until, RTE_OBJINV, rt_cond_wait_until(bad[i], mutex, LONG));
		FAILS(rt_cond_timedwait, RTE_OBJINV, rt_cond_timedwait(bad[i], mutex, LONG));
		FAILS(rt_cond_wait_timed, RTE_OBJINV, rt_cond_wait_timed(bad[i], mutex, LONG));
		FAILS(rt_sem_delete, EFAULT, -rt_sem_delete(bad[i]));
		FAILS(rt_named_sem_delete, EFAULT, -rt_named_sem_delete(bad[i]));
		FAILS(rt_cond_delete, EFAULT, -rt_cond_delete(bad[i]));
		FAILS(rt_cond_destroy, EFAULT, -rt_cond_destroy(bad[i]));
		FAILS(rt_cond_wait, RTE_OBJINV, rt_cond_wait(mutex, bad[i]));
	}
}

RTAI_TEST(semaphores_are_not_made_of_bad_arguments)
{
	FAILS(rt_typed_sem_init, NULL, rt_typed_sem_init(nam2num("X"), -1, CNT_SEM));
	FAILS(rt_typed_sem_init, NULL, rt_typed_sem_init(nam2num("X"), 1, 0));
	FAILS(rt_typed_sem_init, NULL, rt_typed_sem_init(nam2num("X"), 1, 64));
	WORKS(rt_typed_sem_init, !rt_typed_sem_init(nam2num("X"), 1, CNT_SEM));
	FAILS(rt_typed_sem_init, NULL, rt_typed_sem_init(nam2num("X"), 1, CNT_SEM));
	FAILS(rt_sem_init, NULL, rt_sem_init(nam2num("X"), 1));
	FAILS(rt_cond_init, NULL, rt_cond_init(nam2num("X")));
	FAILS(rt_typed_named_sem_init, NULL, rt_typed_named_sem_init("", 1, CNT_SEM));
	FAILS(rt_typed_named_sem_init, NULL, rt_typed_named_sem_init("Y", 1, 99));
	FAILS(rt_named_sem_init, NULL, rt_named_sem_init(NULL, 1));
}

static SEM *barrier;

static void use_in_handler(void *arg)
{
	(void)arg;
	FAILS(rt_sem_wait, RTE_PERM, rt_sem_wait(sem));
	FAILS(rt_sem_wait_until, RTE_PERM, rt_sem_wait_until(sem, LONG));
	FAILS(rt_sem_wait_timed, RTE_PERM, rt_sem_wait_timed(sem, LONG));
	FAILS(rt_sem_wait_if, RTE_PERM, rt_sem_wait_if(mutex));
	FAILS(rt_sem_wait_barrier, RTE_PERM, rt_sem_wait_barrier(barrier));
	FAILS(rt_sem_signal, RTE_PERM, rt_sem_signal(mutex));
	FAILS(rt_cond_wait, RTE_PERM, rt_cond_wait(sem, mutex));
	FAILS(rt_sem_delete, EFAULT, -rt_sem_delete(sem));
	FAILS(rt_sem_init, NULL, rt_sem_init(0, 1));
	WORKS(rt_sem_wait_if, rt_sem_wait_if(sem));
	WORKS(rt_sem_signal, rt_sem_signal(sem));
	expect_eq(rt_sem_wait_if(sem), 1);
	expect_eq(rt_sem_broadcast(sem), 0);
	expect_eq(rt_cond_signal(sem), 0);
}

RTAI_TEST(handlers_do_not_wait_for_semaphores)
{
	sem = rt_sem_init(0, 0);
	barrier = rt_sem_init(0, 2);
	mutex = rt_typed_sem_init(0, RESEM_RECURS, RES_SEM);
	in_handler(use_in_handler);
}

RTAI_TEST(conditions_want_the_owner)
{
	mutex = rt_typed_sem_init(0, RESEM_RECURS, RES_SEM);
	sem = rt_cond_init(0);
	FAILS(rt_sem_broadcast, RTE_PERM, rt_sem_broadcast(mutex));
	FAILS(rt_cond_broadcast, RTE_PERM, rt_cond_broadcast(mutex));
	FAILS(rt_cond_signal, RTE_PERM, rt_cond_signal(mutex));
	FAILS(rt_cond_wait_until, RTE_PERM, rt_cond_wait_until(sem, mutex, LONG));
	FAILS(rt_cond_timedwait, RTE_PERM, rt_cond_timedwait(sem, mutex, LONG));
	FAILS(rt_cond_wait_timed, RTE_PERM, rt_cond_wait_timed(sem, mutex, LONG));
	FAILS(rt_cond_wait, RTE_PERM, rt_cond_wait(sem, sem));
	FAILS(rt_sem_wait_barrier, RTE_PERM, rt_sem_wait_barrier(mutex));
}

RTAI_TEST(owner_does_not_wait_for_itself)
{
	mutex = rt_typed_sem_init(0, RESEM_CHEKWT, RES_SEM);
	WORKS(rt_sem_wait, rt_sem_wait(mutex) != 1);
	FAILS(rt_sem_wait, RTE_DEADLOK, rt_sem_wait(mutex));
	FAILS(rt_sem_wait_if, RTE_DEADLOK, rt_sem_wait_if(mutex));
	FAILS(rt_sem_wait_until, RTE_DEADLOK, rt_sem_wait_until(mutex, LONG));
	FAILS(rt_sem_wait_timed, RTE_DEADLOK, rt_sem_wait_timed(mutex, LONG));
	WORKS(rt_sem_signal, rt_sem_signal(mutex));
}
