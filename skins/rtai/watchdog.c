/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The watchdog: every 10 ms a task above all others looks for periodic tasks that are late by more
 * than their grace, and for tasks without a period that do not let others run for 100 ms, and does
 * with them what the policy says. It begins with the first call here.
 */
#include <string.h>

#include <rtai_wd.h>

#include "rtai_task.h"

#define TICK_NS   10000000
#define LOOPS_MAX 10  /* ticks that a task without a period may run */
#define BAD_MAX   100 /* tasks that are remembered */
#define CPUS_MAX  64

static _Atomic int grace = 3;
static _Atomic int grace_divisor = 1;
static _Atomic int safety = 100;
static _Atomic int policy = WD_SUSPEND;
static _Atomic int stretch = 10;
static _Atomic int slip = 10;
static _Atomic int limit = 100;
static _Atomic int begun;

/* What is remembered of a task that was late. Only the watchdog's task uses it. */
struct bad {
	RT_TASK *task; /* NULL: the entry is free */
	int count;     /* how often */
	int countdown; /* ticks until it goes on; 0: it was not slipped */
	RTIME period;  /* the first one */
};

/* The task that would run if the watchdog did not. */
struct runner {
	RT_TASK *task;
	uint32_t priority;
	int ticks; /* how often it was the same */
};

static struct bad bad[BAD_MAX];
static struct runner runner[CPUS_MAX];
static struct runner now_running[CPUS_MAX];

static void tell(const char *what, RT_TASK *task)
{
	char name[RTAI_NAME_TEXT];

	(void)rt_printk("RTAI[watchdog]: %s task %s\n", what,
			rtai_name_text(rt_get_name(task), name));
}

static struct bad *find_bad(const RT_TASK *task)
{
	for (int i = 0; i < BAD_MAX; i++)
		if (bad[i].task == task)
			return &bad[i];
	return NULL;
}

/* NULL: there is no room to remember it. */
static struct bad *remember(RT_TASK *task, RTIME period)
{
	struct bad *entry = find_bad(task);

	if (entry)
		return entry;
	entry = find_bad(NULL);
	if (entry)
		*entry = (struct bad){.task = task, .period = period};
	return entry;
}

static void stop(struct runtime_record *record, const char *why)
{
	RT_TASK *task = rtai_task_pointer(record);

	(void)rtai_suspend_other(record);
	tell(why, task);
}

static void begin_slip(struct runtime_record *record, struct bad *entry)
{
	const RTIME period = atomic_load(&rtai_task_of(record)->period);

	entry->countdown = (int)(period * atomic_load(&slip) / 100 / TICK_NS);
	if (entry->countdown < 1)
		entry->countdown = 1;
	stop(record, "Slipping");
}

static void stretch_period(struct runtime_record *record, const struct bad *entry)
{
	struct rtai_task *task = rtai_task_of(record);

	atomic_fetch_add(&task->period, entry->period * atomic_load(&stretch) / 100);
	atomic_store(&task->resync, 1);
	tell("Stretching period of", task->self);
}

static void apply_policy(struct runtime_record *record, struct bad *entry)
{
	RT_TASK *task = rtai_task_pointer(record);

	switch (atomic_load(&policy)) {
	case WD_RESYNC:
	case WD_DEBUG:
		atomic_store(&rtai_task_of(record)->resync, 1);
		tell("Resynchronising", task);
		break;
	case WD_STRETCH:
		stretch_period(record, entry);
		break;
	case WD_SLIP:
		begin_slip(record, entry);
		break;
	case WD_SUSPEND:
		stop(record, "Suspending");
		break;
	case WD_KILL:
		tell("Killing", task);
		rtai_kill_task(record);
		break;
	default: /* WD_NOTHING */
		tell("Found overrunning", task);
		break;
	}
}

static void punish(struct runtime_record *record, RTIME late)
{
	struct bad *entry =
		remember(rtai_task_pointer(record), atomic_load(&rtai_task_of(record)->period));
	const int most = atomic_load(&limit);
	const int far = atomic_load(&safety);

	if (!entry)
		return;
	entry->count++;
	if (far >= 0 && late >= far * entry->period)
		stop(record, "Forcing suspension of severely overrun");
	else if (most >= 0 && entry->count >= most)
		stop(record, "Suspending at the limit of offences");
	else
		apply_policy(record, entry);
}

static bool slips(struct bad *entry)
{
	if (!entry || !entry->countdown)
		return false;
	if (!--entry->countdown)
		(void)rt_task_resume(entry->task);
	return true;
}

/* A task that waits, is suspended or is in Linux keeps no real-time CPU. */
static bool is_ready(struct runtime_record *record, struct tact_task_info *info)
{
	const struct rtai_task *task = rtai_task_of(record);

	return !tact_task_inquire(rtai_native_task(record), info) &&
	       info->state == TACT_TASK_STATE_READY && !atomic_load(&task->state) &&
	       atomic_load(&task->suspended) <= 0;
}

static void note_runner(RT_TASK *task, const struct tact_task_info *info)
{
	struct runner *there = &now_running[info->cpu % CPUS_MAX];
	const bool same = runner[info->cpu % CPUS_MAX].task == task;

	if (!there->task || info->priority > there->priority ||
	    (info->priority == there->priority && same))
		*there = (struct runner){task, info->priority, 0};
}

static bool look_at(void *pointer, int type, void *arg)
{
	struct runtime_record *record = type == IS_TASK ? rtai_find(pointer, RTAI_TASK) : NULL;
	struct tact_task_info info = {0};
	struct rtai_task *task;
	RTIME late;

	if (!record || record == arg || slips(find_bad(pointer)) || !is_ready(record, &info))
		return false;
	task = rtai_task_of(record);
	note_runner(pointer, &info);
	if (!atomic_load(&task->period) || atomic_load(&task->resync))
		return false;
	late = (RTIME)tact_now().ns - atomic_load(&task->release);
	if (late >= atomic_load(&task->period) * atomic_load(&grace) / atomic_load(&grace_divisor))
		punish(record, late);
	return false;
}

/* A task without a period that ran at each of the last ticks is suspended, whatever the policy. */
static void look_for_loopers(void)
{
	for (uint32_t cpu = 0; cpu < tact_cpus() && cpu < CPUS_MAX; cpu++) {
		RT_TASK *task = now_running[cpu].task;
		struct runtime_record *record = task ? rtai_find(task, RTAI_TASK) : NULL;

		if (!record || task != runner[cpu].task ||
		    atomic_load(&rtai_task_of(record)->period)) {
			runner[cpu] = now_running[cpu];
			continue;
		}
		if (++runner[cpu].ticks < LOOPS_MAX)
			continue;
		runner[cpu].ticks = 0;
		stop(record, "Suspending looping");
	}
	memset(now_running, 0, sizeof(now_running));
}

static void forget_ended(void)
{
	for (int i = 0; i < BAD_MAX; i++)
		if (bad[i].task && !rtai_find(bad[i].task, RTAI_TASK))
			bad[i].task = NULL;
}

static void watch(void *arg)
{
	uint64_t tick = tact_now().ns + TICK_NS;
	int error;

	(void)arg;
	for (; !rtai_result(error = tact_task_sleep_until(tact_at((tact_time_t){tick}))) ||
	       error == -TACT_EINTR;
	     tick += TICK_NS) {
		/* By a signal of Linux. */
		if (error == -TACT_EINTR) {
			tick -= TICK_NS;
			continue;
		}
		(void)rtai_registry_search(look_at, rtai_self());
		look_for_loopers();
		forget_ended();
		/* In a debugger time passes between two instructions. */
		if (tact_now().ns > tick + TICK_NS)
			tick = tact_now().ns;
	}
}

static int begin(void)
{
	struct runtime_record *record;

	if (runtime_in_handler())
		return -EPERM;
	if (atomic_exchange(&begun, 1))
		return 0;
	record = rtai_begin() ? NULL : rtai_spawn_task(0, 0, 0, 0);
	if (!record)
		goto not_begun;
	(void)tact_task_set_priority(rtai_native_task(record), TACT_PRIORITY_MAX, 0, NULL);
	if (!runtime_task_start(record, watch, NULL))
		return 0;
	rtai_kill_task(record);
not_begun:
	atomic_store(&begun, 0);
	return -ENOMEM;
}

/* Returns the former value, or an error. */
static int set(_Atomic int *parameter, int value, bool valid)
{
	const int error = begin();

	if (error)
		return error;
	return valid ? atomic_exchange(parameter, value) : -EINVAL;
}

/* Up to WD_STRETCH a task is late at its next release. */
static bool valid_grace(int value)
{
	return value >= 1 && (value == 1 || atomic_load(&policy) > WD_STRETCH);
}

int rt_wdset_grace(int new_value)
{
	return set(&grace, new_value, valid_grace(new_value));
}

int rt_wdset_gracediv(int new_value)
{
	return set(&grace_divisor, new_value, valid_grace(new_value));
}

int rt_wdset_safety(int new_value)
{
	return set(&safety, new_value, new_value < 0 || new_value >= atomic_load(&grace));
}

int rt_wdset_policy(wd_policy new_value)
{
	const int value = (int)new_value;
	const int before = set(&policy, value, value >= WD_NOTHING && value <= WD_KILL);

	if (before < 0)
		return before;
	if (value <= WD_STRETCH) {
		atomic_store(&grace, 1);
		atomic_store(&grace_divisor, 1);
	}
	if (value == WD_DEBUG) {
		atomic_store(&safety, -1);
		atomic_store(&limit, -1);
	}
	return before;
}

int rt_wdset_slip(int new_value)
{
	return set(&slip, new_value, new_value >= 0);
}

int rt_wdset_stretch(int new_value)
{
	return set(&stretch, new_value, new_value >= 0);
}

int rt_wdset_limit(int new_value)
{
	return set(&limit, new_value, true);
}
