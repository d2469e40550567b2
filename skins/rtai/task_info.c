/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a task is asked for, its priority and class, and the CPU that it runs on. */
#include "rtai_task.h"

#define NUMBERS_FROM 1000000

static _Atomic int numbers = NUMBERS_FROM;

int rtai_number_of(uint32_t linux_tid)
{
	return linux_tid ? (int)linux_tid : atomic_fetch_add(&numbers, 1);
}

static bool has_number(void *pointer, int type, void *arg)
{
	struct runtime_record *record = type == IS_TASK ? rtai_find(pointer, RTAI_TASK) : NULL;

	return record && rtai_task_of(record)->number == *(const int *)arg;
}

struct runtime_record *rtai_find_number(int number)
{
	return rtai_find(rtai_registry_search(has_number, &number), RTAI_TASK);
}

int rt_gettid(void)
{
	return (int)rt_get_linux_tid(NULL);
}

pid_t rt_get_linux_tid(RT_TASK *task)
{
	struct runtime_record *record = rtai_task_arg(task);

	return record ? rtai_task_of(record)->number : 0;
}

RT_TASK *rt_agent(void)
{
	return rtai_task_pointer(rtai_self());
}

RT_TASK *rt_buddy(void)
{
	return rt_agent();
}

int rt_task_get_info(RT_TASK *task, RT_TASK_INFO *task_info)
{
	struct runtime_record *record = rtai_task_arg(task);
	uint32_t base;
	uint32_t present;

	if (!record || !task_info ||
	    tact_task_get_priority(rtai_native_task(record), &base, &present))
		return -EINVAL;
	task_info->period = atomic_load(&rtai_task_of(record)->period);
	task_info->base_priority = rtai_told_priority(rtai_task_of(record), 0);
	task_info->priority = rtai_told_priority(rtai_task_of(record), present);
	return 0;
}

int rt_get_priorities(RT_TASK *task, int *priority, int *base_priority)
{
	RT_TASK_INFO info;

	if (!priority || !base_priority || rt_task_get_info(task, &info))
		return -EINVAL;
	*priority = (int)info.priority;
	*base_priority = (int)info.base_priority;
	return 0;
}

int rt_change_prio(RT_TASK *task, int priority)
{
	struct runtime_record *record = rtai_task_arg(task);
	struct rtai_task *own;
	int before;

	if (!record || priority < 0)
		return -EINVAL;
	own = rtai_task_of(record);
	before = rtai_told_priority(own, 0);
	own->priority = priority;
	(void)tact_task_set_priority(rtai_native_task(record),
				     rtai_native_priority(priority, own->hard), 0, NULL);
	return before;
}

void rt_set_sched_policy(RT_TASK *task, int policy, int rr_quantum_ns)
{
	struct runtime_record *record = rtai_task_arg(task);
	struct tact_sched_param param = {.sched_class = TACT_SCHED_FIFO};
	struct tact_sched_limits limits = {0};

	if (!record)
		return;
	if (policy != RT_SCHED_FIFO) {
		(void)tact_sched_limits(&limits);
		param.sched_class = TACT_SCHED_RR;
		param.quantum_ns = rr_quantum_ns > 0 ? (uint64_t)rr_quantum_ns : 0;
		if (param.quantum_ns < limits.slice_min_ns)
			param.quantum_ns = limits.slice_min_ns;
	}
	(void)tact_task_set_sched(rtai_native_task(record), &param);
}

void rt_sched_lock(void)
{
	rtai_hold();
}

void rt_sched_unlock(void)
{
	rtai_let_go();
}

void rt_set_runnable_on_cpus(RT_TASK *task, unsigned long cpu_mask)
{
	for (uint32_t cpu = 0; cpu < tact_cpus(); cpu++)
		if (cpu_mask >> cpu & 1) {
			rt_set_runnable_on_cpuid(task, cpu);
			return;
		}
}

void rt_set_runnable_on_cpuid(RT_TASK *task, unsigned int cpuid)
{
	struct runtime_record *record = rtai_task_arg(task);

	if (record && cpuid < tact_cpus())
		(void)tact_task_migrate(rtai_native_task(record), cpuid);
}

int rt_task_use_fpu(RT_TASK *task, int use_fpu_flag)
{
	(void)use_fpu_flag;
	return rtai_task_arg(task) ? 0 : -EINVAL;
}

int rt_buddy_task_use_fpu(RT_TASK *task, int use_fpu_flag)
{
	return rt_task_use_fpu(task, use_fpu_flag);
}

void rt_get_exectime(RT_TASK *task, RTIME *exectime)
{
	struct runtime_record *record = rtai_task_arg(task);
	struct tact_task_info info = {0};

	if (!exectime)
		return;
	exectime[0] = exectime[1] = exectime[2] = 0;
	if (!record || tact_task_inquire(rtai_native_task(record), &info))
		return;
	exectime[0] = (RTIME)info.run_ns;
	exectime[1] = rtai_task_of(record)->first_run;
	exectime[2] = rt_get_time();
}
