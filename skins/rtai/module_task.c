/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks of modules. Each is a hard task that the skin makes, and that begins when it is resumed or
 * made periodic.
 */
#include "module_internal.h"
#include "rtai_module_host.h"
#include "rtai_module_calls.h"

#define STACK_MIN_BYTES (64u << 10)
#define END_NAPS        10000

struct plan {
	void (*thread)(long);
	long data;
	int stack_bytes;
	int priority;
	void (*signal)(void);
	unsigned int cpu;
	unsigned long name; /* 0: it is made up */
	const void *maker;
};

static int make(RT_TASK *task, const struct plan *plan)
{
	const size_t stack = plan->stack_bytes > (int)STACK_MIN_BYTES ? (size_t)plan->stack_bytes
								      : STACK_MIN_BYTES;
	struct runtime_record *record;

	if (!task || !plan->thread || plan->priority < 0 || plan->signal || rtai_begin() ||
	    rtai_find(task, RTAI_TASK))
		return -EINVAL;
	task->opaque = NULL;
	record = rtai_spawn_structure(task, plan->maker, plan->name, plan->priority, stack,
				      plan->cpu < tact_cpus() ? plan->cpu : 0);
	if (!record)
		return -ENOMEM;
	return rtai_start_suspended(record, plan->thread, plan->data) ? -ENOMEM : 0;
}

static struct plan plan_of(void (*thread)(long), long data, int stack_bytes, int priority,
			   void (*signal)(void), unsigned int cpu, const void *maker)
{
	return (struct plan){
		.thread = thread,
		.data = data,
		.stack_bytes = stack_bytes,
		.priority = priority,
		.signal = signal,
		.cpu = cpu,
		.maker = maker,
	};
}

int rtai_module_task_init(RT_TASK *task, void (*thread)(long), long data, int stack_size,
			  int priority, int uses_fpu, void (*signal)(void))
{
	const struct plan plan =
		plan_of(thread, data, stack_size, priority, signal, 0, __builtin_return_address(0));

	(void)uses_fpu;
	return make(task, &plan);
}

int rtai_module_task_init_cpuid(RT_TASK *task, void (*thread)(long), long data, int stack_size,
				int priority, int uses_fpu, void (*signal)(void),
				unsigned int run_on_cpu)
{
	const struct plan plan = plan_of(thread, data, stack_size, priority, signal, run_on_cpu,
					 __builtin_return_address(0));

	(void)uses_fpu;
	return make(task, &plan);
}

_Atomic bool rtai_module_task_runs;

/* A task that is in Linux ends when it comes back, and runs code of its module until then. */
static void wait_for_end(tact_task_t native)
{
	int naps = 0;

	if (rtai_self() || runtime_in_handler())
		return;
	while (naps < END_NAPS && !tact_task_inquire(native, NULL) && !runtime_nap())
		naps++;
	if (naps == END_NAPS)
		atomic_store(&rtai_module_task_runs, true);
}

/* Of a task that is another's, the record goes at once, and its waiting clients are woken. */
int rtai_module_task_delete(RT_TASK *task)
{
	struct runtime_record *record = rtai_task_arg(task);
	tact_task_t native;
	uint64_t id;

	if (!record || runtime_in_handler())
		return -EINVAL;
	id = runtime_id(record);
	native = rtai_native_task(record);
	if (record == rtai_self()) {
		rtai_deregister(rtai_task_of(record)->self);
		rtai_signals_end(rtai_task_of(record));
		runtime_task_end(&rtai_records, id);
		(void)tact_task_delete(TACT_SELF);
		return 0;
	}
	rtai_kill_task(record);
	wait_for_end(native);
	return 0;
}

static RT_TASK *make_named(const char *name, struct plan plan)
{
	void *there = NULL;
	RT_TASK *task;

	plan.name = nam2num(name);
	if (rtai_use(plan.name, IS_TASK, &there) > 0)
		return there;
	if (there)
		return NULL;
	task = rtai_alloc(sizeof(*task));
	if (!task)
		return NULL;
	task->opaque = NULL;
	if (!make(task, &plan))
		return task;
	rtai_free_block(task);
	return NULL;
}

RT_TASK *rtai_module_named_task_init(const char *name, void (*thread)(long), long data,
				     int stack_size, int priority, int uses_fpu,
				     void (*signal)(void))
{
	const struct plan plan =
		plan_of(thread, data, stack_size, priority, signal, 0, __builtin_return_address(0));

	(void)uses_fpu;
	return make_named(name, plan);
}

RT_TASK *rtai_module_named_task_init_cpuid(const char *name, void (*thread)(long), long data,
					   int stack_size, int priority, int uses_fpu,
					   void (*signal)(void), unsigned int run_on_cpu)
{
	const struct plan plan = plan_of(thread, data, stack_size, priority, signal, run_on_cpu,
					 __builtin_return_address(0));

	(void)uses_fpu;
	return make_named(name, plan);
}

int rtai_module_named_task_delete(RT_TASK *task)
{
	int left;

	if (!task || !rtai_find(task, RTAI_TASK))
		return -EFAULT;
	left = rtai_unuse(task);
	if (left > 0)
		return left;
	if (rtai_module_task_delete(task))
		return -EFAULT;
	/* Its structure was made with it, if it was made by a name. */
	if (!left)
		rtai_free_block(task);
	return 0;
}

RT_TASK *rtai_module_whoami(void)
{
	static RT_TASK of_linux;
	RT_TASK *self = rt_agent();

	return self ? self : &of_linux;
}

int rtai_module_get_prio(RT_TASK *task)
{
	int now;
	int base;

	return rt_get_priorities(task, &now, &base) ? -EINVAL : base;
}

int rtai_module_get_inher_prio(RT_TASK *task)
{
	int now;
	int base;

	return rt_get_priorities(task, &now, &base) ? -EINVAL : now;
}

int rtai_module_get_task_state(RT_TASK *task)
{
	struct runtime_record *record = rtai_task_arg(task);
	int state;

	if (!record)
		return 0;
	state = atomic_load(&rtai_task_of(record)->state);
	if (atomic_load(&rtai_task_of(record)->by_others))
		state |= RT_SCHED_SUSPENDED;
	return state | RT_SCHED_READY;
}

RTIME rtai_module_next_period(void)
{
	struct runtime_record *self = rtai_self();
	const struct rtai_task *task = self ? rtai_task_of(self) : NULL;
	const RTIME period = task ? atomic_load(&task->period) : 0;

	return period ? task->release + period : 0;
}

int rtai_module_register(unsigned long name, void *address, int type, void *linux_task)
{
	(void)linux_task;
	return name && address && rtai_register(name, address, type);
}

int rtai_module_drg_on_adr(void *address)
{
	const bool there = address && rt_get_name(address);

	rtai_deregister(address);
	return there;
}

int rtai_module_drg_on_name(unsigned long name)
{
	return rtai_module_drg_on_adr(rt_get_adr(name));
}

struct rtai_times *rtai_module_times(void)
{
	static struct rtai_times times = {.linux_tick = 1000000, .periodic_tick = 1};

	times.tick_time = rt_get_time();
	times.linux_time = times.tick_time;
	times.intr_time = times.tick_time;
	return &times;
}
