/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Deletion by a task: the waiters are told, and the task does not leave its CPU meanwhile. Linux's
 * part of the object goes soon, and its name is free at once. */
#include "processes.h"

#include <stdio.h>

#include <alchemy/buffer.h>
#include <alchemy/cond.h>
#include <alchemy/event.h>
#include <alchemy/heap.h>
#include <alchemy/mutex.h>
#include <alchemy/queue.h>

enum { DELETED, MADE };

#define ROUNDS     25
#define HEAP_BYTES 4096
#define OTHERS     100

static RT_SEM sem;
static RT_MUTEX mutex;
static RT_COND cond;
static RT_EVENT event;
static RT_QUEUE queue;
static RT_HEAP heap;
static RT_BUFFER buffer;
static RT_TASK dormant;

static void create_all(void)
{
	expect_ok(rt_sem_create(&sem, "name", 0, S_PRIO));
	expect_ok(rt_mutex_create(&mutex, "name"));
	expect_ok(rt_cond_create(&cond, "name"));
	expect_ok(rt_event_create(&event, "name", 0, EV_PRIO));
	expect_ok(rt_queue_create(&queue, "name", 1000, 4, Q_PRIO));
	expect_ok(rt_heap_create(&heap, "name", HEAP_BYTES, H_PRIO));
	expect_ok(rt_buffer_create(&buffer, "name", 100, B_PRIO));
	expect_ok(rt_task_create(&dormant, "name", 0, 5, 0));
}

static void delete_all(void)
{
	expect_ok(rt_sem_delete(&sem));
	expect_ok(rt_mutex_delete(&mutex));
	expect_ok(rt_cond_delete(&cond));
	expect_ok(rt_event_delete(&event));
	expect_ok(rt_queue_delete(&queue));
	expect_ok(rt_heap_delete(&heap));
	expect_ok(rt_buffer_delete(&buffer));
	expect_ok(rt_task_delete(&dormant));
}

static uint64_t switches_to_linux(void)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(tact_task_self(), &info));
	return info.mode_switches;
}

static void create_and_delete(void *unused)
{
	uint64_t before;

	(void)unused;
	for (int i = 0; i < ROUNDS; i++) {
		create_all();
		before = switches_to_linux();
		delete_all();
		expect_eq(switches_to_linux(), before);
	}
}

static void delete_by_a_task(void)
{
	RT_TASK task;

	spawn(&task, 20, create_and_delete, NULL);
	join(&task);
	/* A plain thread does it all by itself. */
	create_all();
	delete_all();
	expect_eq(names_left(), 0);
}

TEST_UNSTARTED(task_that_deletes_does_not_go_to_linux)
{
	session_begin();
	process_end(process_begin(delete_by_a_task));
}

static void wait_for_message(void *unused)
{
	char text[4];

	(void)unused;
	expect_error(rt_queue_read(&queue, text, sizeof(text), TM_INFINITE), EIDRM);
	mark("message");
}

static void wait_for_block(void *unused)
{
	void *block;

	(void)unused;
	expect_error(rt_heap_alloc(&heap, HEAP_BYTES * 10, TM_INFINITE, &block), EIDRM);
	mark("block");
}

static void wait_for_unit(void *unused)
{
	(void)unused;
	expect_error(rt_sem_p(&sem, TM_INFINITE), EIDRM);
	mark("unit");
}

static void delete_under_waiters(void *unused)
{
	(void)unused;
	delete_all();
	mark("deleted");
}

static void delete_above_others(void)
{
	RT_TASK task[4];

	create_all();
	spawn_waiter(&task[0], 12, wait_for_message, NULL);
	spawn_waiter(&task[1], 11, wait_for_block, NULL);
	spawn_waiter(&task[2], 10, wait_for_unit, NULL);
	spawn(&task[3], 20, delete_under_waiters, NULL);
	for (int i = 0; i < 4; i++)
		join(&task[i]);
	expect_marks("deleted message block unit");
}

TEST_UNSTARTED(waiters_that_are_less_urgent_run_after_the_deletion)
{
	session_begin();
	process_end(process_begin(delete_above_others));
}

/* Other things that must be given back before the names keep Linux busy. */
static void give_names_up(void *unused)
{
	RT_SEM other[OTHERS];

	(void)unused;
	for (uint32_t i = 0; i < ROUNDS; i++) {
		char name[16];

		for (int n = 0; n < OTHERS; n++) {
			snprintf(name, sizeof(name), "other %d", n);
			expect_ok(rt_sem_create(&other[n], name, 0, S_PRIO));
		}
		create_all();
		for (int n = 0; n < OTHERS; n++)
			expect_ok(rt_sem_delete(&other[n]));
		delete_all();
		reach(DELETED);
		while (reached(MADE) <= i)
			expect_ok(rt_task_sleep(TEST_MS));
	}
}

static void own_by_turns(void)
{
	RT_TASK task;

	spawn(&task, 20, give_names_up, NULL);
	join(&task);
}

static void take_names_over(void)
{
	for (uint32_t i = 0; i < ROUNDS; i++) {
		while (reached(DELETED) <= i)
			continue;
		create_all();
		delete_all();
		reach(MADE);
	}
}

TEST_UNSTARTED(name_is_free_for_another_process_at_once)
{
	owner_and_user(own_by_turns, take_names_over);
}
