/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Periodic tasks, their releases, and the priorities that follow from periods and deadlines. */
#include "rtai_task.h"

#define PERIODIC_MAX 256

/* Another task waits for its first release, whatever it does. */
static void hold_until(struct runtime_record *record, uint64_t start)
{
	struct rtai_task *task = rtai_task_of(record);

	if (atomic_load(&task->suspended) <= 0 && !atomic_exchange(&task->by_others, 1))
		(void)tact_task_suspend(rtai_native_task(record));
	(void)tact_timer_start(task->starts, tact_at((tact_time_t){start}), 0);
}

static int make_periodic(RT_TASK *pointer, int64_t start, RTIME period)
{
	struct runtime_record *record = rtai_task_arg(pointer);
	struct rtai_task *task;

	if (!record || period < 0)
		return -EINVAL;
	task = rtai_task_of(record);
	atomic_store(&task->release, start);
	atomic_store(&task->resync, 0);
	atomic_store(&task->period, period);
	if (record != rtai_self()) {
		hold_until(record, (uint64_t)start);
		return 0;
	}
	atomic_store(&task->suspended, 0);
	if (start > (int64_t)tact_now().ns)
		(void)rtai_sleep_until(record, start);
	return 0;
}

int rt_task_make_periodic(RT_TASK *task, RTIME start_time, RTIME period)
{
	return make_periodic(task, (int64_t)rtai_until(start_time).ns, period);
}

int rt_task_make_periodic_relative_ns(RT_TASK *task, RTIME start_delay, RTIME period)
{
	const uint64_t start = tact_time_add(tact_now(), rtai_in(start_delay).ns).ns;

	return make_periodic(task, (int64_t)start, period);
}

int rt_task_wait_period(void)
{
	struct runtime_record *self = rtai_self();
	struct rtai_task *task;
	int64_t release;

	if (!self)
		return RTE_TMROVRN;
	task = rtai_task_of(self);
	if (atomic_exchange(&task->resync, 0)) {
		atomic_store(&task->release, (int64_t)tact_now().ns);
		return RTE_TMROVRN;
	}
	release = atomic_load(&task->release) + atomic_load(&task->period);
	atomic_store(&task->release, release);
	return release <= (int64_t)tact_now().ns ? RTE_TMROVRN : rtai_sleep_until(self, release);
}

int rt_set_period(RT_TASK *rt_task, RTIME new_period)
{
	struct runtime_record *record = rtai_task_arg(rt_task);

	if (!record || new_period < 0)
		return -EINVAL;
	atomic_store(&rtai_task_of(record)->period, new_period);
	return 0;
}

void rt_task_set_resume_end_times(RTIME resume, RTIME end)
{
	struct runtime_record *self = rtai_self();
	struct tact_sched_param edf = {.sched_class = TACT_SCHED_EDF};
	struct rtai_task *task;
	int64_t from;
	int64_t until;

	if (!self)
		return;
	task = rtai_task_of(self);
	from = resume > 0 ? resume : atomic_load(&task->resume_time) - resume;
	until = end > 0 ? end : from - end;
	edf.deadline_ns = until - from > 1000 ? (uint64_t)(until - from) : 1000;
	(void)tact_task_set_priority(TACT_SELF, RTAI_LEVEL_MAX, 0, NULL);
	(void)tact_task_set_sched(TACT_SELF, &edf);
	(void)rtai_sleep_until(self, from);
}

struct periodic {
	RT_TASK *task[PERIODIC_MAX];
	int count;
};

static int64_t period_of(RT_TASK *task)
{
	struct runtime_record *record = rtai_find(task, RTAI_TASK);

	return record ? atomic_load(&rtai_task_of(record)->period) : 0;
}

/* Insert a task behind those with shorter or equal periods. */
static bool add(void *pointer, int type, void *arg)
{
	struct periodic *all = arg;
	int i = all->count;

	if (type != IS_TASK || period_of(pointer) <= 0 || i == PERIODIC_MAX)
		return false;
	for (; i && period_of(all->task[i - 1]) > period_of(pointer); i--)
		all->task[i] = all->task[i - 1];
	all->task[i] = pointer;
	all->count++;
	return false;
}

void rt_spv_RMS(int cpuid)
{
	struct periodic all = {.count = 0};

	(void)cpuid;
	(void)rtai_registry_search(add, &all);
	for (int i = 0; i < all.count; i++)
		(void)rt_change_prio(all.task[i], i);
}
