/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tasks have beside the task of the nucleus, and tasks that the skin makes. */
#include "module_internal.h"

static void free_parts(struct runtime_record *record)
{
	struct rtai_task *task = rtai_task_of(record);

	rtai_signals_end(task);
	rtai_deregister(task->self);
	(void)tact_timer_delete(task->starts);
	(void)tact_sem_delete(task->resumed);
}

static void begin_first_release(void *arg)
{
	struct runtime_record *record = runtime_find(&rtai_records, (uint64_t)arg, RTAI_TASK);

	if (record)
		rtai_end_suspension(record);
}

static int make_parts(struct runtime_record *record)
{
	struct rtai_task *task = rtai_task_of(record);
	int error = tact_port_create(NULL, TACT_PRIO, &task->port);

	if (!error)
		error = tact_sem_create(NULL, 0, TACT_SEM_VALUE_MAX, TACT_PRIO, &task->resumed);
	if (!error)
		error = tact_timer_create(NULL, begin_first_release, (void *)runtime_id(record), 0,
					  &task->starts);
	task->life.ends_too = tact_object(task->port);
	record->give_back = free_parts;
	return error;
}

void rtai_drop_task(struct runtime_record *record)
{
	(void)tact_port_delete(rtai_task_of(record)->port);
	runtime_drop(record);
}

static void *structure_of(const struct runtime_record *record)
{
	return ((const struct rtai_object *)record)->structure;
}

int rtai_publish_task(struct runtime_record *record, unsigned long name, tact_task_t native)
{
	struct rtai_task *task = rtai_task_of(record);
	struct tact_task_info info = {0};
	int error;

	task->self = structure_of(record) ? structure_of(record) : rtai_pointer(runtime_id(record));
	task->first_run = (int64_t)tact_now().ns;
	(void)tact_task_inquire(native, &info);
	task->number = rtai_number_of(info.linux_tid);
	if (!rtai_register(name, task->self, IS_TASK))
		return -TACT_EEXIST;
	error = runtime_task_publish(record, native);
	return error ? error : tact_task_set_data(native, rtai_word_of(record));
}

struct runtime_record *rtai_reserve_task(unsigned long name)
{
	char text[RTAI_NAME_TEXT];
	struct runtime_record *record;

	runtime_task_sweep(&rtai_records);
	record = runtime_reserve(&rtai_records, RTAI_TASK, rtai_name_text(name, text));
	if (record && make_parts(record)) {
		rtai_drop_task(record);
		return NULL;
	}
	return record;
}

struct runtime_record *rtai_spawn_structure(void *structure, const void *maker, unsigned long name,
					    int priority, size_t stack_bytes, uint32_t cpu)
{
	char key[TACT_NAME_BYTES];
	struct tact_task_attr attr = {
		.priority = rtai_native_priority(priority, true),
		.flags = TACT_TASK_NO_JOIN | (cpu ? TACT_ON_CPU(cpu) : 0),
		.stack_bytes = stack_bytes,
	};
	struct runtime_record *record;
	tact_task_t native;

	if (!name)
		name = rtai_free_name();
	record = rtai_reserve_task(name);
	if (!record)
		return NULL;
	attr.name = runtime_key(NULL, record->name, key);
	rtai_task_of(record)->priority = priority;
	rtai_task_of(record)->hard = true;
	if (runtime_task_create(&attr, &native))
		goto drop_record;
	if (structure)
		rtai_adopt_record(record, structure, maker);
	if (!rtai_publish_task(record, name, native))
		return record;
	(void)tact_task_delete(native);
drop_record:
	rtai_drop_task(record);
	return NULL;
}

struct runtime_record *rtai_spawn_task(unsigned long name, int priority, size_t stack_bytes,
				       uint32_t cpu)
{
	return rtai_spawn_structure(NULL, NULL, name, priority, stack_bytes, cpu);
}

void rtai_kill_task(struct runtime_record *record)
{
	struct rtai_task *task = rtai_task_of(record);
	const tact_task_t native = rtai_native_task(record);
	const uint64_t id = runtime_id(record);

	rtai_deregister(task->self);
	/* Before its port, whose end would wake it. */
	(void)tact_task_delete(native);
	(void)tact_port_delete(task->port);
	runtime_task_end(&rtai_records, id);
}
