/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks of a skin: from a native task to its record, the function in which a task runs, and ends.
 *
 * A task's id finds its record until the task ends; the id of a task that is to be joined, until it
 * was joined. The record of a task that ended otherwise than by return or deletion (by a fault, or
 * by the end of a thread that was attached) is freed when its Linux thread ends. If the task has no
 * thread of its own, the record is freed when other tasks are created.
 */
#ifndef RUNTIME_TASK_H
#define RUNTIME_TASK_H

#include "runtime/record.h"

/* What follows the record of a task. */
struct runtime_task {
	void (*entry)(void *arg);
	void *arg;
	tact_object_t ends_too; /* deleted when the task ends: its port; or TACT_NONE */
	int rounds;             /* how often its thread's destructor has run */
	bool joinable;          /* the record is kept for a join */
	_Atomic uint32_t over;  /* such a task has ended or was deleted */
};

static inline struct runtime_task *runtime_task_of(struct runtime_record *record)
{
	return runtime_extra(record);
}

/* tact_task_create() for a task that leaves signals to the program to main(). Context: linux, or a
 * task, which goes to Linux. */
int runtime_task_create(const struct tact_task_attr *attr, tact_task_t *task);
/* Publish the record of a native task, which is found by it from here on. Returns 0, -TACT_ENOMEM:
 * there are too many tasks. */
int runtime_task_publish(struct runtime_record *record, tact_task_t native);
/* tact_task_start() of a published task. */
int runtime_task_start(struct runtime_record *record, void (*entry)(void *arg), void *arg);
/* tact_task_restart() of a started task, which begins anew with the entry and the argument of its
 * start. Does not return if it is the calling task. */
int runtime_task_restart(struct runtime_record *record);

/* tact_task_restart() of a task that was started: it begins again with its entry. */
int runtime_task_restart(struct runtime_record *record);
/* How many tasks of all skins were published and have not ended. Context: any. */
uint32_t runtime_task_count(void);
/* The record of a native task; NULL: it is not a task of this skin. Context: any. */
struct runtime_record *runtime_task_find(const struct runtime_table *table, tact_task_t native);
/* The same of the calling task. A handler only interrupts a task; it is not this task. */
struct runtime_record *runtime_task_current(const struct runtime_table *table);

/* The task returns from its entry, or is deleted: free its record, or mark it as over. */
void runtime_task_end(const struct runtime_table *table, uint64_t id);
/* A task that was to be joined was joined. False: another caller has done this. */
bool runtime_task_joined(const struct runtime_table *table, uint64_t id);
/* The task with this id ends when the calling thread ends in any way; id 0: no task. Returns 0,
 * -TACT_ENOMEM. */
int runtime_task_end_with_thread(const struct runtime_table *table, uint64_t id);
/* To be called when a task is about to be created: at every 32nd call, free the records of tasks
 * that ended without doing so. */
void runtime_task_sweep(const struct runtime_table *table);
/* The same, in any case: a name is wanted that one of them may have. Context: linux. */
void runtime_task_sweep_all(const struct runtime_table *table);

#endif
