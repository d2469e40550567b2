/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How objects come and go, as far as it is the same for most of them. */
#include "between.h"

#include <unistd.h>

#define NAP_US 50

/* Tasks that make an object, for whose name or memory they may be in Linux. */
static _Atomic uint32_t making;

static bool begin_making(void)
{
	bool counts = tact_mode() == TACT_MODE_PRIMARY && !alchemy_is_main();

	if (counts)
		atomic_fetch_add(&making, 1);
	return counts;
}

/* In primary mode again before main() goes on, which is weaker. */
static void end_making(bool counted)
{
	if (!counted)
		return;
	(void)tact_task_harden();
	atomic_fetch_sub(&making, 1);
}

void alchemy_let_makers_go_first(void)
{
	if (!alchemy_is_main())
		return;
	while (atomic_load(&making)) {
		while (atomic_load(&making))
			usleep(NAP_US);
		/* It has run until it waits when main() has the CPU. */
		(void)tact_task_harden();
		(void)tact_task_relax();
	}
}

static int create(enum alchemy_type type, const char *name, alchemy_make_t *make, const void *how,
		  void *descriptor)
{
	struct alchemy_object *object = alchemy_reserve(type, name);
	char key[TACT_NAME_BYTES];
	tact_handle_t native;
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
	bool counted = begin_making();
	int error = create(type, name, make, how, descriptor);

	end_making(counted);
	return error;
}

int alchemy_delete(enum alchemy_type type, const void *descriptor,
		   int (*remove)(tact_handle_t native))
{
	struct alchemy_object *object;

	if (alchemy_in_handler())
		return -EPERM;
	object = alchemy_take(descriptor, type);
	if (!object)
		return alchemy_away_plain(descriptor, AWAY(type, AWAY_DELETE));
	(void)remove(alchemy_native(object));
	alchemy_drop(object);
	return 0;
}
