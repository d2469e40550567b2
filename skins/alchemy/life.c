/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Creation and deletion of objects, as far as they are the same for most types. */
#include "remote.h"

#include <unistd.h>

#define NAP_US 50

/* Tasks that are making an object, and may be in Linux for its name or memory. If there are more at
 * a time, main() does not wait for the others. */
#define MAKERS 16u
static _Atomic tact_task_t maker[MAKERS];

static _Atomic tact_task_t *begin_making(void)
{
	tact_task_t none = {0};

	if (tact_mode() != TACT_MODE_PRIMARY || alchemy_is_main())
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

void alchemy_let_makers_go_first(void)
{
	if (!alchemy_is_main())
		return;
	while (any_makes()) {
		while (any_makes())
			usleep(NAP_US);
		/* When main() gets the real-time CPU, the task has run until it waits. */
		(void)tact_task_harden();
		(void)tact_task_relax();
	}
}

static int create(enum alchemy_type type, const char *name, alchemy_make_t *make, const void *how,
		  void *descriptor)
{
	struct alchemy_object *object = alchemy_reserve(type, name);
	char key[TACT_NAME_BYTES];
	tact_object_t native = TACT_NONE;
	int error;

	if (!object)
		return -ENOMEM;
	error = alchemy_announce(object, name);
	if (!error)
		error = make(object, alchemy_key(type, object->name, key), how, &native);
	if (error) {
		alchemy_drop(object);
		return alchemy_result(error);
	}
	*(uintptr_t *)descriptor = alchemy_publish(object, native);
	return 0;
}

int alchemy_create(enum alchemy_type type, const char *name, alchemy_make_t *make, const void *how,
		   void *descriptor)
{
	_Atomic tact_task_t *place = begin_making();
	int error = create(type, name, make, how, descriptor);

	end_making(place);
	return error;
}

int alchemy_delete(enum alchemy_type type, const void *descriptor)
{
	struct alchemy_object *object;

	if (alchemy_in_handler())
		return -EPERM;
	object = alchemy_take(descriptor, type);
	if (!object)
		return alchemy_remote_delete(descriptor, type);
	(void)tact_delete(alchemy_native(object));
	alchemy_drop(object);
	return 0;
}
