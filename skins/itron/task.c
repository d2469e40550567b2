/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The life of tasks. A native task lives as long as the task exists: between two lives it waits at
 * the semaphore `wake`, which the task sleeps at in its lives. Only ter_tsk() ends a native task;
 * then the ID is bound to another record with a native task of its own.
 */
#include "core.h"

#include <stdio.h>

#include "runtime/names.h"

#define STACK_MIN_BYTES (64 * 1024)
#define WAKEUPS_MAX     65535u

static ER make(ID id, const struct itron_task_how *how, struct itron_object **made)
{
	char name[RUNTIME_NAME_BYTES];
	char key[TACT_NAME_BYTES];
	struct runtime_record *record;
	struct itron_object *task;
	tact_task_t native;
	struct tact_task_attr attr = {
		.priority = itron_native_priority(how->priority),
		.flags = TACT_TASK_NO_JOIN | TACT_ON_CPU(0),
		.stack_bytes = (size_t)(how->stack_bytes < STACK_MIN_BYTES ? STACK_MIN_BYTES
									   : how->stack_bytes),
	};
	int error;

	runtime_task_sweep(&itron_objects);
	record = runtime_reserve(&itron_objects, ITRON_TASK, itron_name(ITRON_TASK, id, name));
	if (!record)
		return E_NOMEM;
	task = (struct itron_object *)record;
	error = tact_sem_create(NULL, 0, WAKEUPS_MAX, TACT_FIFO | TACT_ON_CPU(0), &task->task.wake);
	if (error)
		goto drop_record;
	attr.name = runtime_key(NULL, record->name, key);
	error = runtime_task_create(&attr, &native);
	/* The task before, which ter_tsk() has ended, may have the name still. */
	if (error == -TACT_EEXIST) {
		attr.name = NULL;
		error = runtime_task_create(&attr, &native);
	}
	if (error)
		goto delete_wake;
	task->life.ends_too = tact_object(task->task.wake);
	task->id = id;
	task->attributes = how->attributes;
	task->exinf = how->exinf;
	task->task.entry = how->entry;
	task->task.initial = how->priority;
	task->task.stack_bytes = how->stack_bytes;
	error = tact_task_set_data(native, itron_word(task));
	if (!error)
		error = runtime_task_publish(record, native);
	if (error)
		goto delete_native;
	*made = task;
	return E_OK;
delete_native:
	(void)tact_task_delete(native);
delete_wake:
	(void)tact_sem_delete(task->task.wake);
drop_record:
	runtime_drop(record);
	return itron_result(error);
}

ER itron_task_create(ID id, const struct itron_task_how *how)
{
	struct itron_object *task;
	ER code = itron_begin();

	if (!code)
		code = itron_claim(ITRON_TASK, &id);
	if (code)
		return code;
	code = make(id, how, &task);
	if (code) {
		itron_unclaim(ITRON_TASK, id);
		return code;
	}
	itron_bind(task);
	return id;
}

/* An end inside of the entry comes back to where this was called. */
static void live_once(void *arg)
{
	struct itron_object *self = arg;
	void (*entry)(intptr_t, intptr_t) = (void (*)(intptr_t, intptr_t))self->task.entry;

	entry(self->task.code, self->exinf);
}

/* Until it is activated. False: it was deleted, and its record is not its own any more. */
static bool be_dormant(struct itron_object *self)
{
	const tact_sem_t wake = self->task.wake;
	struct itron_key key = itron_lock();

	(void)tact_sem_reset(wake, 0);
	if (atomic_load(&self->task.activations)) {
		atomic_fetch_sub(&self->task.activations, 1);
		self->task.code = self->exinf;
	} else {
		atomic_store(&self->task.active, 0);
	}
	itron_unlock(key);
	(void)tact_task_set_priority(TACT_SELF, itron_native_priority(self->task.initial), 0, NULL);
	if (atomic_load(&self->task.active))
		return !tact_task_yield();
	do
		if (tact_sem_wait(wake, TACT_FOREVER) == -TACT_EIDRM)
			return false;
	while (!atomic_load(&self->task.active));
	return true;
}

static void live(void *arg)
{
	struct itron_object *self = arg;

	for (;;) {
		runtime_call_at(&self->task.point, live_once, self);
		itron_unlock_all(self);
		itron_task_ends(self);
		if (self->task.ends)
			break;
		if (!be_dormant(self))
			return;
	}
	/* The record is freed when this function has returned. */
	itron_release(self);
}

ER itron_task_activate(struct itron_object *task, intptr_t code)
{
	uint32_t dormant = 0;
	int error;

	if (!atomic_compare_exchange_strong(&task->task.active, &dormant, 1))
		return E_OBJ;
	task->task.code = code;
	if (task->task.begun) {
		(void)tact_task_set_priority(itron_task(task),
					     itron_native_priority(task->task.initial), 0, NULL);
		error = tact_sem_post(task->task.wake);
	} else {
		task->task.begun = true;
		error = runtime_task_start(&task->record, live, task);
	}
	runtime_let_makers_go_first();
	return itron_result(error);
}

/* Unlike make() it has a thread already: what is attached is undone in another order. */
ER itron_task_shadow(ID id, const struct itron_task_how *how)
{
	char name[RUNTIME_NAME_BYTES];
	struct tact_task_attr attr = {.priority = itron_native_priority(how->priority)};
	struct itron_object *task;
	struct runtime_record *record;
	tact_task_t native;
	int error;
	ER code = tact_cpus() && runtime_in_handler() ? E_CTX
						      : itron_result(runtime_begin(&itron_program));

	if (code)
		return code;
	if (itron_self())
		return E_CTX;
	code = itron_claim(ITRON_TASK, &id);
	if (code)
		return code;
	record = runtime_reserve(&itron_objects, ITRON_TASK, itron_name(ITRON_TASK, id, name));
	error = record ? runtime_task_end_with_thread(&itron_objects, runtime_id(record))
		       : -TACT_ENOMEM;
	if (error)
		goto unclaim;
	task = (struct itron_object *)record;
	error = tact_sem_create(NULL, 0, WAKEUPS_MAX, TACT_FIFO | TACT_ON_CPU(0), &task->task.wake);
	if (error)
		goto unclaim;
	attr.name = record->name;
	error = runtime_attach(&attr, &native);
	if (error)
		goto delete_wake;
	task->life.ends_too = tact_object(task->task.wake);
	task->id = id;
	task->attributes = how->attributes;
	task->exinf = how->exinf;
	task->task.initial = how->priority;
	task->task.shadow = true;
	atomic_store(&task->task.active, 1);
	error = tact_task_set_data(TACT_SELF, itron_word(task));
	if (!error)
		error = runtime_task_publish(record, native);
	if (error)
		goto detach;
	itron_bind(task);
	return E_OK;
detach:
	(void)tact_task_detach();
delete_wake:
	(void)tact_sem_delete(task->task.wake);
unclaim:
	(void)runtime_task_end_with_thread(&itron_objects, 0);
	if (record)
		runtime_drop(record);
	itron_unclaim(ITRON_TASK, id);
	return itron_result(error);
}

/* Bind the ID of a task to a new record with a native task, which is dormant. */
static ER replace(struct itron_object *task)
{
	struct itron_object *next;
	ER code = make(task->id,
		       &(struct itron_task_how){task->attributes, task->exinf, task->task.entry,
						task->task.initial, task->task.stack_bytes},
		       &next);

	if (code)
		return code;
	itron_task_keep_more(next, task);
	atomic_store(&next->task.activations, atomic_load(&task->task.activations));
	itron_bind(next);
	return E_OK;
}

/* If activations were requested while the task was active. */
static ER activate_again(ID id)
{
	struct itron_object *task;

	if (itron_find(ITRON_TASK, id, &task) || !atomic_load(&task->task.activations))
		return E_OK;
	atomic_fetch_sub(&task->task.activations, 1);
	return itron_task_activate(task, task->exinf);
}

static void end_self(bool deletes)
{
	struct itron_object *self = itron_self();
	ID id;

	if (!self)
		return;
	id = self->id;
	self->task.ends = deletes;
	if (!self->task.shadow && !itron_task_in_routine(self))
		runtime_return_to(&self->task.point);
	/* A thread that was attached has no entry to come back to, and a routine has to return to
	 * the nucleus: the native task ends. */
	itron_unlock_all(self);
	itron_task_ends(self);
	if (self->task.shadow || deletes || replace(self))
		itron_release(self);
	runtime_task_end(&itron_objects, runtime_id(&self->record));
	if (!deletes)
		(void)activate_again(id);
	tact_task_exit();
}

void ext_tsk(void)
{
	end_self(false);
}

void exd_tsk(void)
{
	end_self(true);
}

/* Free the record of a task that does not run any more, and the native task. */
static void discard(struct itron_object *task)
{
	const uint64_t id = runtime_id(&task->record);

	itron_task_ended(task);
	/* A task in a Linux call goes on until it comes back, without its record. */
	(void)tact_task_set_data(itron_task(task), 0);
	/* First: what the task waits for goes with its record. */
	(void)tact_task_delete(itron_task(task));
	runtime_task_end(&itron_objects, id);
}

ER del_tsk(ID tskid)
{
	struct itron_object *task;
	ER code = itron_find_to_change(ITRON_TASK, tskid, &task);

	if (code)
		return code;
	if (atomic_load(&task->task.active))
		return E_OBJ;
	itron_release(task);
	discard(task);
	return E_OK;
}

ER ter_tsk(ID tskid)
{
	struct itron_object *task;
	ER code = itron_find_task(tskid, &task);

	if (!code)
		code = itron_begin();
	if (code)
		return code;
	if (task == itron_self())
		return ITRON_SELF_REFUSED;
	if (!atomic_load(&task->task.active))
		return E_OBJ;
	code = replace(task);
	if (code)
		return code;
	discard(task);
	return activate_again(tskid);
}
