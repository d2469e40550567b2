/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events, buffers and pipes between processes. */
#include "processes.h"

#include <stdlib.h>

#include <alchemy/buffer.h>
#include <alchemy/event.h>
#include <alchemy/pipe.h>

enum { MADE, WAITS, MAY_END, ENDED };

#define BUFFER_BYTES 200000

static RT_EVENT event;
static RT_BUFFER buffer;
static RT_PIPE tube;

static void until_event_waiters(int count)
{
	RT_EVENT_INFO info = {0};

	for (int i = 0; i < 20000 && info.nwaiters != count; i++) {
		expect_ok(rt_event_inquire(&event, &info));
		usleep(1000);
	}
	expect_eq(info.nwaiters, count);
}

static void own_event(void)
{
	expect_ok(rt_event_create(&event, "lamps", 1, EV_PRIO));
	await(WAITS);
	until_event_waiters(1);
	expect_ok(rt_event_signal(&event, 0xc0));
	await(MAY_END);
	until_event_waiters(1);
	expect_ok(rt_event_delete(&event));
	await(ENDED);
}

static void use_event(void)
{
	struct timespec past = {0, 1};
	RT_EVENT_INFO info;
	unsigned int bits = 0;

	expect_ok(rt_event_bind(&event, "lamps", TM_INFINITE));
	expect_ok(rt_event_wait(&event, 3, &bits, EV_ANY, TM_INFINITE));
	expect_eq(bits, 1);
	expect_error(rt_event_wait(&event, 3, &bits, EV_ALL, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_event_wait(&event, 3, &bits, EV_ALL, TEST_MS), ETIMEDOUT);
	expect_error(rt_event_wait_until(&event, 2, &bits, EV_ALL, rt_timer_read() + TEST_MS),
		     ETIMEDOUT);
	expect_error(rt_event_wait_timed(&event, 2, NULL, EV_ALL, &past), ETIMEDOUT);
	expect_error(rt_event_wait(&event, 2, &bits, 64, TM_NONBLOCK), EINVAL);
	expect_ok(rt_event_signal(&event, 2));
	expect_ok(rt_event_wait(&event, 3, &bits, EV_ALL, TM_NONBLOCK));
	expect_ok(rt_event_clear(&event, 1, &bits));
	expect_eq(bits, 3);
	reach(WAITS);
	expect_ok(rt_event_wait(&event, 0xc0, &bits, EV_ALL, TM_INFINITE));
	expect_eq(bits, 0xc0);
	expect_ok(rt_event_inquire(&event, &info));
	expect_eq(info.value, 0xc2);
	expect_str(info.name, "lamps");
	reach(MAY_END);
	expect_error(rt_event_wait(&event, 1, &bits, EV_ALL, TM_INFINITE), EIDRM);
	expect_error(rt_event_signal(&event, 1), EINVAL);
	expect_ok(rt_event_unbind(&event));
	reach(ENDED);
}

TEST_UNSTARTED(bound_event_has_all_services)
{
	owner_and_user(own_event, use_event);
	expect_eq(names_left(), 0);
}

static void own_buffer(void)
{
	static char text[BUFFER_BYTES];

	expect_ok(rt_buffer_create(&buffer, "tape", BUFFER_BYTES, B_FIFO));
	expect_eq(rt_buffer_read(&buffer, text, BUFFER_BYTES, TM_INFINITE), BUFFER_BYTES);
	for (int i = 0; i < BUFFER_BYTES; i++)
		expect_eq((unsigned char)text[i], i % 251);
	expect_eq(rt_buffer_write(&buffer, text, BUFFER_BYTES, TM_INFINITE), BUFFER_BYTES);
	await(MAY_END);
	expect_ok(rt_buffer_delete(&buffer));
}

static void use_buffer(void)
{
	static unsigned char text[BUFFER_BYTES + 1];
	struct timespec past = {0, 1};
	RT_BUFFER_INFO info;

	expect_ok(rt_buffer_bind(&buffer, "tape", TM_INFINITE));
	expect_error(rt_buffer_read(&buffer, NULL, 1, TM_NONBLOCK), EINVAL);
	expect_error(rt_buffer_write(&buffer, NULL, 1, TM_NONBLOCK), EINVAL);
	expect_error(rt_buffer_write(&buffer, text, BUFFER_BYTES + 1, TM_NONBLOCK), EINVAL);
	/* Longer than a socket keeps. */
	for (int i = 0; i < BUFFER_BYTES; i++)
		text[i] = (unsigned char)(i % 251);
	expect_eq(rt_buffer_write(&buffer, text, BUFFER_BYTES, TM_INFINITE), BUFFER_BYTES);
	memset(text, 0, sizeof(text));
	expect_eq(rt_buffer_read(&buffer, text, BUFFER_BYTES, TM_INFINITE), BUFFER_BYTES);
	for (int i = 0; i < BUFFER_BYTES; i++)
		expect_eq(text[i], i % 251);
	expect_error(rt_buffer_read(&buffer, text, 1, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_buffer_read(&buffer, text, 1, TEST_MS), ETIMEDOUT);
	expect_error(rt_buffer_read_until(&buffer, text, 1, rt_timer_read() + TEST_MS), ETIMEDOUT);
	expect_error(rt_buffer_read_timed(&buffer, text, 1, &past), ETIMEDOUT);
	expect_eq(rt_buffer_write(&buffer, "abc", 3, TM_NONBLOCK), 3);
	expect_ok(rt_buffer_inquire(&buffer, &info));
	expect_eq(info.totalmem, BUFFER_BYTES);
	expect_eq(info.availmem, BUFFER_BYTES - 3);
	expect_str(info.name, "tape");
	expect_ok(rt_buffer_clear(&buffer));
	expect_error(rt_buffer_read(&buffer, text, 1, TM_NONBLOCK), EWOULDBLOCK);
	expect_ok(rt_buffer_unbind(&buffer));
	expect_error(rt_buffer_clear(&buffer), EINVAL);
	reach(MAY_END);
}

TEST_UNSTARTED(bound_buffer_has_all_services)
{
	owner_and_user(own_buffer, use_buffer);
	expect_eq(names_left(), 0);
}

static void own_pipe(void)
{
	expect_true(rt_pipe_create(&tube, "tube", P_MINOR_AUTO, 0) >= 0);
	reach(MADE);
	await(MAY_END);
	expect_error(rt_pipe_delete(&tube), EINVAL);
}

static void use_pipe(void)
{
	char text[8];

	expect_ok(rt_pipe_bind(&tube, "tube", TM_INFINITE));
	expect_eq(rt_pipe_write(&tube, "abc", 3, P_NORMAL), 3);
	expect_eq(rt_pipe_write(&tube, "now", 3, P_URGENT), 3);
	expect_eq(rt_pipe_stream(&tube, "defg", 4), 4);
	expect_error(rt_pipe_write(&tube, "x", 1, 64), EINVAL);
	expect_error(rt_pipe_write(&tube, NULL, 1, P_NORMAL), EINVAL);
	expect_error(rt_pipe_read(&tube, text, sizeof(text), TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_pipe_read(&tube, text, sizeof(text), TEST_MS), ETIMEDOUT);
	expect_error(rt_pipe_read(&tube, NULL, 1, TM_NONBLOCK), EINVAL);
	expect_ok(rt_pipe_delete(&tube));
	expect_error(rt_pipe_write(&tube, "abc", 3, P_NORMAL), EINVAL);
	expect_ok(rt_pipe_unbind(&tube));
	reach(MAY_END);
}

TEST_UNSTARTED(bound_pipe_has_all_services)
{
	session_begin();
	pid_t owner = process_begin(own_pipe);

	await(MADE);
	process_end(process_begin(use_pipe));
	process_end(owner);
	expect_eq(names_left(), 0);
}

static void own_for_a_while(void)
{
	expect_true(rt_pipe_create(&tube, "hose", P_MINOR_AUTO, 0) >= 0);
	await(MAY_END);
}

static void use_what_has_ended(void)
{
	char text[8];

	expect_ok(rt_pipe_bind(&tube, "hose", TM_INFINITE));
	expect_eq(rt_pipe_write(&tube, "abc", 3, P_NORMAL), 3);
	reach(MAY_END);
	expect_error(rt_pipe_read(&tube, text, sizeof(text), TM_INFINITE), EIDRM);
	await(ENDED);
	expect_error(rt_pipe_write(&tube, "abc", 3, P_NORMAL), EIDRM);
	expect_error(rt_pipe_stream(&tube, "abc", 3), EIDRM);
	expect_error(rt_pipe_delete(&tube), EIDRM);
	expect_ok(rt_pipe_unbind(&tube));
}

TEST_UNSTARTED(pipe_of_a_program_that_has_ended_is_gone)
{
	pid_t owner, user;

	session_begin();
	owner = process_begin(own_for_a_while);
	user = process_begin(use_what_has_ended);
	process_end(owner);
	reach(ENDED);
	process_end(user);
	expect_eq(names_left(), 0);
}
