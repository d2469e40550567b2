/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the sources of the skin share: its objects, its tick, its errors. */
#ifndef VXWORKS_INTERNAL_H
#define VXWORKS_INTERNAL_H

#include <iosLib.h>
#include <objLib.h>
#include <selectLib.h>
#include <taskLib.h>
#include <vxWorks.h>

#include "runtime/caller.h"
#include "runtime/error.h"
#include "runtime/life.h"
#include "runtime/record.h"
#include "runtime/start.h"
#include "runtime/task.h"
#include "runtime/ticks.h"

/* Types of records. */
enum {
	VXWORKS_TASK = 1,
	VXWORKS_SEM,
	VXWORKS_QUEUE,
	VXWORKS_WATCHDOG,
	VXWORKS_PARTITION,
	VXWORKS_PIPE
};

#define VXWORKS_ARGS 10

struct vxworks_task {
	struct runtime_task task; /* what ends with it is its event flags */
	WIND_TCB own;
	WIND_TCB *tcb;    /* its own, or the program's (taskInit()) */
	int *errno_place; /* NULL: the task has not begun */
	_Vx_usr_arg_t args[VXWORKS_ARGS];
	struct taskVar *variables;
	int standard[3];               /* its own descriptors, plus 1; 0: those of all tasks */
	_Atomic uint32_t select_nodes; /* that it has (select.c) */
	/* Of the select() in which it waits: the descriptors that have become ready. */
	_Atomic uint64_t ready[2][FD_SETSIZE / 64];
};

/* Bits of a task's event flags that are no events of VxWorks. */
#define VXWORKS_NEVER  ((uint64_t)1 << 63) /* taskWait(): nobody sets it */
#define VXWORKS_SELECT ((uint64_t)1 << 62) /* a descriptor of its select() is ready */

/* The task to which an object sends events when it becomes free. */
struct vxworks_registration {
	_Atomic int task; /* 0: none */
	uint32_t events;
	uint8_t options;
};

struct vxworks_sem {
	uint32_t kind; /* enum vxworks_sem_kind */
	uint32_t options;
	struct vxworks_registration registration;
};

struct vxworks_queue {
	int options;
	uint32_t message_bytes; /* as the program said */
	struct vxworks_registration registration;
};

struct vxworks_watchdog {
	FUNCPTR routine;
	_Vx_usr_arg_t parameter;
	_Atomic uint32_t counts;
};

/* A partition is a heap for each piece of memory that was added to it. */
#define VXWORKS_PIECES 16u
struct vxworks_partition {
	_Atomic uint32_t pieces;
	struct vxworks_piece {
		tact_heap_t heap;
		char *begin;
		char *end;
	} piece[VXWORKS_PIECES];
};

struct vxworks_pipe {
	DEV_HDR device;
	uint32_t message_bytes; /* as the program said */
	SEL_WAKEUP_LIST selected;
};

struct vxworks_object {
	struct runtime_record record;
	union {
		struct vxworks_task task;
		struct vxworks_sem sem;
		struct vxworks_queue queue;
		struct vxworks_watchdog watchdog;
		struct vxworks_partition partition;
		struct vxworks_pipe pipe;
	};
};

extern const struct runtime_table vxworks_objects;
extern struct runtime_ticks vxworks_ticks;

/* No task of this skin runs handlers. */
static inline bool vxworks_in_handler(void)
{
	return tact_mode() == TACT_MODE_HANDLER;
}

/* Sets errno, or what stands for it in a handler. Returns ERROR. */
STATUS vxworks_fail(int code);
/* The same for a function that returns an id or a pointer. Returns NULL. */
void *vxworks_no_id(int code);
/* errno, or what stands for it in a handler. */
int *vxworks_errno(void);
/* The result of a call of the nucleus as a STATUS, in the codes that all objects have in common. */
STATUS vxworks_failed(int result);
static inline STATUS vxworks_status(int result)
{
	return result >= 0 ? OK : vxworks_failed(result);
}
/* The same for a call that waits unless timeout is NO_WAIT: the object may have been deleted under
 * it. For all other calls an object that is deleted meanwhile does not exist. */
static inline STATUS vxworks_waited(int result, int timeout)
{
	return result == -TACT_EIDRM && timeout != NO_WAIT ? vxworks_fail(S_objLib_OBJ_DELETED)
							   : vxworks_status(result);
}
/* Start the nucleus if need be. ERROR: the caller is a handler, or it cannot be started. */
STATUS vxworks_begin(void);
/* runtime_create(), after vxworks_begin(). NULL: it failed, and errno says why. */
void *vxworks_create(uint32_t type, runtime_make_t *make, const void *how);
/* Delete an object that only tasks delete. */
STATUS vxworks_delete(const void *id, uint32_t type);

/* The record of an id; NULL: no object of this type has it. */
static inline struct vxworks_object *vxworks_find(const void *id, uint32_t type)
{
	return (struct vxworks_object *)runtime_find(&vxworks_objects, (uintptr_t)id, type);
}

/* A timeout in ticks, NO_WAIT or WAIT_FOREVER. */
static inline tact_timeout_t vxworks_timeout(int ticks)
{
	return ticks < 0 ? TACT_FOREVER : runtime_on_tick(&vxworks_ticks, (uint64_t)ticks);
}

/* Tasks (task.c). 0 is the calling task; NULL: the id names no task. */
struct vxworks_object *vxworks_task_find(int tid);
/* The calling task; NULL: it is not one of this skin. Context: any. */
struct vxworks_object *vxworks_task_self(void);
static inline tact_task_t vxworks_native(const struct vxworks_object *task)
{
	return (tact_task_t){runtime_native(&task->record).id};
}
static inline int vxworks_task_id(const struct vxworks_object *task)
{
	return (int)runtime_id(&task->record);
}
/* WIND_*, or-ed, of a task; ERROR: it has ended. */
int vxworks_task_status(const struct vxworks_object *task);
/* The tick's length in ns: a quantum of so many ticks (kernel.c); 0: tasks have no quantum. */
const struct tact_sched_param *vxworks_slice(struct tact_sched_param *param);

/* Hooks (task_hook.c). */
void vxworks_run_create_hooks(WIND_TCB *tcb);
void vxworks_run_delete_hooks(WIND_TCB *tcb);
void vxworks_run_switch_hooks(WIND_TCB *former, WIND_TCB *next);

/* Switches (task_switch.c): from the first call of vxworks_watch_switches() on, each task sees when
 * the CPU switches to it. */
STATUS vxworks_watch_switches(void);
void vxworks_watch_switches_to(struct vxworks_object *task);
/* The task begins; it ends. */
void vxworks_switches_begin(struct vxworks_object *task);
void vxworks_switches_end(struct vxworks_object *task);

/* Events (event.c): the flags of a task, and the events of an object that became free. */
static inline tact_event_t vxworks_events(const struct vxworks_object *task)
{
	return (tact_event_t){task->task.task.ends_too.id};
}
STATUS vxworks_register(struct vxworks_registration *registration, uint32_t events, uint8_t options,
			bool is_free);
STATUS vxworks_deregister(struct vxworks_registration *registration);
/* The object is free and nobody waits for it. notify: ERROR if the events cannot be sent. */
STATUS vxworks_send_events(struct vxworks_registration *registration, bool notify);

/* Messages of logMsg() (log.c): start what prints them. */
int vxworks_log_begin(void);
/* Is a watchdog counting, or a clock connected (wd.c, clock.c)? main() stays as long. */
bool vxworks_goes_on(void);
bool vxworks_clocks_run(void);
/* Does time pass only when all tasks wait? Then a task that waits in Linux stops it. Context: any.
 */
bool vxworks_time_is_virtual(void);
/* The tick counter begins (clock.c). */
void vxworks_clock_begin(void);

#endif
