/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Signals between tasks. Each signal of a task has a hard task of its own that runs the handler,
 * with the priority and on the CPU of the task, which stands still meanwhile.
 */
#include <stdlib.h>

#include <tactus/handler_lock.h>

#include <rtai_signal.h>

#include "rtai_task.h"

#define ENABLED 1u
#define PENDING 2u

struct signal {
	_Atomic unsigned int flags;
	_Atomic int asked_for; /* 0: nobody has requested it, or it was released */
	_Atomic int idle;      /* its task waits for the next trigger */
	void (*handler)(long signal, RT_TASK *task);
	tact_sem_t wake;
	tact_task_t native; /* of its task */
	struct rtai_signals *all;
};

/* Of a task; goes when the task and all that run its handlers have ended. */
struct rtai_signals {
	_Atomic int uses;
	RT_TASK *task;
	tact_task_t native;
	struct signal signal[MAXSIGNALS];
};

static void drop(struct rtai_signals *all)
{
	if (atomic_fetch_sub(&all->uses, 1) == 1)
		free(all);
}

/* Its task, which waits at the semaphore, or will, finds it deleted. */
static void release(struct signal *signal)
{
	if (atomic_exchange(&signal->asked_for, 0))
		(void)tact_sem_delete(signal->wake);
}

void rtai_signals_end(struct rtai_task *task)
{
	struct rtai_signals *all = task->signals;

	if (!all)
		return;
	task->signals = NULL;
	for (int i = 0; i < MAXSIGNALS; i++)
		release(&all->signal[i]);
	drop(all);
}

static void run(void *arg)
{
	struct signal *signal = arg;
	struct rtai_signals *all = signal->all;
	const long number = signal - all->signal;
	const tact_sem_t wake = signal->wake;
	void (*const handler)(long, RT_TASK *) = signal->handler;

	for (;;) {
		int error;

		atomic_store(&signal->idle, 1);
		do
			error = tact_sem_wait(wake, TACT_FOREVER);
		while (error == -TACT_EINTR); /* by a signal of Linux */
		if (error)
			break;
		handler(number, all->task);
		(void)tact_task_resume(all->native);
	}
	drop(all);
}

static int start(struct rtai_signals *all, long number, int priority,
		 void (*handler)(long signal, RT_TASK *task))
{
	struct signal *signal = &all->signal[number];
	struct tact_task_info info = {0};
	struct runtime_record *record;

	if (tact_sem_create(NULL, 0, 1, TACT_FIFO, &signal->wake))
		return -ENOMEM;
	(void)tact_task_inquire(all->native, &info);
	record = rtai_spawn_task(0, priority, 0, info.cpu);
	if (!record)
		goto delete_sem;
	signal->handler = handler;
	signal->all = all;
	signal->native = rtai_native_task(record);
	atomic_store(&signal->idle, 0);
	atomic_fetch_add(&all->uses, 1);
	if (runtime_task_start(record, run, signal)) {
		rtai_kill_task(record);
		drop(all);
		goto delete_sem;
	}
	/* It has the priority of the caller, and is to wait when the caller goes on. */
	while (!atomic_load(&signal->idle))
		if (runtime_nap())
			break;
	atomic_store(&signal->flags, ENABLED);
	atomic_store(&signal->asked_for, 1);
	return 0;
delete_sem:
	(void)tact_sem_delete(signal->wake);
	return -ENOMEM;
}

int rt_request_signal(long signal, void (*sighdl)(long, RT_TASK *))
{
	struct runtime_record *self = rtai_self();
	struct rtai_task *task;

	if (signal < 0 || signal >= MAXSIGNALS || !sighdl || !self || runtime_in_handler())
		return -EINVAL;
	task = rtai_task_of(self);
	if (!task->signals) {
		struct rtai_signals *made = calloc(1, sizeof(*made));

		if (!made)
			return -ENOMEM;
		made->task = task->self;
		made->native = rtai_native_task(self);
		atomic_store(&made->uses, 1);
		task->signals = made;
	}
	if (atomic_load(&task->signals->signal[signal].asked_for))
		return -EBUSY;
	return start(task->signals, signal, task->priority, sighdl);
}

/* NULL: nobody has asked for it. */
static struct signal *find(long number, RT_TASK *pointer, struct runtime_record **task)
{
	struct rtai_signals *all;

	*task = rtai_task_arg(pointer);
	all = *task ? rtai_task_of(*task)->signals : NULL;
	if (!all || number < 0 || number >= MAXSIGNALS)
		return NULL;
	return atomic_load(&all->signal[number].asked_for) ? &all->signal[number] : NULL;
}

int rt_release_signal(long signal, RT_TASK *task)
{
	struct runtime_record *record;
	struct signal *found = find(signal, task, &record);

	if (!found || runtime_in_handler())
		return -EINVAL;
	release(found);
	return 0;
}

/* Nothing if the handler runs already, as in RTAI. A caller that is the task itself stands still
 * from here on; until then its CPU runs nothing else. */
static void execute(struct signal *signal, struct runtime_record *record)
{
	const struct rtai_task *task = rtai_task_of(record);
	const tact_task_t native = rtai_native_task(record);
	const bool self = record == rtai_self() && !runtime_in_handler();
	const int locks = tact_task_lock_handlers();

	if (atomic_exchange(&signal->idle, 0)) {
		(void)tact_task_set_priority(
			signal->native, rtai_native_priority(task->priority, task->hard), 0, NULL);
		if (!self)
			(void)tact_task_suspend(native);
		(void)tact_sem_post(signal->wake);
		if (self)
			(void)tact_task_suspend(TACT_SELF);
	}
	if (locks >= 0)
		(void)tact_task_restore_handlers((uint32_t)locks);
}

void rt_trigger_signal(long signal, RT_TASK *task)
{
	struct runtime_record *record;
	struct signal *found = find(signal, task, &record);

	if (!found)
		return;
	do {
		if (!(atomic_fetch_and(&found->flags, ~ENABLED) & ENABLED)) {
			atomic_fetch_or(&found->flags, PENDING);
			return;
		}
		execute(found, record);
		atomic_fetch_or(&found->flags, ENABLED);
	} while (atomic_fetch_and(&found->flags, ~PENDING) & PENDING);
}

void rt_enable_signal(long signal, RT_TASK *task)
{
	struct runtime_record *record;
	struct signal *found = find(signal, task, &record);

	if (found)
		atomic_fetch_or(&found->flags, ENABLED);
}

void rt_disable_signal(long signal, RT_TASK *task)
{
	struct runtime_record *record;
	struct signal *found = find(signal, task, &record);

	if (found)
		atomic_fetch_and(&found->flags, ~ENABLED);
}
