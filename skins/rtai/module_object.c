/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Structures of modules: each begins with the pointer of its object, and the object knows the one
 * structure that it has. So a copy of a structure, and one whose object was deleted, are none.
 */
#include "module_internal.h"

#include <stdio.h>

#include "rtai_module_calls.h"
#include "rtai_module_host.h"

#define PAGE_BYTES 4096u

_Atomic bool rtai_has_structures;

uint64_t rtai_structure_id(const void *structure)
{
	const struct runtime_record *record;
	uint64_t id;

	if ((uintptr_t)structure < PAGE_BYTES || (uintptr_t)structure % sizeof(void *) != 0)
		return 0;
	id = rtai_id(*(void *const *)structure);
	record = id ? runtime_place(&rtai_records, id) : NULL;
	return record && ((const struct rtai_object *)record)->structure == structure ? id : 0;
}

void rtai_adopt_record(struct runtime_record *record, void *structure, const void *maker)
{
	struct rtai_object *object = (struct rtai_object *)record;

	object->structure = structure;
	object->maker = maker;
	*(void **)structure = rtai_pointer(runtime_id(record));
	atomic_store(&rtai_has_structures, true);
}

/* Its made-up name is not the module's: rt_register() gives one. */
int rtai_adopt(void *structure, void *pointer, const void *maker)
{
	struct runtime_record *record = runtime_place(&rtai_records, rtai_id(pointer));

	*(void **)structure = NULL;
	if (!pointer || !record)
		return -TACT_ENOMEM;
	rtai_deregister(pointer);
	rtai_adopt_record(record, structure, maker);
	return 0;
}

void rtai_tell_failed(const char *call)
{
	(void)rt_printk("%s() made no object: a bad value or type, or there is no memory\n", call);
}

struct left {
	const char *from;
	const char *to;
	rtai_module_left_t *tell;
	void *arg;
	int count;
};

/* The walk of the runtime passes no argument. */
static _Thread_local struct left *walk;

static void delete_record(struct runtime_record *record)
{
	void *pointer = rtai_pointer_of(record);

	switch (record->type) {
	case RTAI_TASK:
		(void)rtai_module_task_delete(pointer);
		break;
	case RTAI_TASKLET:
		rt_delete_tasklet(pointer);
		break;
	default:
		if (rtai_take(pointer, (enum rtai_type)record->type)) {
			(void)tact_delete(runtime_native(record));
			runtime_drop(record);
		}
	}
}

static void look(struct runtime_record *record)
{
	const struct rtai_object *object = (const struct rtai_object *)record;
	const char *maker = object->maker;

	if (!maker || maker < walk->from || maker >= walk->to)
		return;
	walk->count++;
	walk->tell(walk->arg, rtai_records.type_name[record->type] + sizeof("rtai-") - 1,
		   record->name);
	delete_record(record);
}

static void tell_fifo(void *arg, unsigned int fifo)
{
	struct left *left = arg;
	char name[16];

	left->count++;
	(void)snprintf(name, sizeof(name), "%u", fifo);
	left->tell(left->arg, "FIFO", name);
}

static void tell_request(void *arg)
{
	struct left *left = arg;

	left->count++;
	left->tell(left->arg, "request", "to Linux");
}

int rtai_module_objects_left(const void *from, const void *to, rtai_module_left_t *tell, void *arg)
{
	static const enum rtai_type order[] = {RTAI_TASKLET, RTAI_TASK, RTAI_SEM,  RTAI_RWL,
					       RTAI_SPL,     RTAI_MBX,  RTAI_BITS, RTAI_TBX};
	struct left left = {.from = from, .to = to, .tell = tell, .arg = arg};

	walk = &left;
	for (unsigned int i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		runtime_each(&rtai_records, order[i], look);
	walk = NULL;
	rtai_fifos_left(from, to, tell_fifo, &left);
	rtai_requests_left(from, to, tell_request, &left);
	return atomic_exchange(&rtai_module_task_runs, false) ? -EBUSY : left.count;
}
