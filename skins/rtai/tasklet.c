/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasklets and timers. Each has a hard task, as in RTAI, which runs its handler: when
 * rt_exec_tasklet() asks for it, and when the instant of the timer has come. So a handler may call
 * whatever a task may call.
 */
#include <stdlib.h>

#include <rtai_tasklets.h>

#include "rtai_task.h"

#define PRIORITY_FIRST 98

struct tasklet {
	RT_TASK *task;
	tact_sem_t wake; /* to look again */
	void (*_Atomic handler)(unsigned long);
	_Atomic unsigned long data;
	_Atomic int inserted;  /* for rt_exec_tasklet() */
	_Atomic int requested; /* runs that it asked for */
	_Atomic int armed;     /* an instant is to come */
	_Atomic int64_t firing;
	_Atomic int64_t period;
	_Atomic int64_t overrun;
};

struct rt_tasklets_struct {
	int count;
	struct rt_tasklet_struct *_Atomic tasklet[]; /* NULL: in use */
};

static struct tasklet *find(const struct rt_tasklet_struct *pointer)
{
	struct runtime_record *record = rtai_find(pointer, RTAI_TASKLET);

	return record ? runtime_extra(record) : NULL;
}

static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	struct tasklet *tasklet = runtime_extra(record);
	int error = tact_sem_create(key, 0, TACT_SEM_VALUE_MAX, TACT_FIFO, &tasklet->wake);

	(void)how;
	*native = tact_object(tasklet->wake);
	return error;
}

static tact_timeout_t next_look(const struct tasklet *tasklet)
{
	return atomic_load(&tasklet->armed)
		       ? tact_at((tact_time_t){(uint64_t)atomic_load(&tasklet->firing)})
		       : TACT_FOREVER;
}

/* The instant has come. False: it was changed meanwhile. */
static bool fire(struct tasklet *tasklet)
{
	const int64_t late = (int64_t)tact_now().ns - atomic_load(&tasklet->firing);
	const int64_t period = atomic_load(&tasklet->period);

	if (!atomic_load(&tasklet->armed) || late < 0)
		return false;
	if (period) {
		atomic_store(&tasklet->overrun, late / period);
		atomic_fetch_add(&tasklet->firing, period);
	} else {
		atomic_store(&tasklet->armed, 0);
	}
	return true;
}

static bool asked_for(struct tasklet *tasklet)
{
	int requests = atomic_load(&tasklet->requested);

	while (requests &&
	       !atomic_compare_exchange_weak(&tasklet->requested, &requests, requests - 1))
		;
	return requests;
}

/* Ends when the tasklet is not found any more. The argument is a pointer of the program, because
 * the record may be used anew. */
static void run(void *pointer)
{
	struct tasklet *tasklet = find(pointer);
	void (*handler)(unsigned long);
	int error = 0;

	while (tasklet && error != -TACT_EIDRM && error != -TACT_EBADF) {
		error = tact_sem_wait(tasklet->wake, next_look(tasklet));
		tasklet = find(pointer);
		if (!tasklet)
			return;
		handler = atomic_load(&tasklet->handler);
		if (handler && (error == -TACT_ETIMEDOUT ? fire(tasklet) : asked_for(tasklet)))
			handler(atomic_load(&tasklet->data));
		tasklet = find(pointer);
	}
}

struct rt_tasklet_struct *rt_init_tasklet(void)
{
	struct rt_tasklet_struct *pointer = rtai_create(RTAI_TASKLET, 0, make, NULL);
	struct runtime_record *task = pointer ? rtai_spawn_task(0, PRIORITY_FIRST, 0, 0) : NULL;

	if (!task) {
		rt_delete_tasklet(pointer);
		return NULL;
	}
	find(pointer)->task = rtai_task_pointer(task);
	if (!runtime_task_start(task, run, pointer))
		return pointer;
	(void)tact_task_delete(rtai_native_task(task));
	runtime_task_end(&rtai_records, runtime_id(task));
	rt_delete_tasklet(pointer);
	return NULL;
}

/* The task ends by itself; a caller that is another one waits for that. */
void rt_delete_tasklet(struct rt_tasklet_struct *pointer)
{
	struct runtime_record *record = rtai_take(pointer, RTAI_TASKLET);
	RT_TASK *task;

	if (!record)
		return;
	task = ((struct tasklet *)runtime_extra(record))->task;
	(void)tact_delete(runtime_native(record));
	while (task && task != rt_agent() && rtai_find(task, RTAI_TASK) && !runtime_nap())
		;
	runtime_drop(record);
}

static void set_priority(const struct tasklet *tasklet, int priority)
{
	(void)rt_change_prio(tasklet->task, priority);
}

static bool plan(struct tasklet *tasklet, int priority, void (*handler)(unsigned long),
		 unsigned long data)
{
	if (!tasklet || !handler || priority < 0)
		return false;
	atomic_store(&tasklet->data, data);
	atomic_store(&tasklet->handler, handler);
	set_priority(tasklet, priority);
	return true;
}

int rt_insert_tasklet(struct rt_tasklet_struct *pointer, int priority,
		      void (*handler)(unsigned long), unsigned long data, unsigned long id, int pid)
{
	struct tasklet *tasklet = find(pointer);

	(void)pid;
	if (!id || !plan(tasklet, priority, handler, data))
		return -EINVAL;
	atomic_store(&tasklet->inserted, 1);
	return 0;
}

void rt_remove_tasklet(struct rt_tasklet_struct *pointer)
{
	struct tasklet *tasklet = find(pointer);

	if (tasklet)
		atomic_store(&tasklet->inserted, 0);
}

int rt_exec_tasklet(struct rt_tasklet_struct *pointer)
{
	struct tasklet *tasklet = find(pointer);

	if (!tasklet || !atomic_load(&tasklet->inserted))
		return -EINVAL;
	atomic_fetch_add(&tasklet->requested, 1);
	(void)tact_sem_post(tasklet->wake);
	return 0;
}

void rt_set_tasklet_priority(struct rt_tasklet_struct *pointer, int priority)
{
	const struct tasklet *tasklet = find(pointer);

	if (tasklet)
		set_priority(tasklet, priority);
}

int rt_set_tasklet_handler(struct rt_tasklet_struct *pointer, void (*handler)(unsigned long))
{
	struct tasklet *tasklet = find(pointer);

	if (!tasklet || !handler)
		return -EINVAL;
	atomic_store(&tasklet->handler, handler);
	return 0;
}

void rt_set_tasklet_data(struct rt_tasklet_struct *pointer, unsigned long data)
{
	struct tasklet *tasklet = find(pointer);

	if (tasklet)
		atomic_store(&tasklet->data, data);
}

RT_TASK *rt_tasklet_use_fpu(struct rt_tasklet_struct *tasklet, int use_fpu)
{
	(void)tasklet;
	(void)use_fpu;
	return NULL;
}

static void look_again(const struct tasklet *tasklet)
{
	(void)tact_sem_post(tasklet->wake);
}

int rt_insert_timer(struct rt_tasklet_struct *pointer, int priority, RTIME firing_time,
		    RTIME period, void (*handler)(unsigned long), unsigned long data, int pid)
{
	struct tasklet *timer = find(pointer);

	(void)pid;
	if (period < 0 || !plan(timer, priority, handler, data))
		return -EINVAL;
	atomic_store(&timer->firing, (int64_t)rtai_until(firing_time).ns);
	atomic_store(&timer->period, period);
	atomic_store(&timer->armed, 1);
	look_again(timer);
	return 0;
}

void rt_remove_timer(struct rt_tasklet_struct *pointer)
{
	struct tasklet *timer = find(pointer);

	if (!timer)
		return;
	atomic_store(&timer->armed, 0);
	look_again(timer);
}

void rt_set_timer_priority(struct rt_tasklet_struct *timer, int priority)
{
	rt_set_tasklet_priority(timer, priority);
}

void rt_set_timer_firing_time(struct rt_tasklet_struct *pointer, RTIME firing_time)
{
	struct tasklet *timer = find(pointer);

	if (!timer || !atomic_load(&timer->armed))
		return;
	atomic_store(&timer->firing, (int64_t)rtai_until(firing_time).ns);
	look_again(timer);
}

void rt_set_timer_period(struct rt_tasklet_struct *pointer, RTIME period)
{
	struct tasklet *timer = find(pointer);

	if (timer && period >= 0)
		atomic_store(&timer->period, period);
}

void rt_get_timer_times(struct rt_tasklet_struct *pointer, RTIME timer_times[])
{
	const struct tasklet *timer = find(pointer);
	int64_t left;

	if (!timer_times)
		return;
	timer_times[0] = -1;
	timer_times[1] = 0;
	if (!timer)
		return;
	left = atomic_load(&timer->firing) - (int64_t)tact_now().ns;
	if (atomic_load(&timer->armed) && left > 0)
		timer_times[0] = left;
	timer_times[1] = atomic_load(&timer->period);
}

RTIME rt_get_timer_overrun(struct rt_tasklet_struct *pointer)
{
	const struct tasklet *timer = find(pointer);

	return timer ? atomic_load(&timer->overrun) : 0;
}

struct rt_tasklets_struct *rt_create_tasklets(int ntasklets)
{
	struct rt_tasklets_struct *all;

	if (ntasklets < 1)
		return NULL;
	all = calloc(1, sizeof(*all) + (size_t)ntasklets * sizeof(all->tasklet[0]));
	if (!all)
		return NULL;
	for (; all->count < ntasklets; all->count++) {
		struct rt_tasklet_struct *made = rt_init_tasklet();

		if (!made) {
			rt_destroy_tasklets(all);
			return NULL;
		}
		atomic_store(&all->tasklet[all->count], made);
	}
	return all;
}

/* Those that are in use are their users' to delete. */
void rt_destroy_tasklets(struct rt_tasklets_struct *tasklets)
{
	if (!tasklets)
		return;
	for (int i = 0; i < tasklets->count; i++)
		rt_delete_tasklet(atomic_load(&tasklets->tasklet[i]));
	free(tasklets);
}

struct rt_tasklet_struct *rt_get_tasklet(struct rt_tasklets_struct *tasklets)
{
	struct rt_tasklet_struct *found = NULL;

	for (int i = 0; tasklets && i < tasklets->count && !found; i++)
		found = atomic_exchange(&tasklets->tasklet[i], NULL);
	return found;
}

int rt_gvb_tasklet(struct rt_tasklet_struct *tasklet, struct rt_tasklets_struct *tasklets)
{
	for (int i = 0; tasklets && tasklet && i < tasklets->count; i++) {
		struct rt_tasklet_struct *none = NULL;

		if (atomic_compare_exchange_strong(&tasklets->tasklet[i], &none, tasklet))
			return 0;
	}
	return EINVAL;
}
