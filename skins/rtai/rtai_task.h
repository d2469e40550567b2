/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the task object share. */
#ifndef RTAI_TASK_INTERNAL_H
#define RTAI_TASK_INTERNAL_H

#include "rtai_internal.h"

#include "runtime/task.h"

#include <tactus/data.h>

struct rtai_signals;

/* Of a task that is made with its function. */
struct rtai_start {
	void (*thread)(long);
	long data;
};

struct rtai_task {
	struct runtime_task life;
	void *self;   /* as the program has it */
	int priority; /* of RTAI, without the offset of soft tasks */
	bool hard;
	bool attached; /* of a thread that the program made */
	bool main_thread;
	bool spawned; /* made with its function, by rt_named_task_init() */
	struct rtai_start start;
	tact_port_t port;      /* of its messages */
	tact_sem_t resumed;    /* that it waits at while it has suspended itself */
	tact_timer_t starts;   /* ends the wait for its first release, for another caller */
	_Atomic int suspended; /* the depth; below 0: resumptions to come */
	_Atomic int by_others; /* 1: suspended in the nucleus */
	_Atomic int owned;     /* resource semaphores */
	_Atomic int state;     /* RT_SCHED_*, beside RT_SCHED_READY; 0: it does not wait */
	_Atomic int64_t resume_time;
	_Atomic int64_t period;
	_Atomic int64_t release; /* the last one */
	_Atomic int resync;      /* the next wait for a period begins the periods anew */
	/* Of the call that it waits for: the receiver, and the number there. */
	_Atomic uint64_t receiver;
	_Atomic uint64_t request;
	uint32_t reply_bytes;
	void (*signal)(void);
	unsigned long flags;
	unsigned long flags_mask;
	int64_t first_run;            /* when it became a task */
	char alias[32];               /* rt_Name_attach() */
	int number;                   /* its pid, for rt_Send() and the like */
	struct rtai_proxy *proxy;     /* NULL: it is none */
	_Atomic unsigned long heap;   /* the name of the heap that it opened last; 0: none */
	struct rtai_signals *signals; /* NULL: it has asked for none (signal.c) */
};
_Static_assert(sizeof(struct rtai_task) <= RTAI_EXTRA_BYTES, "a task fits into its record");

static inline struct rtai_task *rtai_task_of(struct runtime_record *record)
{
	return runtime_extra(record);
}

/* The record of the calling task, whose address is the word of the native task, with the mark of
 * pointers above it, as long as it is a task of RTAI; NULL: it is none. Context: any; a handler is
 * not the task that it interrupts. */
static inline struct runtime_record *rtai_self(void)
{
	return (struct runtime_record *)rtai_id((const void *)(uintptr_t)tact_task_data());
}

static inline uint64_t rtai_word_of(const struct runtime_record *record)
{
	return (uint64_t)(RTAI_MARK | (uintptr_t)record);
}

/* The record of a service's argument; NULL is the caller. NULL: no task. */
static inline struct runtime_record *rtai_task_arg(const RT_TASK *task)
{
	return task ? rtai_find(task, RTAI_TASK) : rtai_self();
}

static inline RT_TASK *rtai_task_pointer(const struct runtime_record *record)
{
	return record ? rtai_pointer_of(record) : NULL;
}

/* The level of hard tasks of priority 0; the one above is the watchdog's. */
#define RTAI_LEVEL_MAX (TACT_PRIORITY_MAX - 1)

/* The native priority for one of RTAI, of a hard or a soft task. */
uint32_t rtai_native_priority(int priority, bool hard);
/* The priority as RTAI tells it. */
int rtai_told_priority(const struct rtai_task *task, uint32_t native);

/* The caller waits in a way that rt_task_masked_unblock() and rt_get_task_state() know. */
static inline struct runtime_record *rtai_waits(int state)
{
	struct runtime_record *self = rtai_self();

	if (self)
		atomic_store_explicit(&rtai_task_of(self)->state, state, memory_order_relaxed);
	return self;
}

static inline void rtai_waited(struct runtime_record *self)
{
	if (self)
		atomic_store_explicit(&rtai_task_of(self)->state, 0, memory_order_relaxed);
}

/* The caller has given back a resource semaphore. A suspension that came meanwhile takes effect
 * with the last one. */
void rtai_owns_less(void);

/* Sleep until an instant that another caller may change. 0, RTE_UNBLKD. */
int rtai_sleep_until(struct runtime_record *self, int64_t instant);

/* A weak task, as a thread of Linux that is no task of RTAI. 0 or a negative error. */
int rtai_spawn_thread(void (*entry)(void *arg), void *arg, size_t stack_bytes, tact_task_t *made);
/* A record of a task with its parts (spawn.c); NULL: there is no memory. */
struct runtime_record *rtai_reserve_task(unsigned long name);
void rtai_drop_task(struct runtime_record *record);
/* Publish it under its name. 0, -TACT_EEXIST: the name is taken; -TACT_ENOMEM. */
int rtai_publish_task(struct runtime_record *record, unsigned long name, tact_task_t native);
/* A hard task, which runtime_task_start() starts. name 0: it is made up. NULL: the name is taken,
 * there is no memory. */
struct runtime_record *rtai_spawn_task(unsigned long name, int priority, size_t stack_bytes,
				       uint32_t cpu);
/* The same for a structure of a module; NULL: as for programs. */
struct runtime_record *rtai_spawn_structure(void *structure, const void *maker, unsigned long name,
					    int priority, size_t stack_bytes, uint32_t cpu);
/* Start a spawned task, which runs the function when it is resumed for the first time. Returns 0;
 * -TACT_ENOMEM: it was deleted. */
int rtai_start_suspended(struct runtime_record *record, void (*thread)(long), long data);
/* Delete a task, which is not the caller. */
void rtai_kill_task(struct runtime_record *record);
/* The caller, which was a task of RTAI, is a plain thread or a weak task again. */
int rtai_leave(const struct rtai_task *task);
/* The caller, whose depth is above 0, waits until it is resumed. Returns as rt_task_suspend(). */
int rtai_wait_resumed(struct rtai_task *task, tact_timeout_t timeout);
/* Suspend a task, which is not the caller. Returns the former depth. */
int rtai_suspend_other(struct runtime_record *record);
/* The tasks that run the handlers of a task's signals end (signal.c). */
void rtai_signals_end(struct rtai_task *task);
/* All suspensions of a task end. Context: any. */
void rtai_end_suspension(struct runtime_record *record);
/* The number of a task: that of its thread of Linux, or one of the skin. */
int rtai_number_of(uint32_t linux_tid);
/* The record of the task with a number; NULL: there is none. */
struct runtime_record *rtai_find_number(int number);

#endif
