/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What all objects have in common: the table of their records, their numbers, the start. */
#include "vrtx_internal.h"

#include "vrtx_errors.h"

/* A number that is reserved; no id is so small. */
#define RESERVED UINT64_C(1)

static void task_begins(struct runtime_record *record);

static const char *const type_name[VRTX_TYPES] = {"",          "vrtx-t",    "vrtx-queue",
						  "vrtx-sem",  "vrtx-flag", "vrtx-mutex",
						  "vrtx-part", "vrtx-heap"};
static const struct runtime_hooks hooks = {.task_begins = task_begins};
RUNTIME_TABLE(vrtx_objects, struct vrtx_object, RUNTIME_INT_IDS, type_name, VRTX_TASK, &hooks);

static const struct runtime_program program = {.main_name = "vrtx:main"};
struct runtime_ticks vrtx_ticks = {RUNTIME_RATE(10000000, 1)};
const struct runtime_error *const vrtx_errors = vrtx_object_errors;

struct vrtx_numbers vrtx_tasks = {.type = VRTX_TASK};
struct vrtx_numbers vrtx_queues = {.type = VRTX_QUEUE};
struct vrtx_numbers vrtx_partitions = {.type = VRTX_PARTITION};

/* The mode bit of sc_tecreate(): it begins with the scheduler locked. */
static void task_begins(struct runtime_record *record)
{
	if (((struct vrtx_object *)record)->task.mode & 0x4)
		(void)tact_task_lock_scheduler();
}

static bool take(struct vrtx_numbers *numbers, int number)
{
	uint64_t id = atomic_load_explicit(&numbers->id[number], memory_order_acquire);

	/* The number of an object that has gone is free, too. */
	if (id == RESERVED || (id && vrtx_objects_find(id, numbers->type)))
		return false;
	return atomic_compare_exchange_strong_explicit(&numbers->id[number], &id, RESERVED,
						       memory_order_acq_rel, memory_order_relaxed);
}

int vrtx_number_take(struct vrtx_numbers *numbers, int wanted)
{
	if (wanted >= 0)
		return take(numbers, wanted) ? wanted : -1;
	for (int number = VRTX_NUMBERS - 1; number > 0; number--)
		if (take(numbers, number))
			return number;
	return -1;
}

void vrtx_number_set(struct vrtx_numbers *numbers, int number, uint64_t id)
{
	atomic_store_explicit(&numbers->id[number], id, memory_order_release);
}

struct vrtx_object *vrtx_number_find(const struct vrtx_numbers *numbers, int number)
{
	if (number < 0 || number >= VRTX_NUMBERS)
		return NULL;
	return (struct vrtx_object *)vrtx_objects_find(
		atomic_load_explicit(&numbers->id[number], memory_order_acquire), numbers->type);
}

int vrtx_begin(void)
{
	int error;

	if (runtime_in_handler())
		return VRTX_NOT_HERE;
	error = runtime_begin(&program);
	return error == -TACT_ENOMEM ? ER_MEM : vrtx_code(error);
}

bool vrtx_try_again(void)
{
	return !tact_cpus() && !vrtx_begin();
}

void vrtx_begin_quietly(void)
{
	if (!tact_cpus())
		(void)vrtx_begin();
}

int vrtx_create(uint32_t type, const char *name, runtime_make_t *make, const void *how, int none,
		int *errp)
{
	uint64_t id = 0;
	int error = vrtx_begin();

	if (!error) {
		error = runtime_create(&vrtx_objects, type, name, make, how, &id);
		error = error == -TACT_ENOMEM ? none : vrtx_code(error);
	}
	vrtx_tell(errp, error);
	return error ? 0 : (int)id;
}

int vrtx_may_delete(int opt, bool in_use)
{
	if (opt & ~1)
		return ER_IIP;
	if (runtime_in_handler())
		return VRTX_NOT_HERE;
	return !opt && in_use ? ER_PND : RET_OK;
}
