/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The life of tasks, and their two modes. A thread becomes a task and is a plain thread again. A
 * hard task has one of the upper levels of the nucleus, a soft one a level below all of these.
 */
#include <sched.h>
#include <string.h>

#include "rtai_task.h"

#define LEVELS_SOFT 56u /* 2 … 56; level 1 is for callers that are no tasks of RTAI */
#define SOFT_OFFSET 1000000000

uint32_t rtai_native_priority(int priority, bool hard)
{
	const uint32_t below = (uint32_t)(priority < 0 ? 0 : priority);
	const uint32_t levels =
		hard ? RTAI_LEVEL_MAX - LEVELS_SOFT : LEVELS_SOFT - TACT_PRIORITY_MIN;

	return (hard ? RTAI_LEVEL_MAX : LEVELS_SOFT) - (below < levels ? below : levels - 1);
}

int rtai_told_priority(const struct rtai_task *task, uint32_t native)
{
	if (native <= rtai_native_priority(task->priority, task->hard))
		return task->priority + (task->hard ? 0 : SOFT_OFFSET);
	return native > LEVELS_SOFT ? (int)(RTAI_LEVEL_MAX - native)
				    : (int)(LEVELS_SOFT - native) + SOFT_OFFSET;
}

struct wish {
	unsigned long name;
	int priority;
	uint32_t cpu;
};

/* The caller as a task of the nucleus: a thread is attached, a spawned task is one already. */
static int enter(struct runtime_record *record, const struct wish *wish, tact_task_t *native)
{
	static const struct tact_sched_param fifo = {.sched_class = TACT_SCHED_FIFO};
	char key[TACT_NAME_BYTES];
	struct rtai_task *task = rtai_task_of(record);
	struct tact_task_attr attr = {
		.name = runtime_key(NULL, record->name, key),
		.priority = rtai_native_priority(wish->priority, false),
		.flags = wish->cpu ? TACT_ON_CPU(wish->cpu) : 0,
		.sched = &fifo,
	};
	int error;

	*native = tact_task_self();
	if (native->id && !runtime_is_main()) {
		error = tact_task_set_sched(*native, &fifo);
		return error ? error : tact_task_set_priority(*native, attr.priority, 0, NULL);
	}
	error = runtime_task_end_with_thread(&rtai_records, runtime_id(record));
	if (!error)
		error = runtime_attach(&attr, native);
	if (error == -TACT_EEXIST) {
		attr.name = NULL;
		error = runtime_attach(&attr, native);
	}
	task->attached = !error;
	task->main_thread = runtime_is_main_thread();
	if (error)
		(void)runtime_task_end_with_thread(&rtai_records, 0);
	return error;
}

static struct runtime_record *become_task(const struct wish *wish)
{
	struct runtime_record *record = rtai_reserve_task(wish->name);
	tact_task_t native;

	if (!record)
		return NULL;
	rtai_task_of(record)->priority = wish->priority;
	if (enter(record, wish, &native))
		goto drop_record;
	if (rtai_publish_task(record, wish->name, native)) {
		(void)rtai_leave(rtai_task_of(record));
		goto drop_record;
	}
	(void)tact_task_relax();
	return record;
drop_record:
	rtai_drop_task(record);
	return NULL;
}

/* The first real-time CPU of a mask; the caller's if there is none. */
static uint32_t first_cpu(unsigned long mask)
{
	for (uint32_t cpu = 0; cpu < tact_cpus() && cpu < 64; cpu++)
		if (mask >> cpu & 1)
			return cpu;
	return 0;
}

static RT_TASK *init(unsigned long name, int priority, unsigned long cpus)
{
	struct wish wish = {.name = name, .priority = priority};
	struct runtime_record *self;

	if (priority < 0 || rtai_begin())
		return NULL;
	self = rtai_self();
	if (self)
		return rtai_task_pointer(self);
	if (name && rt_get_adr(name))
		return NULL;
	if (!name)
		wish.name = rtai_free_name();
	wish.cpu = first_cpu(cpus);
	return rtai_task_pointer(become_task(&wish));
}

RT_TASK *rt_task_init_schmod(unsigned long name, int priority, int stack_size, int max_msg_size,
			     int policy, int cpus_allowed)
{
	(void)stack_size;
	(void)max_msg_size;
	if (policy != SCHED_FIFO && policy != SCHED_RR && policy != SCHED_OTHER)
		return NULL;
	return init(name, priority, (unsigned int)cpus_allowed);
}

RT_TASK *rt_thread_init(unsigned long name, int priority, int max_msg_size, int policy,
			int cpus_allowed)
{
	return rt_task_init_schmod(name, priority, 0, max_msg_size, policy, cpus_allowed);
}

RT_TASK *rt_task_init(unsigned long name, int priority, int stack_size, int max_msg_size)
{
	return rt_task_init_schmod(name, priority, stack_size, max_msg_size, SCHED_FIFO, 0xff);
}

RT_TASK *ftask_init(unsigned long name, int priority)
{
	return rt_task_init(name, priority, 0, 0);
}

/* The caller is no task of the nucleus any more, or a weak one if it was spawned. */
int rtai_leave(const struct rtai_task *task)
{
	static const struct tact_sched_param weak = {.sched_class = TACT_SCHED_WEAK};
	int error;

	if (!task->attached)
		return tact_task_set_sched(TACT_SELF, &weak);
	error = tact_task_detach();
	/* It owns a lock, which passes on when the thread ends. */
	if (error == -TACT_EBUSY)
		return tact_task_set_sched(TACT_SELF, &weak);
	if (!error) {
		(void)runtime_task_end_with_thread(&rtai_records, 0);
		if (task->main_thread)
			runtime_attach_main(rtai_program.main_name);
	}
	return error;
}

int rt_thread_delete(RT_TASK *task)
{
	struct runtime_record *record = rtai_task_arg(task);
	struct runtime_record *self = rtai_self();
	struct rtai_task *own;
	uint64_t id;

	if (!record)
		return -EINVAL;
	if (record != self || runtime_in_handler())
		return -EPERM;
	own = rtai_task_of(record);
	id = runtime_id(record);
	rtai_deregister(own->self);
	rtai_signals_end(own);
	/* Its clients are woken, and it serves no request. */
	(void)tact_port_delete(own->port);
	(void)tact_task_harden();
	/* The record may be used anew once it is dropped. */
	const struct rtai_task left = {.attached = own->attached, .main_thread = own->main_thread};

	(void)tact_task_set_data(TACT_SELF, 0);
	runtime_task_end(&rtai_records, id);
	(void)rtai_leave(&left);
	return 0;
}

int rt_task_delete(RT_TASK *task)
{
	return rt_thread_delete(task);
}

static void go(struct runtime_record *record, bool hard)
{
	struct rtai_task *task = rtai_task_of(record);

	task->hard = hard;
	(void)tact_task_set_priority(rtai_native_task(record),
				     rtai_native_priority(task->priority, hard), 0, NULL);
}

void rt_make_hard_real_time(void)
{
	struct runtime_record *self = rtai_self();

	if (!self || runtime_in_handler())
		return;
	go(self, true);
	(void)tact_task_harden();
}

void rt_make_soft_real_time(void)
{
	struct runtime_record *self = rtai_self();

	if (!self || runtime_in_handler())
		return;
	go(self, false);
	(void)tact_task_relax();
}

int rt_is_hard_real_time(RT_TASK *rt_task)
{
	struct runtime_record *record = rtai_task_arg(rt_task);

	return record && rtai_task_of(record)->hard;
}

int rt_is_soft_real_time(RT_TASK *rt_task)
{
	return !rt_is_hard_real_time(rt_task);
}

void rt_allow_nonroot_hrt(void)
{
}

unsigned long rt_get_usp_flags(RT_TASK *rt_task)
{
	struct runtime_record *record = rtai_task_arg(rt_task);

	return record ? rtai_task_of(record)->flags : 0;
}

unsigned long rt_get_usp_flags_mask(RT_TASK *rt_task)
{
	struct runtime_record *record = rtai_task_arg(rt_task);

	return record ? rtai_task_of(record)->flags_mask : 0;
}

void rt_set_usp_flags(RT_TASK *rt_task, unsigned long flags)
{
	struct runtime_record *record = rtai_task_arg(rt_task);
	struct rtai_task *task;

	if (!record)
		return;
	task = rtai_task_of(record);
	task->flags = flags;
	if (task->hard && flags & task->flags_mask & FORCE_SOFT)
		go(record, false);
}

void rt_set_usp_flags_mask(unsigned long flags_mask)
{
	struct runtime_record *self = rtai_self();

	if (self)
		rtai_task_of(self)->flags_mask = flags_mask;
}
