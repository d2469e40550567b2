/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A boost ends at the instant at which the wait ends that lends it, whatever runs where the waiter
 * is: a task that computes above the waiter there does not prolong it.
 *
 *   CPU of the waiter   waiter (40) waits from 2 to 10 ms, computer (50) computes from 5 to 60 ms
 *   CPU of the owner    owner (5) computes all the time, rival (20) is ready from 8 ms on,
 *                       and runs from 10 ms on
 *
 * The cases differ only in their arguments. Each is a case of its own, so that its name says what
 * failed.
 */
#include "lenders.h"

/* The body runs on the owner's CPU, above all tasks. */
static void boost_ends(const struct lender *lender, uint32_t home, uint32_t at, enum end end)
{
	tact_task_t task[4];
	tact_task_t helper = {0};

	stop = false;
	/* The message that its waiter has gone, if another CPU has to send it. */
	messages_due = end == TIMES_OUT ? home != at : NOT_COUNTED;
	/* A message to the link's own CPU says that the waiter of the link is less urgent, and
	 * returns. */
	if (lender == &by_chain && home == at && end == TIMES_OUT)
		messages_due = 2;
	/* All tasks are there then, also on a loaded machine. */
	begin = tact_time_add(tact_now(), (test_exact() ? 1 : 20) * TEST_MS);
	object = lender->create(TACT_ON_CPU(home));
	if (lender->helper)
		helper = test_spawn_on(1 - at, 1, lender->helper, NULL);
	task[0] = test_spawn_on(at, 5, owner, (void *)lender);
	task[1] = test_spawn_on(at, 20, rival, NULL);
	task[2] = test_spawn_on(1 - at, 50, computer, NULL);
	task[3] = test_spawn_on(1 - at, 40, end == TIMES_OUT ? waiter : patient_waiter,
				(void *)lender);
	break_in(lender, task[3], end);
	for (int i = 0; i < (end == DELETED ? 3 : 4); i++)
		test_join(task[i]);
	if (helper.id)
		expect_ok(tact_task_delete(helper));
	expect_marks("rival computed");
}

static void in_each_way(const struct lender *lender, uint32_t home)
{
	boost_ends(lender, home, 0, TIMES_OUT);
}

TASK_TEST_CPUS(2, timeout_at_a_mutex_ends_the_boost)
{
	in_each_way(&by_mutex, 1);
}

TASK_TEST_CPUS(2, timeout_at_a_mutex_of_the_owners_cpu_ends_the_boost)
{
	in_each_way(&by_mutex, 0);
}

TASK_TEST_CPUS(2, timeout_at_a_mutex_by_arrival_ends_the_boost)
{
	in_each_way(&by_mutex_by_arrival, 1);
}

TASK_TEST_CPUS(2, unblocking_at_a_mutex_ends_the_boost)
{
	boost_ends(&by_mutex, 1, 0, UNBLOCKED);
}

TASK_TEST_CPUS(2, end_of_a_waiter_at_a_mutex_ends_the_boost)
{
	boost_ends(&by_mutex, 1, 0, DELETED);
}

TASK_TEST_CPUS(2, deletion_of_a_mutex_ends_the_boost)
{
	boost_ends(&by_mutex, 1, 0, OBJECT_DELETED);
}

TASK_TEST_CPUS(2, deletion_of_a_mutex_of_the_owners_cpu_ends_the_boost)
{
	boost_ends(&by_mutex, 0, 0, OBJECT_DELETED);
}

TASK_TEST_CPUS(2, timeout_at_the_far_end_of_a_chain_ends_the_boost)
{
	in_each_way(&by_chain, 1);
}

TASK_TEST_CPUS(2, timeout_at_the_far_end_of_a_chain_of_the_owners_cpu_ends_the_boost)
{
	in_each_way(&by_chain, 0);
}

TASK_TEST_CPUS(2, end_of_a_waiter_at_the_far_end_of_a_chain_ends_the_boost)
{
	boost_ends(&by_chain, 1, 0, DELETED);
}

TASK_TEST_CPUS(2, deletion_of_a_mutex_at_the_far_end_of_a_chain_ends_the_boost)
{
	boost_ends(&by_chain, 1, 0, OBJECT_DELETED);
}

TASK_TEST_CPUS(2, timeout_of_a_client_that_is_served_ends_the_boost)
{
	in_each_way(&by_port, 1);
}

TASK_TEST_CPUS(2, timeout_of_a_client_at_a_port_of_the_servers_cpu_ends_the_boost)
{
	in_each_way(&by_port, 0);
}

TASK_TEST_CPUS(2, end_of_a_client_that_is_served_ends_the_boost)
{
	boost_ends(&by_port, 1, 0, DELETED);
}

TASK_TEST_CPUS(2, timeout_of_a_client_that_presses_ends_the_boost)
{
	in_each_way(&by_busy_port, 1);
}

TASK_TEST_CPUS(2, unblocking_a_client_that_presses_ends_the_boost)
{
	boost_ends(&by_busy_port, 1, 0, UNBLOCKED);
}

TASK_TEST_CPUS(2, end_of_a_client_that_presses_ends_the_boost)
{
	boost_ends(&by_busy_port, 1, 0, DELETED);
}

TASK_TEST_CPUS(2, unblocking_a_client_that_is_served_ends_the_boost)
{
	boost_ends(&by_port, 1, 0, UNBLOCKED);
}

TASK_TEST_CPUS(2, deletion_of_a_port_that_is_served_ends_the_boost)
{
	boost_ends(&by_port, 1, 0, OBJECT_DELETED);
}

TASK_TEST_CPUS(2, deletion_of_a_port_of_the_servers_cpu_ends_the_boost)
{
	boost_ends(&by_port, 0, 0, OBJECT_DELETED);
}

TASK_TEST_CPUS(2, deletion_of_a_port_where_a_client_presses_ends_the_boost)
{
	boost_ends(&by_busy_port, 1, 0, OBJECT_DELETED);
}

TASK_TEST_CPUS(2, timeout_of_a_reader_that_waits_for_a_writer_ends_the_boost)
{
	in_each_way(&by_reader, 1);
}

TASK_TEST_CPUS(2, timeout_of_a_reader_at_a_lock_of_the_writers_cpu_ends_the_boost)
{
	in_each_way(&by_reader, 0);
}

TASK_TEST_CPUS(2, unblocking_a_reader_that_waits_for_a_writer_ends_the_boost)
{
	boost_ends(&by_reader, 1, 0, UNBLOCKED);
}

TASK_TEST_CPUS(2, timeout_of_a_writer_that_waits_for_a_writer_ends_the_boost)
{
	in_each_way(&by_writer, 1);
}

TASK_TEST_CPUS(2, end_of_a_reader_that_waits_for_a_writer_ends_the_boost)
{
	boost_ends(&by_reader, 1, 0, DELETED);
}

TASK_TEST_CPUS(2, unblocking_a_writer_that_waits_for_a_writer_ends_the_boost)
{
	boost_ends(&by_writer, 1, 0, UNBLOCKED);
}

TASK_TEST_CPUS(2, end_of_a_writer_that_waits_for_a_writer_ends_the_boost)
{
	boost_ends(&by_writer, 1, 0, DELETED);
}

TASK_TEST_CPUS(2, deletion_of_a_lock_that_a_reader_waits_for_ends_the_boost)
{
	boost_ends(&by_reader, 1, 0, OBJECT_DELETED);
}

TASK_TEST_CPUS(2, deletion_of_a_lock_of_the_writers_cpu_ends_the_boost)
{
	boost_ends(&by_reader, 0, 0, OBJECT_DELETED);
}

TASK_TEST_CPUS(2, deletion_of_a_lock_that_a_writer_waits_for_ends_the_boost)
{
	boost_ends(&by_writer, 1, 0, OBJECT_DELETED);
}
