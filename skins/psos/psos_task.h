/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the skin knows of a task, and what the files about tasks share. */
#ifndef PSOS_TASK_H
#define PSOS_TASK_H

#include "psos_internal.h"
#include "runtime/task.h"

#define PSOS_NOTEPAD 16u

/* The modes that t_mode() changes, by attribute. */
#define PSOS_MODE_LEVEL T_LEVELMASK7
#define PSOS_MODES      (T_NOPREEMPT | T_TSLICE | T_NOASR | PSOS_MODE_LEVEL | T_SUPV)

struct psos_asr_frame;

struct psos_task {
	struct runtime_task life;
	tact_event_t events;
	psos_entry_t entry;
	unsigned long args[4];
	unsigned long start_mode;
	unsigned long mode; /* the present one; only the task itself writes it */
	uint32_t priority;  /* at creation */
	psos_asr_t asr;
	unsigned long asr_mode;
	struct psos_asr_frame *frame; /* of the routine that runs; NULL: none */
	_Atomic unsigned long notepad[PSOS_NOTEPAD];
};

static inline struct psos_task *psos_task_of(struct runtime_record *record)
{
	return runtime_extra(record);
}

/* The record of the calling task; NULL: it is not a task of pSOS+. */
static inline struct runtime_record *psos_task_current(void)
{
	return runtime_task_current(&psos_objects);
}

/* The record of a task; 0: of the calling one. NULL: there is none. */
static inline struct runtime_record *psos_task_find(unsigned long tid)
{
	return tid ? psos_find(tid, PSOS_TASK) : psos_task_current();
}

/* Give a task its mode: what differs between the two is changed (task_mode.c). Context: the task
 * itself. */
void psos_mode_change(struct psos_task *task, unsigned long from, unsigned long to);
/* The scheduling class of a mode. */
struct tact_sched_param psos_mode_class(unsigned long mode);

/* Cancel all timers of a task (timer.c). Context: any. */
void psos_timers_cancel(uint64_t tid);

/* Call dev_init of the drivers with IO_AUTOINIT (device.c). */
void psos_devices_init(void);

#endif
