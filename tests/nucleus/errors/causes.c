/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What ends a wait has the same code whatever is waited for: docs/spec/errors.md. */
#define _GNU_SOURCE
#include "timers.h"
#include "waits.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OWN_CODE (-TACT_ERROR_MAX)

struct waiter {
	const struct waits_row *row;
	tact_timeout_t timeout;
	int result;
};

static void run(void *arg)
{
	struct waiter *waiter = arg;

	waiter->result = waiter->row->wait(waiter->timeout);
}

/* Call end() for the task once it waits, and return what its call returned. */
static int result_after(const struct waits_row *row,
			void (*end)(const struct waits_row *row, tact_task_t task))
{
	struct waiter waiter = {row, TEST_LONG, 1};
	tact_task_t task;

	waits_make();
	task = test_spawn(20, run, &waiter);
	test_until_state(task, row->state);
	end(row, task);
	test_join(task);
	return waiter.result;
}

static int result_of(const struct waits_row *row, uint32_t cpu, tact_timeout_t timeout)
{
	struct waiter waiter = {row, timeout, 1};

	test_join(test_spawn_on(cpu, 20, run, &waiter));
	return waiter.result;
}

TEST(call_that_would_block_has_one_code)
{
	for (unsigned i = 0; i < waits_count; i++) {
		if (!(waits_rows[i].has & WAITS_TIMEOUT))
			continue;
		waits_make();
		waits_expect(&waits_rows[i], "would block",
			     result_of(&waits_rows[i], 0, TACT_NOWAIT), -TACT_EAGAIN);
	}
}

TEST(wait_that_times_out_has_one_code)
{
	for (unsigned i = 0; i < waits_count; i++) {
		if (!(waits_rows[i].has & WAITS_TIMEOUT))
			continue;
		waits_make();
		waits_expect(&waits_rows[i], "relative",
			     result_of(&waits_rows[i], 0, tact_in(TEST_MS)), -TACT_ETIMEDOUT);
		waits_expect(&waits_rows[i], "passed",
			     result_of(&waits_rows[i], 0, tact_at((tact_time_t){1})),
			     -TACT_ETIMEDOUT);
	}
}

static void delete_object(const struct waits_row *row, tact_task_t task)
{
	(void)task;
	expect_ok(row->delete ());
}

TEST(deletion_while_a_call_waits_has_one_code)
{
	for (unsigned i = 0; i < waits_count; i++)
		if (waits_rows[i].has & WAITS_DELETED)
			waits_expect(&waits_rows[i], "deleted",
				     result_after(&waits_rows[i], delete_object), -TACT_EIDRM);
}

static void flush_object(const struct waits_row *row, tact_task_t task)
{
	(void)task;
	expect_true(row->flush() >= 0);
}

TEST(flush_has_the_code_of_a_caller_that_gives_none)
{
	for (unsigned i = 0; i < waits_count; i++)
		if (waits_rows[i].flush)
			waits_expect(&waits_rows[i], "flushed",
				     result_after(&waits_rows[i], flush_object), -TACT_ECANCELED);
}

static void unblock(const struct waits_row *row, tact_task_t task)
{
	(void)row;
	expect_ok(tact_task_unblock(task, 0));
}

static void unblock_by_code(const struct waits_row *row, tact_task_t task)
{
	(void)row;
	expect_error(tact_task_unblock(task, 1), TACT_EINVAL);
	expect_error(tact_task_unblock(task, OWN_CODE - 1), TACT_EINVAL);
	expect_error(tact_task_unblock(task, -TACT_EOWNERDEAD), TACT_EINVAL);
	expect_error(tact_task_unblock(task, -TACT_ENOTRECOVERABLE), TACT_EINVAL);
	expect_ok(tact_task_unblock(task, OWN_CODE));
}

TEST(caller_that_breaks_a_wait_chooses_its_code)
{
	for (unsigned i = 0; i < waits_count; i++) {
		waits_expect(&waits_rows[i], "unblocked", result_after(&waits_rows[i], unblock),
			     -TACT_ECANCELED);
		waits_expect(&waits_rows[i], "unblocked by a code",
			     result_after(&waits_rows[i], unblock_by_code), OWN_CODE);
	}
}

static int result_from_afar(const struct waits_row *row)
{
	struct waiter waiter = {row, TEST_LONG, 1};
	tact_task_t task;

	waits_make();
	task = test_spawn_on(1, 20, run, &waiter);
	test_until_state(task, row->state);
	settle();
	/* The code of the first counts, whichever comes to the home first. */
	expect_ok(tact_task_unblock(task, OWN_CODE));
	(void)tact_task_unblock(task, OWN_CODE + 1);
	test_join(task);
	return waiter.result;
}

TEST_CPUS(2, code_of_a_caller_travels_to_the_home_of_the_object)
{
	for (unsigned i = 0; i < waits_count; i++)
		waits_expect(&waits_rows[i], "unblocked from afar",
			     result_from_afar(&waits_rows[i]), OWN_CODE);
}

static void on_signal(int number)
{
	(void)number;
	mark("handled");
}

static void send_signal(const struct waits_row *row, tact_task_t task)
{
	struct tact_task_info info = {0};

	(void)row;
	expect_ok(tact_task_inquire(task, &info));
	expect_ok(syscall(SYS_tgkill, getpid(), info.linux_tid, SIGUSR1));
}

TEST(signal_has_one_code)
{
	struct sigaction action = {.sa_handler = on_signal};

	if (test_on_sim())
		test_skip("signals.c has the signals of virtual time");
	expect_ok(sigaction(SIGUSR1, &action, NULL));
	for (unsigned i = 0; i < waits_count; i++)
		waits_expect(&waits_rows[i], "signal", result_after(&waits_rows[i], send_signal),
			     -TACT_EINTR);
}

static void use_up(void *unused)
{
	(void)unused;
	use_up_timers();
}

static void make_without_timers(void)
{
	waits_make();
	test_until_state(test_spawn_light(10, use_up, NULL), TACT_TASK_STATE_SUSPENDED);
}

TEST_CPUS(2, wait_without_a_timer_has_one_code)
{
	make_without_timers();
	for (unsigned i = 0; i < waits_count; i++)
		if (waits_rows[i].has & WAITS_TIMER)
			waits_expect(&waits_rows[i], "no timer",
				     result_of(&waits_rows[i], 1, TEST_LONG), -TACT_ENOMEM);
}

TEST(wait_of_a_linux_thread_without_a_timer_has_the_same_code)
{
	make_without_timers();
	for (unsigned i = 0; i < waits_count; i++)
		if (waits_rows[i].has & WAITS_LINUX)
			waits_expect(&waits_rows[i], "no timer", waits_rows[i].wait(TEST_LONG),
				     -TACT_ENOMEM);
}

TEST(call_without_a_wait_needs_no_timer)
{
	tact_queue_t queue;

	expect_ok(tact_queue_create(NULL, 8, 1, 0, &queue));
	make_without_timers();
	expect_error(tact_queue_receive(queue, NULL, 0, NULL, TACT_NOWAIT), TACT_EAGAIN);
	expect_ok(tact_queue_send(queue, "x", 1, TACT_QUEUE_NORMAL, TEST_LONG));
	expect_eq(tact_queue_receive(queue, NULL, 0, NULL, TEST_LONG), 1);
	expect_ok(tact_queue_send(queue, "x", 1, TACT_QUEUE_NORMAL, TACT_FOREVER));
}
