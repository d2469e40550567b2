/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks of other processes: messages, control, inquiry, their ends. */
#define _GNU_SOURCE /* cpu_set_t */
#include "processes.h"

#include <stdlib.h>

#include <alchemy/sem.h>
#include <trank/native/timer.h>

enum { MADE, RESUMED, DONE, MAY_END, WORKS, WORKED };

static RT_TASK task;

static void serve_messages(void *arg)
{
	(void)arg;
	for (int turn = 0; turn < 2; turn++) {
		char text[16];
		RT_TASK_MCB request = {.data = text, .size = sizeof(text)};
		RT_TASK_MCB reply = {.opcode = 7, .data = (caddr_t) "pong", .size = 5};
		int flowid = rt_task_receive(&request, TM_INFINITE);

		expect_true(flowid > 0);
		expect_eq(request.opcode, 3);
		expect_str(text, "ping");
		/* The second sender has no room for it. */
		expect_eq(rt_task_reply(flowid, &reply), turn ? -ENOBUFS : 0);
	}
	expect_ok(rt_task_suspend(NULL));
	reach(RESUMED);
	expect_error(rt_task_sleep(1000 * SECONDS), EINTR);
	reach(DONE);
	for (;;)
		expect_ok(rt_task_sleep(TEST_MS));
}

static void own_server(void)
{
	expect_ok(rt_task_spawn(&task, "server", 0, 30, 0, serve_messages, NULL));
	await(MAY_END);
	expect_error(rt_task_inquire(&task, NULL), EINVAL);
}

static void call(void)
{
	char text[16] = "";
	RT_TASK_MCB request = {.opcode = 3, .data = (caddr_t) "ping", .size = 5};
	RT_TASK_MCB reply = {.data = text, .size = sizeof(text)};
	RT_TASK_MCB small = {.data = text, .size = 1};

	expect_eq(rt_task_send(&task, &request, &reply, TM_INFINITE), 5);
	expect_eq(reply.opcode, 7);
	expect_eq(reply.size, sizeof(text));
	expect_str(text, "pong");
	expect_error(rt_task_send(&task, &request, &small, TM_INFINITE), ENOBUFS);
	/* There is no receiver any more. */
	expect_error(rt_task_send(&task, &request, &reply, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_task_send(&task, &request, &reply, TEST_MS), ETIMEDOUT);
	expect_error(rt_task_send(&task, NULL, &reply, TEST_MS), EINVAL);
}

static void control(void)
{
	RT_TASK_INFO info;
	cpu_set_t cpus;

	until_status(&task, XNSUSP);
	expect_ok(rt_task_resume(&task));
	await(RESUMED);
	until_status(&task, XNDELAY);
	expect_ok(rt_task_unblock(&task));
	await(DONE);
	expect_ok(rt_task_suspend(&task));
	until_status(&task, XNSUSP);
	expect_ok(rt_task_set_priority(&task, 42));
	expect_error(rt_task_set_priority(&task, 1000), EINVAL);
	expect_ok(rt_task_slice(&task, TEST_MS));
	expect_ok(rt_task_set_periodic(&task, TM_NOW, TEST_MS));
	CPU_ZERO(&cpus);
	expect_error(rt_task_set_affinity(&task, &cpus), EINVAL);
	expect_error(rt_task_set_affinity(&task, NULL), EINVAL);
	expect_ok(rt_task_inquire(&task, &info));
	expect_str(info.name, "server");
	expect_eq(info.prio, 42);
	CPU_SET((size_t)info.stat.cpu, &cpus);
	expect_ok(rt_task_set_affinity(&task, &cpus));
	expect_ok(rt_task_inquire(&task, NULL));
	/* It is no thread of this process. */
	expect_error(rt_task_join(&task), EINVAL);
	expect_error(rt_task_start(&task, serve_messages, NULL), EINVAL);
}

static void call_and_control(void)
{
	RT_TASK same;

	expect_ok(rt_task_bind(&task, "server", TM_INFINITE));
	expect_ok(rt_task_bind(&same, "server", TM_NONBLOCK));
	call();
	control();
	expect_ok(rt_task_delete(&same));
	for (int i = 0; i < 20000 && !rt_task_inquire(&task, NULL); i++)
		usleep(1000);
	expect_error(rt_task_inquire(&task, NULL), EINVAL);
	expect_error(rt_task_suspend(&task), EINVAL);
	expect_ok(rt_task_unbind(&task));
	/* The name went with it. */
	expect_error(rt_task_bind(&task, "server", TM_NONBLOCK), EWOULDBLOCK);
	reach(MAY_END);
}

TEST_UNSTARTED(bound_task_has_its_services)
{
	owner_and_user(own_server, call_and_control);
	expect_eq(names_left(), 0);
}

#define MESSAGES 500

static void count_messages(void *arg)
{
	int last = 0;

	(void)arg;
	while (last < MESSAGES) {
		RT_TASK_MCB request = {.size = 0};
		int flowid = rt_task_receive(&request, TM_INFINITE);

		expect_true(flowid > 0);
		expect_true(request.opcode > last);
		last = request.opcode;
		/* The sender may have been broken meanwhile. */
		(void)rt_task_reply(flowid, NULL);
	}
}

static void own_counter(void)
{
	expect_ok(rt_task_spawn(&task, "counter", 0, 30, T_JOINABLE, count_messages, NULL));
	join(&task);
	await(MAY_END);
}

static void send_messages(void *sent)
{
	for (int i = 1; i < MESSAGES; i++) {
		RT_TASK_MCB request = {.opcode = i};
		ssize_t result = rt_task_send(&task, &request, NULL, TM_INFINITE);

		expect_true(result == 0 || result == -EINTR);
	}
	*(_Atomic bool *)sent = true;
}

static void break_the_sender(void)
{
	RT_TASK_MCB last = {.opcode = MESSAGES};
	_Atomic bool sent = false;
	unsigned int seed = 1;
	RT_TASK sender;

	expect_ok(rt_task_bind(&task, "counter", TM_INFINITE));
	spawn(&sender, 20, send_messages, (void *)&sent);
	while (!sent) {
		expect_ok(rt_task_unblock(&sender));
		usleep((useconds_t)rand_r(&seed) % 200);
	}
	join(&sender);
	expect_ok(rt_task_send(&task, &last, NULL, TM_INFINITE));
	reach(MAY_END);
}

TEST_UNSTARTED(message_of_a_sender_that_is_broken_comes_once)
{
	owner_and_user(own_counter, break_the_sender);
}

#define TICK (10 * TEST_MS)

static void wait_for_a_period(void *arg)
{
	(void)arg;
	while (rt_task_wait_period(NULL) == -EWOULDBLOCK)
		usleep(1000);
	reach(DONE);
}

static void own_with_long_ticks(void)
{
	expect_ok(rt_timer_set_mode(TICK));
	expect_ok(rt_task_spawn(&task, "ticker", 0, 30, T_JOINABLE, wait_for_a_period, NULL));
	join(&task);
	await(MAY_END);
}

static void ask_for_less_than_a_tick(void)
{
	expect_ok(rt_task_bind(&task, "ticker", TM_INFINITE));
	expect_ok(rt_task_slice(&task, TEST_MS));
	expect_ok(rt_task_set_periodic(&task, TM_NOW, TEST_MS));
	await(DONE);
	reach(MAY_END);
}

TEST_UNSTARTED(what_is_less_than_the_owners_tick_is_one)
{
	owner_and_user(own_with_long_ticks, ask_for_less_than_a_tick);
}

static void end_quickly(void *arg)
{
	(void)arg;
}

static void end_named_tasks(void)
{
	for (int i = 0; i < 50; i++) {
		expect_ok(rt_task_spawn(&task, "again", 0, 30, T_JOINABLE, end_quickly, NULL));
		join(&task);
	}
}

TEST_UNSTARTED(names_of_tasks_end_with_them)
{
	session_begin();
	process_end(process_begin(end_named_tasks));
	expect_eq(names_left(), 0);
}

static void *work(void *unused)
{
	(void)unused;
	expect_ok(rt_task_shadow(NULL, "worker", 30, 0));
	reach(WORKS);
	while (reached(WORKED) < reached(WORKS))
		expect_ok(rt_task_sleep(TEST_MS));
	return NULL;
}

static void fall(void *address)
{
	*(volatile int *)address = 1;
}

/* Each ends without a word, and the next one has its name. */
static void own_workers(void)
{
	pthread_t thread;

	for (int i = 0; i < 3; i++) {
		expect_ok(pthread_create(&thread, NULL, work, NULL));
		expect_ok(pthread_join(thread, NULL));
	}
	capture_reports();
	expect_ok(rt_task_spawn(&task, "worker", 0, 30, 0, fall, (void *)8));
	while (!rt_task_inquire(&task, NULL))
		usleep(1000);
	expect_ok(pthread_create(&thread, NULL, work, NULL));
	expect_ok(pthread_join(thread, NULL));
}

static void find_workers(void)
{
	for (uint32_t i = 0; i < 4; i++) {
		while (reached(WORKS) <= i)
			usleep(1000);
		expect_ok(rt_task_bind(&task, "worker", TM_INFINITE));
		expect_ok(rt_task_inquire(&task, NULL));
		expect_ok(rt_task_unbind(&task));
		reach(WORKED);
	}
}

TEST_UNSTARTED(name_of_a_thread_that_was_a_task_is_free_again)
{
	owner_and_user(own_workers, find_workers);
	expect_eq(names_left(), 0);
}

TEST_UNSTARTED(name_of_a_thread_that_was_a_task_is_told_anew_without_a_session)
{
	session_begin_nameless();
	pid_t owner = process_begin(own_workers);

	process_end(process_begin(find_workers));
	process_end(owner);
}

static void serve_slowly(void *unused)
{
	RT_TASK_MCB request = {.size = 0};
	int flowid;

	(void)unused;
	flowid = rt_task_receive(&request, TM_INFINITE);
	expect_true(flowid > 0);
	reach(WORKS);
	await(DONE);
	/* The sender has been released. */
	expect_error(rt_task_reply(flowid, NULL), ENXIO);
	flowid = rt_task_receive(&request, TM_INFINITE);
	expect_ok(rt_task_reply(flowid, NULL));
}

static void own_slow_server(void)
{
	expect_ok(rt_task_spawn(&task, "server", 0, 30, T_JOINABLE, serve_slowly, NULL));
	reach(MADE);
	join(&task);
}

static void send_now(void *unused)
{
	RT_TASK_MCB request = {.opcode = 1};
	ssize_t result;

	(void)unused;
	while ((result = rt_task_send(&task, &request, NULL, TM_NONBLOCK)) == -EWOULDBLOCK)
		expect_ok(rt_task_sleep(TEST_MS));
	expect_error(result, EINTR);
	reach(DONE);
	await(RESUMED);
	while ((result = rt_task_send(&task, &request, NULL, TM_NONBLOCK)) == -EWOULDBLOCK)
		expect_ok(rt_task_sleep(TEST_MS));
	expect_ok(result);
}

static void break_what_waits_for_a_reply(void)
{
	RT_TASK sender;

	await(MADE);
	expect_ok(rt_task_bind(&task, "server", TM_INFINITE));
	spawn(&sender, 20, send_now, NULL);
	await(WORKS);
	while (!reached(DONE)) {
		expect_ok(rt_task_unblock(&sender));
		usleep(1000);
	}
	reach(RESUMED);
	join(&sender);
}

TEST_UNSTARTED(wait_for_the_reply_to_what_was_sent_at_once_is_broken)
{
	owner_and_user(own_slow_server, break_what_waits_for_a_reply);
}
