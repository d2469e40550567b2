/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How objects come and go, as far as it is the same for most of them. */
#include "between.h"

int alchemy_create(enum alchemy_type type, const char *name, alchemy_make_t *make, const void *how,
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
