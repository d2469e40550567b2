/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Creation and deletion of objects: see life.h; and the tasks that main() lets go first. */
#include "runtime/life.h"

#include <unistd.h>

#include "runtime/caller.h"
#include "runtime/names.h"

#define NAP_US 50

/* Tasks that are making an object, and may be in Linux for its name or memory. If there are more at
 * a time, main() does not wait for the others. */
#define MAKERS 16u
static _Atomic tact_task_t maker[MAKERS];

static _Atomic tact_task_t *begin_making(void)
{
	tact_task_t none = {0};

	if (tact_mode() != TACT_MODE_PRIMARY || runtime_is_main())
		return NULL;
	for (uint32_t i = 0; i < MAKERS; i++, none.id = 0)
		if (atomic_compare_exchange_strong(&maker[i], &none, tact_task_self()))
			return &maker[i];
	return NULL;
}

/* The task returns to primary mode before main(), which is weaker, continues. */
static void end_making(_Atomic tact_task_t *place)
{
	if (!place)
		return;
	(void)tact_task_harden();
	atomic_store(place, ((tact_task_t){0}));
}

/* A task that was deleted meanwhile has not cleared its entry. */
static bool is_making(_Atomic tact_task_t *place)
{
	tact_task_t task = atomic_load(place);

	if (task.id && tact_task_inquire(task, NULL))
		atomic_compare_exchange_strong(place, &task, ((tact_task_t){0}));
	task = atomic_load(place);
	return task.id;
}

static bool any_makes(void)
{
	for (uint32_t i = 0; i < MAKERS; i++)
		if (is_making(&maker[i]))
			return true;
	return false;
}

void runtime_let_makers_go_first(void)
{
	if (!runtime_is_main())
		return;
	while (any_makes()) {
		while (any_makes())
			usleep(NAP_US);
		/* When main() gets the real-time CPU, the task has run until it waits. */
		(void)tact_task_harden();
		(void)tact_task_relax();
	}
}

static int create(const struct runtime_table *table, uint32_t type, const char *name,
		  runtime_make_t *make, const void *how, uint64_t *id)
{
	struct runtime_record *record = runtime_reserve(table, type, name);
	char key[TACT_NAME_BYTES];
	tact_object_t native = TACT_NONE;
	int error = 0;

	if (!record)
		return -TACT_ENOMEM;
	if (table->hooks->announce)
		error = table->hooks->announce(record, name);
	if (!error)
		error = make(record, runtime_key(table->type_name[type], record->name, key), how,
			     &native);
	if (error) {
		runtime_drop(record);
		return error;
	}
	*id = runtime_publish(record, native);
	return 0;
}

int runtime_create(const struct runtime_table *table, uint32_t type, const char *name,
		   runtime_make_t *make, const void *how, uint64_t *id)
{
	_Atomic tact_task_t *place = begin_making();
	int error = create(table, type, name, make, how, id);

	end_making(place);
	return error;
}

int runtime_delete(const struct runtime_table *table, uint64_t id, uint32_t type)
{
	struct runtime_record *record = runtime_take(table, id, type);

	if (!record)
		return -TACT_EBADF;
	(void)tact_delete(runtime_native(record));
	runtime_drop(record);
	return 0;
}
