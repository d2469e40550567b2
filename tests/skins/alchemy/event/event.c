/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Event flags: awaited and reported bits, order, timeouts, deletion, refusals. */
#include "alchemy_test.h"

#include <alchemy/event.h>

static RT_EVENT event;

TEST(bits_are_set_waited_for_and_cleared)
{
	RT_EVENT_INFO info;
	unsigned int bits = 0;

	expect_ok(rt_event_create(&event, "flags", 0x10, EV_FIFO));
	expect_ok(rt_event_signal(&event, 0x3));
	expect_ok(rt_event_wait(&event, 0x11, &bits, EV_ALL, TM_NONBLOCK));
	expect_eq(bits, 0x11);
	/* The requested bits that are there. */
	expect_ok(rt_event_wait(&event, 0x82, &bits, EV_ANY, TM_NONBLOCK));
	expect_eq(bits, 0x2);
	expect_error(rt_event_wait(&event, 0x81, &bits, EV_ALL, TM_NONBLOCK), EWOULDBLOCK);
	expect_eq(bits, 0x2);
	expect_ok(rt_event_clear(&event, 0x1, &bits));
	expect_eq(bits, 0x13);
	expect_ok(rt_event_clear(&event, 0x2, NULL));
	expect_ok(rt_event_inquire(&event, &info));
	expect_eq(info.value, 0x10);
	expect_eq(info.nwaiters, 0);
	expect_str(info.name, "flags");
	/* Nothing is waited for. */
	expect_ok(rt_event_wait(&event, 0, &bits, EV_ALL, TM_INFINITE));
	expect_eq(bits, 0x10);
}

static void wait_any(void *arg)
{
	unsigned int bits = 0;
	int error = rt_event_wait(&event, 0x6, &bits, EV_ANY, TM_INFINITE);

	mark(error == -EIDRM ? "deleted" : error == -EINTR ? "broken" : bits == 2 ? arg : "other");
}

static void wait_all(void *arg)
{
	unsigned int bits = 0;

	expect_ok(rt_event_wait(&event, 0x6, &bits, EV_ALL, TM_INFINITE));
	expect_eq(bits, 0x6);
	mark(arg);
}

static void signal_two(void *arg)
{
	(void)arg;
	expect_ok(rt_event_signal(&event, 0x2));
	expect_ok(rt_task_sleep(TEST_MS));
	expect_ok(rt_event_signal(&event, 0x4));
}

TEST(waiters_go_when_their_bits_are_there)
{
	RT_TASK any;
	RT_TASK all;
	RT_TASK giver;

	expect_ok(rt_event_create(&event, NULL, 0, EV_PRIO));
	spawn_waiter(&all, 30, wait_all, "all");
	spawn_waiter(&any, 20, wait_any, "any");
	spawn(&giver, 40, signal_two, NULL);
	join(&any);
	join(&all);
	join(&giver);
	expect_marks("any all");
}

TEST(deletion_and_unblocking_end_waits)
{
	RT_TASK task[2];

	expect_ok(rt_event_create(&event, NULL, 0, EV_FIFO));
	spawn_waiter(&task[0], 20, wait_any, NULL);
	spawn_waiter(&task[1], 20, wait_any, NULL);
	expect_ok(rt_task_unblock(&task[0]));
	join(&task[0]);
	expect_ok(rt_event_delete(&event));
	join(&task[1]);
	expect_marks("broken deleted");
}

static void times_out(void *arg)
{
	RTIME then;
	struct timespec date;

	(void)arg;
	expect_error(rt_event_wait(&event, 1, NULL, EV_ALL, TEST_MS), ETIMEDOUT);
	then = rt_timer_read() + TEST_MS;
	expect_error(rt_event_wait_until(&event, 1, NULL, EV_ALL, then), ETIMEDOUT);
	expect_true(rt_timer_read() >= then);
	date = date_of(rt_timer_read() + TEST_MS);
	expect_error(rt_event_wait_timed(&event, 1, NULL, EV_ALL, &date), ETIMEDOUT);
	expect_error(rt_event_wait_until(&event, 1, NULL, EV_ALL, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_event_wait_timed(&event, 1, NULL, EV_ALL, &(struct timespec){0, 0}),
		     EWOULDBLOCK);
	expect_error(rt_event_wait_timed(&event, 1, NULL, EV_ALL, &(struct timespec){0, -1}),
		     EINVAL);
	expect_ok(rt_event_signal(&event, 1));
	expect_ok(rt_event_wait_until(&event, 1, NULL, EV_ALL, TM_INFINITE));
	expect_ok(rt_event_wait_timed(&event, 1, NULL, EV_ALL, NULL));
	expect_ok(rt_event_clear(&event, 1, NULL));
}

TEST(waits_end_in_time)
{
	RT_TASK task;

	expect_ok(rt_event_create(&event, NULL, 0, EV_FIFO));
	times_out(NULL);
	spawn(&task, 20, times_out, NULL);
	join(&task);
}

TEST(names_are_found)
{
	RT_EVENT bound;

	expect_ok(rt_event_create(&event, "known", 5, EV_FIFO));
	expect_error(rt_event_create(&bound, "known", 0, EV_FIFO), EEXIST);
	expect_ok(rt_event_bind(&bound, "known", TM_NONBLOCK));
	expect_ok(rt_event_wait(&bound, 5, NULL, EV_ALL, TM_NONBLOCK));
	expect_ok(rt_event_unbind(&bound));
	expect_error(rt_event_signal(&bound, 1), EINVAL);
	expect_error(rt_event_bind(&bound, "unknown", TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_event_bind(&bound, "unknown", TEST_MS), ETIMEDOUT);
}

static void expect_bad(RT_EVENT *bad)
{
	unsigned int bits;
	RT_EVENT_INFO info;

	expect_error(rt_event_delete(bad), EINVAL);
	expect_error(rt_event_signal(bad, 1), EINVAL);
	expect_error(rt_event_wait(bad, 1, &bits, EV_ALL, TM_NONBLOCK), EINVAL);
	expect_error(rt_event_wait_until(bad, 1, &bits, EV_ALL, TM_NONBLOCK), EINVAL);
	expect_error(rt_event_wait_timed(bad, 1, &bits, EV_ALL, NULL), EINVAL);
	expect_error(rt_event_clear(bad, 1, &bits), EINVAL);
	expect_error(rt_event_inquire(bad, &info), EINVAL);
}

TEST(bad_arguments_are_refused)
{
	RT_EVENT none = {0};

	expect_error(rt_event_create(&event, NULL, 0, 0x2), EINVAL);
	expect_error(rt_event_create(NULL, NULL, 0, 0), EINVAL);
	expect_ok(rt_event_create(&event, NULL, 0, EV_FIFO));
	expect_error(rt_event_wait(&event, 1, NULL, 0x2, TM_NONBLOCK), EINVAL);
	expect_bad(NULL);
	expect_bad(&none);
	expect_ok(rt_event_delete(&event));
	expect_bad(&event);
	expect_error(rt_event_unbind(NULL), EINVAL);
}

static void use_in_handler(void *unused)
{
	unsigned int bits;
	RT_EVENT other;

	(void)unused;
	expect_error(rt_event_create(&other, NULL, 0, EV_FIFO), EPERM);
	expect_error(rt_event_delete(&event), EPERM);
	expect_ok(rt_event_signal(&event, 6));
	expect_ok(rt_event_wait(&event, 2, &bits, EV_ALL, TM_INFINITE));
	expect_error(rt_event_wait(&event, 1, &bits, EV_ALL, TM_INFINITE), EPERM);
	expect_error(rt_event_wait(&event, 1, &bits, EV_ALL, TM_NONBLOCK), EWOULDBLOCK);
	expect_ok(rt_event_clear(&event, 6, &bits));
	expect_eq(bits, 6);
	expect_ok(rt_event_inquire(&event, NULL));
}

TEST(handler_signals_and_does_not_wait)
{
	expect_ok(rt_event_create(&event, NULL, 0, EV_FIFO));
	test_in_handler(use_in_handler, NULL);
}
