/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The life of tasks: creation, start, deletion, restart. */
#include "psos_task.h"

#include <stdio.h>

#include <tactus/data.h>
#include <tactus/routine.h>

#include "psos_errors.h"
#include "runtime/names.h"

/* A task has at least this stack: a printf() needs more than what pSOS+ programs ask for. */
#define STACK_MIN_BYTES (64u * 1024u)
#define STACK_MAX_BYTES ((size_t)1 << 36)

_Static_assert(sizeof(struct psos_task) <= PSOS_EXTRA_BYTES, "the extra bytes of a record");

/* The end of a task, for whatever reason; its record may be another object's already. */
static void ended(tact_task_t native, uint64_t tid, uint32_t faulted)
{
	(void)native;
	(void)faulted;
	psos_timers_cancel(tid);
	psos_release(PSOS_TASK);
}

/* The body of every task. A restart begins here, too. */
static void run(void *arg)
{
	struct psos_task *task = arg;
	const unsigned long word[4] = {task->args[0], task->args[1], task->args[2], task->args[3]};
	void (*entry)(unsigned long, unsigned long, unsigned long, unsigned long) =
		(void (*)(unsigned long, unsigned long, unsigned long, unsigned long))task->entry;

	task->frame = NULL;
	task->mode = 0;
	psos_mode_change(task, 0, task->start_mode);
	entry(word[0], word[1], word[2], word[3]);
}

static bool bad_priority(unsigned long prio)
{
	return prio < 1 || prio > 255;
}

/* A record with the events of its task. Returns the code of the call. */
static unsigned long prepare(const char *name, unsigned long prio, struct runtime_record **record)
{
	const struct psos_name copy = psos_name(name);
	struct psos_task *task;

	runtime_task_sweep(&psos_objects);
	*record = runtime_reserve(&psos_objects, PSOS_TASK, copy.text);
	if (!*record)
		return ERR_NOTCB;
	task = psos_task_of(*record);
	task->priority = (uint32_t)prio;
	if (tact_event_create(NULL, 0, TACT_FIFO, &task->events)) {
		runtime_drop(*record);
		return ERR_NOTCB;
	}
	task->life.ends_too = tact_object(task->events);
	return 0;
}

static void undo(struct runtime_record *record)
{
	(void)tact_event_delete(psos_task_of(record)->events);
	runtime_drop(record);
}

/* The native task exists: from here on it is found, and its end is seen to. Returns the code. */
static unsigned long publish(struct runtime_record *record, tact_task_t native, unsigned long *tid)
{
	const uint64_t id = runtime_id(record);

	if (tact_task_set_data(native, id) || tact_task_on_end(native, ended))
		return ERR_NOTCB;
	if (runtime_task_publish(record, native)) {
		(void)tact_task_on_end(native, NULL);
		return ERR_NOTCB;
	}
	psos_give(tid, id);
	return 0;
}

/* In the registry a task has its name alone; a second one of a name has its number, too. */
static int create_native(struct runtime_record *record, struct tact_task_attr *attr,
			 tact_task_t *native)
{
	char key[TACT_NAME_BYTES];
	int error;

	attr->name = runtime_key(NULL, record->name, key);
	error = runtime_task_create(attr, native);
	if (error != -TACT_EEXIST)
		return error;
	snprintf(key, sizeof(key), "%.20s@%x", record->name, (unsigned int)runtime_id(record));
	return runtime_task_create(attr, native);
}

static unsigned long create(const char *name, unsigned long prio, size_t stack_bytes,
			    unsigned long *tid)
{
	struct tact_task_attr attr = {
		.priority = (uint32_t)prio, .flags = TACT_TASK_NO_JOIN, .stack_bytes = stack_bytes};
	struct runtime_record *record;
	tact_task_t native;
	unsigned long code = prepare(name, prio, &record);
	int error;

	if (code)
		return code;
	error = create_native(record, &attr, &native);
	if (error) {
		undo(record);
		return psos_result(psos_t_create_errors, error);
	}
	code = publish(record, native, tid);
	if (code) {
		(void)tact_task_delete(native);
		undo(record);
	}
	return code;
}

unsigned long t_create(const char *name, unsigned long prio, unsigned long sstack,
		       unsigned long ustack, unsigned long flags, unsigned long *tid)
{
	unsigned long stack_bytes;
	unsigned long code = psos_begin();

	if (code || flags & ~(unsigned long)(T_GLOBAL | T_FPU))
		return ERR_SSFN;
	if (bad_priority(prio))
		return ERR_PRIOR;
	if (__builtin_add_overflow(sstack, ustack, &stack_bytes) || stack_bytes > STACK_MAX_BYTES)
		return ERR_NOSTK;
	code = psos_claim(PSOS_TASK);
	if (code)
		return code;
	code = create(name, prio, stack_bytes < STACK_MIN_BYTES ? STACK_MIN_BYTES : stack_bytes,
		      tid);
	if (code)
		psos_release(PSOS_TASK);
	return code;
}

static void set_args(struct psos_task *task, const unsigned long targs[])
{
	for (int i = 0; i < 4; i++)
		task->args[i] = targs ? targs[i] : 0;
}

unsigned long t_start(unsigned long tid, unsigned long mode, psos_entry_t start_addr,
		      unsigned long targs[])
{
	struct runtime_record *record = psos_find(tid, PSOS_TASK);
	struct psos_task *task;
	struct tact_task_info info = {0};
	unsigned long code;

	if (!record)
		return psos_id_error(tid);
	if (!start_addr || mode & ~(unsigned long)PSOS_MODES || runtime_in_handler())
		return ERR_SSFN;
	if (tact_task_inquire(psos_task(record), &info))
		return ERR_OBJDEL;
	if (!(info.state & TACT_TASK_STATE_DORMANT))
		return ERR_ACTIVE;
	task = psos_task_of(record);
	task->entry = start_addr;
	task->start_mode = mode;
	set_args(task, targs);
	code = psos_result(psos_t_start_errors, runtime_task_start(record, run, task));
	runtime_let_makers_go_first();
	return code;
}

unsigned long t_delete(unsigned long tid)
{
	struct runtime_record *record = psos_task_find(tid);
	tact_task_t native;

	if (runtime_in_handler())
		return ERR_SSFN;
	if (!record)
		return psos_id_error(tid);
	native = psos_task(record);
	runtime_task_end(&psos_objects, runtime_id(record));
	if (native.id == tact_task_self().id)
		tact_task_exit();
	(void)tact_task_delete(native);
	return 0;
}

/* What a restart resets before the task begins anew; the rest is reset by run(). */
static void reset(struct runtime_record *record, const unsigned long targs[])
{
	struct psos_task *task = psos_task_of(record);

	psos_timers_cancel(runtime_id(record));
	(void)tact_event_clear(task->events, UINT64_MAX, NULL);
	(void)tact_task_set_routine(psos_task(record), NULL);
	task->asr = NULL;
	set_args(task, targs);
	(void)tact_task_set_priority(psos_task(record), task->priority, 0, NULL);
}

unsigned long t_restart(unsigned long tid, unsigned long targs[])
{
	struct runtime_record *record = psos_task_find(tid);
	struct tact_task_info info = {0};

	if (runtime_in_handler())
		return ERR_SSFN;
	if (!record)
		return psos_id_error(tid);
	if (tact_task_inquire(psos_task(record), &info))
		return ERR_OBJDEL;
	if (info.state & TACT_TASK_STATE_DORMANT)
		return ERR_NACTIVE;
	reset(record, targs);
	return psos_result(psos_t_restart_errors, runtime_task_restart(record));
}

/* The native task of the calling thread, which has a record. */
static unsigned long attach(struct runtime_record *record, unsigned long prio, unsigned long *tid)
{
	char key[TACT_NAME_BYTES];
	struct tact_task_attr attr = {.priority = (uint32_t)prio, .flags = TACT_TASK_NO_JOIN};
	tact_task_t native;
	unsigned long code;
	int error;

	attr.name = runtime_key(NULL, record->name, key);
	error = runtime_attach(&attr, &native);
	if (error == -TACT_EEXIST) {
		attr.name = NULL;
		error = runtime_attach(&attr, &native);
	}
	if (error)
		return psos_result(psos_t_create_errors, error);
	code = publish(record, native, tid);
	if (code)
		(void)tact_task_detach();
	return code;
}

unsigned long t_shadow(const char *name, unsigned long prio, unsigned long flags,
		       unsigned long *tid)
{
	struct runtime_record *record;
	unsigned long code = psos_begin();

	if (code || flags & ~(unsigned long)(T_GLOBAL | T_FPU) ||
	    (tact_task_self().id && !runtime_is_main()))
		return ERR_SSFN;
	if (bad_priority(prio))
		return ERR_PRIOR;
	code = psos_claim(PSOS_TASK);
	if (code)
		return code;
	code = prepare(name, prio, &record);
	if (code)
		goto release;
	/* Done now, as it may need Linux. */
	if (runtime_task_end_with_thread(&psos_objects, runtime_id(record)))
		code = ERR_NOTCB;
	else
		code = attach(record, prio, tid);
	if (!code)
		return 0;
	(void)runtime_task_end_with_thread(&psos_objects, 0);
	undo(record);
release:
	psos_release(PSOS_TASK);
	return code;
}
