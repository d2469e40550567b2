/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What bindings take, and give back. */
#include "processes.h"

#include <stdio.h>

#include <alchemy/queue.h>

enum { MADE, BOUND, ENDED };

#define OWNERS 6

static RT_QUEUE queue;

/* The mappings of queues' memory in this process. */
static int mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	int count = 0;

	expect_true(maps != NULL);
	while (fgets(line, sizeof(line), maps))
		count += strstr(line, "tactus session") != NULL;
	expect_ok(fclose(maps));
	return count;
}

static void make(void)
{
	expect_ok(rt_queue_create(&queue, "mail", 65536, 16, Q_FIFO));
	reach(MADE);
}

static void own(void)
{
	make();
	await(ENDED);
}

static void bind_twice(void)
{
	RT_QUEUE again;
	char *message;

	expect_ok(rt_queue_bind(&queue, "mail", TM_INFINITE));
	for (int i = 0; i < 100; i++)
		expect_ok(rt_queue_bind(&again, "mail", TM_INFINITE));
	/* One thing is behind them all, */
	expect_eq(again.handle, queue.handle);
	expect_eq(mappings(), 1);
	for (int i = 0; i < 100; i++) {
		RT_QUEUE copy = queue;

		expect_ok(rt_queue_unbind(&copy));
	}
	/* and the memory is there until the last binding is given back. */
	message = rt_queue_alloc(&again, 6);
	memcpy(message, "hello", 6);
	expect_ok(rt_queue_send(&again, message, 6, Q_NORMAL));
	expect_ok(rt_queue_unbind(&again));
	expect_error(rt_queue_flush(&queue), EINVAL);
	expect_eq(mappings(), 0);
	reach(ENDED);
}

TEST_UNSTARTED(binding_again_takes_nothing)
{
	owner_and_user(own, bind_twice);
}

static void own_for_once(void)
{
	uint32_t before = reached(BOUND);

	make();
	while (reached(BOUND) == before)
		usleep(1000);
}

static void use_each(void)
{
	RT_QUEUE second;

	for (uint32_t i = 0; i < OWNERS; i++) {
		expect_ok(rt_queue_bind(&queue, "mail", TM_INFINITE));
		expect_ok(rt_queue_bind(&second, "mail", TM_INFINITE));
		expect_ok(rt_queue_bind(&queue, "mail", TM_INFINITE));
		expect_ok(rt_queue_write(&queue, "x", 1, Q_NORMAL));
		expect_eq(mappings(), 1);
		reach(BOUND);
		while (reached(ENDED) <= i)
			usleep(1000);
		expect_error(rt_queue_write(&queue, "x", 1, Q_NORMAL), EIDRM);
	}
}

TEST_UNSTARTED(name_that_is_bound_again_leaves_nothing_of_its_last_owner)
{
	pid_t user;

	session_begin();
	user = process_begin(use_each);
	for (uint32_t i = 0; i < OWNERS; i++) {
		process_end(process_begin(own_for_once));
		reach(ENDED);
	}
	process_end(user);
}

static void keep_what_is_bound(void)
{
	RT_QUEUE kept;
	RT_QUEUE anew;
	char *message;

	expect_ok(rt_queue_bind(&kept, "mail", TM_INFINITE));
	expect_ok(rt_queue_write(&kept, "hello", 6, Q_NORMAL));
	expect_eq(rt_queue_receive(&kept, (void **)&message, TM_INFINITE), 6);
	reach(BOUND);
	await(ENDED);
	expect_ok(rt_queue_bind(&anew, "mail", TM_INFINITE));
	memcpy(message, "still", 6);
	expect_error(rt_queue_write(&kept, "x", 1, Q_NORMAL), EIDRM);
	expect_ok(rt_queue_write(&anew, "x", 1, Q_NORMAL));
	expect_str(message, "still");
	expect_eq(mappings(), 2);
	expect_ok(rt_queue_unbind(&kept));
	expect_eq(mappings(), 1);
	expect_ok(rt_queue_unbind(&anew));
	expect_eq(mappings(), 0);
	reach(BOUND);
}

TEST_UNSTARTED(binding_lasts_until_its_descriptor_gives_it_back)
{
	pid_t user;

	session_begin();
	user = process_begin(keep_what_is_bound);
	process_end(process_begin(own_for_once));
	reach(ENDED);
	process_end(process_begin(own_for_once));
	process_end(user);
}

static _Atomic int result;

static void unbind_in_handler(void *arg)
{
	result = rt_queue_unbind(arg);
}

static void unbind_everywhere(void)
{
	tact_timer_t alarm;

	expect_ok(rt_queue_bind(&queue, "mail", TM_INFINITE));
	expect_ok(tact_timer_create(NULL, unbind_in_handler, &queue, 0, &alarm));
	expect_ok(tact_timer_start(alarm, tact_in(TEST_MS), 0));
	while (!result)
		usleep(1000);
	expect_error(result, EPERM);
	expect_ok(tact_timer_delete(alarm));
	expect_eq(mappings(), 1);
	expect_ok(rt_queue_unbind(&queue));
	expect_eq(mappings(), 0);
	reach(ENDED);
}

TEST_UNSTARTED(handler_gives_no_binding_back)
{
	owner_and_user(own, unbind_everywhere);
}

static void delete_away(void)
{
	expect_ok(rt_queue_bind(&queue, "mail", TM_INFINITE));
	expect_eq(mappings(), 1);
	expect_ok(rt_queue_delete(&queue));
	expect_eq(mappings(), 0);
	expect_error(rt_queue_delete(&queue), EINVAL);
	expect_ok(rt_queue_unbind(&queue));
	reach(ENDED);
}

TEST_UNSTARTED(deletion_ends_the_binding)
{
	owner_and_user(own, delete_away);
	expect_eq(names_left(), 0);
}
