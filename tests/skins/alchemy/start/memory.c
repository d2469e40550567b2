/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Creation without memory: each service reports it, and works again once memory is given back. */
#include "alchemy_test.h"

#include <alchemy/alarm.h>
#include <alchemy/buffer.h>
#include <alchemy/cond.h>
#include <alchemy/event.h>
#include <alchemy/heap.h>
#include <alchemy/mutex.h>
#include <alchemy/pipe.h>
#include <alchemy/queue.h>
#include <alchemy/sem.h>

#define SEMS_MAX 200000

static RT_SEM sems[SEMS_MAX];

static void ring(void *unused)
{
	(void)unused;
}

/* The smallest pool, and an object of every kind before it, so that the skin's own are there. */
static void start(void)
{
	struct tact_config config = {.name = "poor", .pool_bytes = 4u << 20};
	char reason[TACT_REASON_BYTES];
	RT_ALARM alarm;

	expect_ok(test_start(&config, reason));
	expect_ok(rt_alarm_create(&alarm, NULL, ring, NULL));
}

static int exhaust(void)
{
	int count = 0;
	int error;

	while (!(error = rt_sem_create(&sems[count], NULL, 0, S_FIFO)))
		expect_true(++count < SEMS_MAX);
	expect_error(error, ENOMEM);
	return count;
}

TEST_UNSTARTED(what_cannot_be_made_is_told)
{
	RT_SEM sem;
	RT_MUTEX mutex;
	RT_COND cond;
	RT_EVENT event;
	RT_ALARM alarm;
	RT_QUEUE queue;
	RT_HEAP heap;
	RT_BUFFER buffer;
	RT_PIPE pipe;
	RT_TASK task;
	int count;

	start();
	count = exhaust();
	expect_error(rt_sem_create(&sem, NULL, 0, S_FIFO), ENOMEM);
	expect_error(rt_mutex_create(&mutex, NULL), ENOMEM);
	expect_error(rt_cond_create(&cond, NULL), ENOMEM);
	expect_error(rt_event_create(&event, NULL, 0, EV_FIFO), ENOMEM);
	expect_error(rt_alarm_create(&alarm, NULL, ring, NULL), ENOMEM);
	expect_error(rt_queue_create(&queue, NULL, 1000, 1, Q_FIFO), ENOMEM);
	expect_error(rt_heap_create(&heap, NULL, 1000, H_FIFO), ENOMEM);
	expect_error(rt_buffer_create(&buffer, NULL, 1000, B_FIFO), ENOMEM);
	expect_error(rt_pipe_create(&pipe, NULL, P_MINOR_AUTO, 1000), ENOMEM);
	expect_error(rt_task_create(&task, NULL, 0, 10, 0), ENOMEM);
	expect_error(rt_task_spawn(&task, NULL, 0, 10, 0, ring, NULL), ENOMEM);
	for (int i = 0; i < count; i++)
		expect_ok(rt_sem_delete(&sems[i]));
	expect_ok(rt_queue_create(&queue, NULL, 1000, 1, Q_FIFO));
	expect_ok(rt_task_create(&task, NULL, 0, 10, 0));
}
