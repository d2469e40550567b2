/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All on one CPU: the waiter, the owner, and the task that runs before the owner when the wait is
 * over. */
#include "lenders.h"

#include <tactus/mutex.h>
#include <tactus/port.h>

/* The rival preempts the owner at its instant, not when the owner next calls. */
static void on_one_cpu(const struct lender *lender, enum end end)
{
	tact_task_t task[3];
	tact_task_t helper = {0};

	stop = false;
	messages_due = 0;
	begin = tact_time_add(tact_now(), TEST_MS);
	object = lender->create(0);
	task[0] = test_spawn_on(0, 5, owner, (void *)lender);
	task[1] = test_spawn_on(0, 20, rival, NULL);
	task[2] = test_spawn_on(0, 40, end == TIMES_OUT ? waiter : patient_waiter, (void *)lender);
	/* It waits behind the owner's first step, and is there before the waiter. */
	if (lender->helper)
		helper = test_spawn_on(0, 6, lender->helper, NULL);
	break_in(lender, task[2], end);
	for (int i = 0; i < (end == DELETED ? 2 : 3); i++)
		test_join(task[i]);
	if (helper.id)
		(void)tact_task_delete(helper);
	expect_marks("rival");
}

TASK_TEST(boost_by_a_mutex_ends_on_the_same_cpu)
{
	on_one_cpu(&by_mutex, TIMES_OUT);
}

TASK_TEST(boost_by_a_mutex_ends_with_the_unblocking_on_the_same_cpu)
{
	on_one_cpu(&by_mutex, UNBLOCKED);
}

TASK_TEST(boost_by_a_mutex_ends_with_the_waiter_on_the_same_cpu)
{
	on_one_cpu(&by_mutex, DELETED);
}

TASK_TEST(boost_by_a_mutex_ends_with_the_mutex_on_the_same_cpu)
{
	on_one_cpu(&by_mutex, OBJECT_DELETED);
}

TASK_TEST(boost_by_a_client_ends_on_the_same_cpu)
{
	on_one_cpu(&by_port, TIMES_OUT);
}

TASK_TEST(boost_by_a_client_ends_with_the_unblocking_on_the_same_cpu)
{
	on_one_cpu(&by_port, UNBLOCKED);
}

TASK_TEST(boost_by_a_client_ends_with_the_client_on_the_same_cpu)
{
	on_one_cpu(&by_port, DELETED);
}

TASK_TEST(boost_by_a_client_ends_with_the_port_on_the_same_cpu)
{
	on_one_cpu(&by_port, OBJECT_DELETED);
}

TASK_TEST(boost_by_a_client_that_presses_ends_on_the_same_cpu)
{
	on_one_cpu(&by_busy_port, TIMES_OUT);
}

TASK_TEST(boost_by_a_client_that_presses_ends_with_the_unblocking_on_the_same_cpu)
{
	on_one_cpu(&by_busy_port, UNBLOCKED);
}

TASK_TEST(boost_by_a_client_that_presses_ends_with_the_client_on_the_same_cpu)
{
	on_one_cpu(&by_busy_port, DELETED);
}

TASK_TEST(boost_by_a_client_that_presses_ends_with_the_port_on_the_same_cpu)
{
	on_one_cpu(&by_busy_port, OBJECT_DELETED);
}

TASK_TEST(boost_by_a_reader_ends_on_the_same_cpu)
{
	on_one_cpu(&by_reader, TIMES_OUT);
}

TASK_TEST(boost_by_a_reader_ends_with_the_unblocking_on_the_same_cpu)
{
	on_one_cpu(&by_reader, UNBLOCKED);
}

TASK_TEST(boost_by_a_reader_ends_with_the_reader_on_the_same_cpu)
{
	on_one_cpu(&by_reader, DELETED);
}

TASK_TEST(boost_by_a_reader_ends_with_the_lock_on_the_same_cpu)
{
	on_one_cpu(&by_reader, OBJECT_DELETED);
}

TASK_TEST(boost_by_a_writer_ends_on_the_same_cpu)
{
	on_one_cpu(&by_writer, TIMES_OUT);
}

TASK_TEST(boost_by_a_writer_ends_with_the_unblocking_on_the_same_cpu)
{
	on_one_cpu(&by_writer, UNBLOCKED);
}

TASK_TEST(boost_by_a_writer_ends_with_the_writer_on_the_same_cpu)
{
	on_one_cpu(&by_writer, DELETED);
}

TASK_TEST(boost_by_a_writer_ends_with_the_lock_on_the_same_cpu)
{
	on_one_cpu(&by_writer, OBJECT_DELETED);
}

/* Queues that lend nothing: the timeout of a waiter that cannot preempt interrupts no task. */

static int wait_sem(tact_object_t sem, tact_timeout_t timeout)
{
	return tact_sem_wait((tact_sem_t){sem.id}, timeout);
}

static tact_object_t create_sem(uint32_t flags)
{
	tact_sem_t sem;

	expect_ok(tact_sem_create(NULL, 0, 1, flags | TACT_PRIO, &sem));
	return tact_object(sem);
}

static void own_nothing(tact_object_t unused)
{
	(void)unused;
}

static tact_object_t create_plain_mutex(uint32_t flags)
{
	tact_mutex_t mutex;

	expect_ok(tact_mutex_create(NULL, flags | TACT_PRIO | TACT_MUTEX_PLAIN, 0, &mutex));
	return tact_object(mutex);
}

static tact_object_t create_ceiling_mutex(uint32_t flags)
{
	tact_mutex_t mutex;

	expect_ok(tact_mutex_create(NULL, flags | TACT_PRIO | TACT_MUTEX_CEILING, 45, &mutex));
	return tact_object(mutex);
}

static tact_object_t create_fixed_port(uint32_t flags)
{
	tact_port_t port;

	expect_ok(tact_port_create(NULL, flags | TACT_PRIO | TACT_PORT_FIXED, &port));
	return tact_object(port);
}

static const struct lender none[] = {
	{create_sem, NULL, own_nothing, wait_sem, NULL},
	{create_plain_mutex, NULL, own_mutex, lock_mutex, NULL},
	{create_ceiling_mutex, NULL, own_mutex, lock_mutex, NULL},
	{create_fixed_port, NULL, serve, send_nothing, NULL},
};

TASK_TEST(timeouts_where_nothing_is_lent_interrupt_nobody)
{
	for (unsigned i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		tact_task_t task[2];
		uint64_t before;

		stop = false;
		begin = tact_now();
		object = none[i].create(0);
		task[0] = test_spawn_light(5, owner, (void *)&none[i]);
		task[1] = test_spawn_light(40, waiter, (void *)&none[i]);
		expect_ok(tact_task_sleep_until(at_ms(COMPUTES_MS)));
		before = info_of_cpu().events;
		while (tact_now().ns < begin.ns + 2 * ENDS_MS * TEST_MS)
			tact_compute(TEST_MS / 10);
		if (test_exact())
			expect_eq(info_of_cpu().events - before, 0);
		stop = true;
		test_join(task[0]);
		test_join(task[1]);
	}
}
