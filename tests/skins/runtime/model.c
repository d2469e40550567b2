/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A small skin: see model.h. A call validates, converts, calls the nucleus and translates. */
#include "model.h"

#include "runtime/caller.h"
#include "runtime/error.h"
#include "runtime/life.h"
#include "runtime/names.h"
#include "runtime/start.h"
#include "runtime/task.h"
#include "runtime/ticks.h"

enum { MODEL_TASK = 1, MODEL_SEM };

struct object {
	struct runtime_record record;
	struct runtime_task task; /* of a task */
};

static const char *const type_name[] = {"", "model-task", "model-sem"};
static const struct runtime_hooks hooks = {0};
RUNTIME_TABLE(objects, struct object, RUNTIME_INT_IDS, type_name, MODEL_TASK, &hooks);

static const struct runtime_program program = {.main_name = "model:main"};
static struct runtime_ticks ticks = {RUNTIME_RATE(1000000000, MODEL_TICKS_HZ)};

static const struct runtime_error errors[] = {
	{-TACT_ETIMEDOUT, MODEL_TIMEOUT}, {-TACT_EAGAIN, MODEL_TIMEOUT},
	{-TACT_EBADF, MODEL_INVALID},     {-TACT_EINVAL, MODEL_INVALID},
	{-TACT_EPERM, MODEL_CONTEXT},     {-TACT_EEXIST, MODEL_EXISTS},
	{-TACT_EIDRM, MODEL_DELETED},     {0, MODEL_FAILED},
};

int model_result(int result)
{
	return runtime_result(errors, result);
}

static int make_sem(struct runtime_record *record, const char *key, const void *how,
		    tact_object_t *native)
{
	const unsigned int *count = how;
	tact_sem_t made = {0};
	int error = tact_sem_create(key, *count, TACT_SEM_VALUE_MAX, TACT_PRIO, &made);

	(void)record;
	*native = tact_object(made);
	return error;
}

int model_sem_create(const char *name, unsigned int count)
{
	uint64_t id;
	int error = runtime_begin(&program);

	if (!error)
		error = runtime_create(&objects, MODEL_SEM, name, make_sem, &count, &id);
	return error ? model_result(error) : (int)id;
}

int model_sem_find(const char *name)
{
	const struct runtime_record *record = runtime_find_name(&objects, MODEL_SEM, name);

	return record ? (int)runtime_id(record) : MODEL_INVALID;
}

static tact_sem_t sem_of(int id)
{
	const struct runtime_record *record = runtime_find(&objects, (uint32_t)id, MODEL_SEM);

	return (tact_sem_t){record ? runtime_native(record).id : 0};
}

int model_sem_take(int id, int count)
{
	const tact_timeout_t timeout =
		count < 0 ? TACT_FOREVER : runtime_on_tick(&ticks, (uint64_t)count);

	if (count && !runtime_may_wait())
		return MODEL_CONTEXT;
	return model_result(tact_sem_wait(sem_of(id), timeout));
}

int model_sem_give(int id)
{
	return model_result(tact_sem_post(sem_of(id)));
}

int model_sem_delete(int id)
{
	if (runtime_in_handler())
		return MODEL_CONTEXT;
	return model_result(runtime_delete(&objects, (uint32_t)id, MODEL_SEM));
}

int model_task_spawn(const char *name, unsigned int priority, void (*entry)(void *), void *arg)
{
	char key[TACT_NAME_BYTES];
	struct tact_task_attr attr = {.priority = priority, .flags = TACT_TASK_NO_JOIN};
	struct runtime_record *record;
	tact_task_t native;
	int error = runtime_begin(&program);

	if (error)
		return model_result(error);
	runtime_task_sweep(&objects);
	record = runtime_reserve(&objects, MODEL_TASK, name);
	if (!record)
		return MODEL_FAILED;
	attr.name = runtime_key(NULL, record->name, key);
	error = runtime_task_create(&attr, &native);
	if (error)
		goto drop;
	error = runtime_task_publish(record, native);
	if (error)
		goto delete;
	error = runtime_task_start(record, entry, arg);
	return error ? model_result(error) : (int)runtime_id(record);
	delete : (void)tact_task_delete(native);
drop:
	runtime_drop(record);
	return model_result(error);
}

int model_task_self(void)
{
	const struct runtime_record *record = runtime_task_current(&objects);

	return record ? (int)runtime_id(record) : MODEL_CONTEXT;
}

int model_task_delete(int id)
{
	const struct runtime_record *record = runtime_find(&objects, (uint32_t)id, MODEL_TASK);
	tact_task_t native = {record ? runtime_native(record).id : 0};

	runtime_task_end(&objects, (uint32_t)id);
	return record ? model_result(tact_task_delete(native)) : MODEL_INVALID;
}

int model_start(void (*root)(void *), void *arg)
{
	static const struct tact_task_attr attr = {.name = "model:root", .priority = 100};

	return model_result(runtime_root(&program, &attr, root, arg));
}
