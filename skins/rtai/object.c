/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The skin's table of records, and how its objects are made, shared by name, and deleted. */
#include "rtai_task.h"

#include <stdio.h>

static const char *const type_name[RTAI_TYPES] = {
	"rtai",     "rtai-task", "rtai-sem", "rtai-rwl",     "rtai-spl",
	"rtai-mbx", "rtai-bits", "rtai-tbx", "rtai-tasklet",
};

static const struct runtime_hooks hooks = {0};

RUNTIME_TABLE(rtai_records, struct rtai_object, UINT32_MAX, type_name, RTAI_TASK, &hooks);

const struct runtime_program rtai_program = {.main_name = "rtai:main"};

static void *create(enum rtai_type type, unsigned long name, runtime_make_t *make, const void *how)
{
	char text[RTAI_NAME_TEXT];
	uint64_t id;

	if (!name)
		name = rtai_free_name();
	if (runtime_create(&rtai_records, type, rtai_name_text(name, text), make, how, &id))
		return NULL;
	if (rtai_register(name, rtai_pointer(id), rtai_registry_type(type)))
		return rtai_pointer(id);
	(void)runtime_delete(&rtai_records, id, type);
	return NULL;
}

void *rtai_create(enum rtai_type type, unsigned long name, runtime_make_t *make, const void *how)
{
	if (rtai_begin() || (name && rt_get_adr(name)))
		return NULL;
	return create(type, name, make, how);
}

void *rtai_create_shared(enum rtai_type type, unsigned long name, runtime_make_t *make,
			 const void *how)
{
	void *pointer = NULL;

	/* What nam2num() makes of an empty name. */
	if (rtai_begin() || name == 0xffffffffu)
		return NULL;
	if (rtai_use(name, rtai_registry_type(type), &pointer) > 0)
		return rtai_find(pointer, type) ? pointer : NULL;
	return pointer ? NULL : create(type, name, make, how);
}

struct runtime_record *rtai_take(const void *pointer, enum rtai_type type)
{
	struct runtime_record *record =
		runtime_in_handler() ? NULL
				     : runtime_take(&rtai_records, rtai_id_of(pointer), type);

	if (record)
		rtai_deregister(pointer);
	return record;
}

int rtai_release_shared(const void *pointer, enum rtai_type type, int (*erase)(void *pointer))
{
	int left;

	if (runtime_in_handler() || !rtai_find(pointer, type))
		return -EFAULT;
	left = rtai_unuse(pointer);
	if (left > 0)
		return left;
	return erase((void *)(uintptr_t)pointer) < 0 ? -EFAULT : 0;
}
