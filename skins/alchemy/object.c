/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The skin's table of records, and how its objects are created, found and deleted. */
#include "remote.h"

#include "runtime/caller.h"
#include "runtime/life.h"

static const char *const type_name[ALCHEMY_TYPES] = {
	"object", "task",  "sem",  "mutex",  "cond", "event",
	"alarm",  "queue", "heap", "buffer", "pipe",
};

const char *alchemy_type_name(uint32_t type)
{
	return type_name[type % ALCHEMY_TYPES];
}

static const struct runtime_hooks hooks = {
	.announce = alchemy_announce,
	.published = session_notify_watchers,
	.task_begins = alchemy_task_begins,
	.task_ends = alchemy_task_ends,
};

RUNTIME_TABLE(alchemy_records, struct alchemy_object, UINT32_MAX, type_name, ALCHEMY_TASK, &hooks);

struct runtime_record *alchemy_take(const void *descriptor, enum alchemy_type type)
{
	return alchemy_bad_pointer(descriptor)
		       ? NULL
		       : alchemy_records_take(*(const uint64_t *)descriptor, type);
}

int alchemy_create(bool valid, enum alchemy_type type, const char *name, runtime_make_t *make,
		   const void *how, void *descriptor)
{
	int error = alchemy_begin();

	if (error)
		return error;
	if (!valid || alchemy_bad_pointer(descriptor))
		return -EINVAL;
	return alchemy_result(runtime_create(&alchemy_records, type, name, make, how, descriptor));
}

int alchemy_delete(enum alchemy_type type, const void *descriptor)
{
	struct runtime_record *object;

	if (runtime_in_handler())
		return -EPERM;
	object = alchemy_take(descriptor, type);
	if (!object)
		return alchemy_remote_delete(descriptor, type);
	(void)tact_delete(runtime_native(object));
	runtime_drop(object);
	return 0;
}
