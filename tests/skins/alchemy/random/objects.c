/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Random programs: the objects, and the calls. */
#include "random.h"

#include <alchemy/alarm.h>
#include <alchemy/buffer.h>
#include <alchemy/cond.h>
#include <alchemy/event.h>
#include <alchemy/heap.h>
#include <alchemy/mutex.h>
#include <alchemy/queue.h>
#include <alchemy/sem.h>

/* Number 0 of each serves in order of arrival, 1 by priority. */
static RT_SEM sems[2];
static RT_MUTEX mutexes[MUTEXES];
static RT_COND conds[2];
static RT_EVENT events[2];
static RT_QUEUE queues[2];
static RT_BUFFER buffers[2];
static RT_HEAP heaps[2];
static RT_ALARM alarms[2];

static RTIME until(unsigned how)
{
	return how < 4 ? TM_INFINITE : how < 6 ? TM_NONBLOCK : soon();
}

static long p(unsigned what, unsigned how)
{
	return rt_sem_p_until(&sems[what % 2], until(how));
}

static long v(unsigned what, unsigned how)
{
	(void)how;
	return rt_sem_v(&sems[what % 2]);
}

static long broadcast(unsigned what, unsigned how)
{
	(void)how;
	return rt_sem_broadcast(&sems[what % 2]);
}

static long acquire(unsigned what, unsigned how)
{
	int result = rt_mutex_acquire_until(&mutexes[what % MUTEXES], until(how));

	if (!result)
		acting()->held[what % MUTEXES]++;
	return result;
}

static long release(unsigned what, unsigned how)
{
	int result = rt_mutex_release(&mutexes[what % MUTEXES]);

	(void)how;
	if (!result)
		acting()->held[what % MUTEXES]--;
	return result;
}

/* With no other mutex, so that no circle closes when it is acquired again. */
static long cond_wait(unsigned what, unsigned how)
{
	for (unsigned i = 0; i < MUTEXES; i++)
		if (acting()->held[i] != (i == what % MUTEXES))
			return SKIPPED;
	return rt_cond_wait_until(&conds[what % 2], &mutexes[what % MUTEXES], until(how));
}

static long cond_signal(unsigned what, unsigned how)
{
	(void)how;
	return rt_cond_signal(&conds[what % 2]);
}

static long cond_broadcast(unsigned what, unsigned how)
{
	(void)how;
	return rt_cond_broadcast(&conds[what % 2]);
}

static long event_signal(unsigned what, unsigned how)
{
	return rt_event_signal(&events[what % 2], 1u << how % 3);
}

static long event_clear(unsigned what, unsigned how)
{
	unsigned before = 0;
	int result = rt_event_clear(&events[what % 2], 1u << how % 3, &before);

	return result ? result : (int)before;
}

static long event_wait(unsigned what, unsigned how, int mode)
{
	unsigned seen = 0;
	int result = rt_event_wait_until(&events[what % 2], what / 2 + 1, &seen, mode, until(how));

	return result ? result : (int)seen;
}

static long event_any(unsigned what, unsigned how)
{
	return event_wait(what, how, EV_ANY);
}

static long event_all(unsigned what, unsigned how)
{
	return event_wait(what, how, EV_ALL);
}

static int word(void)
{
	return (int)(acting()->number * 100 + acting()->at);
}

static long queue_write(unsigned what, unsigned how)
{
	int text = word();

	return rt_queue_write(&queues[what % 2], &text, sizeof(text),
			      how < 5   ? Q_NORMAL
			      : how < 7 ? Q_URGENT
					: Q_BROADCAST);
}

static long queue_read(unsigned what, unsigned how)
{
	int text = 0;
	ssize_t result = rt_queue_read_until(&queues[what % 2], &text, sizeof(text), until(how));

	return result == sizeof(text) ? text : result;
}

static long buffer_write(unsigned what, unsigned how)
{
	int text = word();

	return rt_buffer_write_until(&buffers[what % 2], &text, sizeof(text), until(how));
}

static long buffer_read(unsigned what, unsigned how)
{
	int text = 0;
	ssize_t result = rt_buffer_read_until(&buffers[what % 2], &text, sizeof(text), until(how));

	return result == sizeof(text) ? text : result;
}

static long heap_alloc(unsigned what, unsigned how)
{
	void **block = &acting()->block[what % 2];

	if (*block)
		return SKIPPED;
	return rt_heap_alloc_until(&heaps[what % 2], HEAP_BYTES / BLOCKS, until(how), block);
}

static long heap_free(unsigned what, unsigned how)
{
	void *block = acting()->block[what % 2];

	(void)how;
	acting()->block[what % 2] = NULL;
	return block ? rt_heap_free(&heaps[what % 2], block) : SKIPPED;
}

static void ring(void *sem)
{
	(void)rt_sem_v(sem);
}

static long alarm_start(unsigned what, unsigned how)
{
	(void)how;
	return rt_alarm_start(&alarms[what % 2], soon() - rt_timer_read(), 0);
}

static long alarm_stop(unsigned what, unsigned how)
{
	(void)how;
	return rt_alarm_stop(&alarms[what % 2]);
}

static long sleep_until(unsigned what, unsigned how)
{
	(void)what;
	(void)how;
	return rt_task_sleep_until(soon());
}

static long set_priority(unsigned what, unsigned how)
{
	struct actor *actor = &actors[how % actor_count];

	return actor->gone ? SKIPPED : rt_task_set_priority(&actor->task, priority_of(actor, what));
}

static long unblock(unsigned what, unsigned how)
{
	struct actor *actor = &actors[how % actor_count];

	(void)what;
	return actor->gone || actor == acting() ? SKIPPED : rt_task_unblock(&actor->task);
}

const struct operation operations[] = {
	{"p", p},
	{"v", v},
	{"broadcast", broadcast},
	{"acquire", acquire},
	{"acquire", acquire},
	{"release", release},
	{"cond_wait", cond_wait},
	{"cond_signal", cond_signal},
	{"cond_broadcast", cond_broadcast},
	{"event_signal", event_signal},
	{"event_clear", event_clear},
	{"event_any", event_any},
	{"event_all", event_all},
	{"queue_write", queue_write},
	{"queue_read", queue_read},
	{"buffer_write", buffer_write},
	{"buffer_read", buffer_read},
	{"heap_alloc", heap_alloc},
	{"heap_free", heap_free},
	{"alarm_start", alarm_start},
	{"alarm_stop", alarm_stop},
	{"sleep", sleep_until},
	{"priority", set_priority},
	{"unblock", unblock},
};
const unsigned operation_count = sizeof(operations) / sizeof(operations[0]);

void objects_make(void)
{
	for (unsigned i = 0; i < 2; i++) {
		(void)rt_sem_create(&sems[i], NULL, i, i ? S_PRIO : S_FIFO);
		(void)rt_cond_create(&conds[i], NULL);
		(void)rt_event_create(&events[i], NULL, i, i ? EV_PRIO : EV_FIFO);
		(void)rt_queue_create(&queues[i], NULL, 1024, 3, i ? Q_PRIO : Q_FIFO);
		(void)rt_buffer_create(&buffers[i], NULL, 2 * sizeof(int), i ? B_PRIO : B_FIFO);
		(void)rt_heap_create(&heaps[i], NULL, HEAP_BYTES, i ? H_PRIO : H_FIFO);
		(void)rt_alarm_create(&alarms[i], NULL, ring, &sems[i]);
	}
	for (unsigned i = 0; i < MUTEXES; i++)
		(void)rt_mutex_create(&mutexes[i], NULL);
}

void objects_leave(void)
{
	for (unsigned i = 0; i < MUTEXES; i++)
		while (acting()->held[i])
			(void)release(i, 0);
	for (unsigned i = 0; i < 2; i++)
		(void)heap_free(i, 0);
}

void objects_free(unsigned round)
{
	const unsigned i = round % 2;

	switch (round / 2 % 6) {
	case 0:
		(void)rt_sem_delete(&sems[i]);
		break;
	case 1:
		(void)rt_event_delete(&events[i]);
		break;
	case 2:
		(void)rt_queue_delete(&queues[i]);
		break;
	case 3:
		(void)rt_buffer_delete(&buffers[i]);
		break;
	case 4:
		(void)rt_heap_delete(&heaps[i]);
		break;
	default:
		(void)rt_cond_broadcast(&conds[i]);
	}
}

void objects_destroy(void)
{
	for (unsigned round = 0; round < 10; round++)
		objects_free(round);
	for (unsigned i = 0; i < 2; i++) {
		(void)rt_cond_delete(&conds[i]);
		(void)rt_alarm_delete(&alarms[i]);
	}
	for (unsigned i = 0; i < MUTEXES; i++)
		(void)rt_mutex_delete(&mutexes[i]);
}
