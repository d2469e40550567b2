/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Objects: records of the runtime behind the IDs that the program has chosen. */
#include "core.h"

#include <stdio.h>
#include <string.h>

#include "runtime/life.h"

/* The names of the version's objects do not meet those of other skins. */
static const char *const type_name[ITRON_TYPES] = {
	"",
	"tsk",
	ITRON_SKIN "-sem",
	ITRON_SKIN "-flg",
	ITRON_SKIN "-mbx",
	ITRON_SKIN "-mbf",
	ITRON_SKIN "-por",
	ITRON_SKIN "-mpf",
	ITRON_SKIN "-mpl",
	ITRON_SKIN "-cyc",
	ITRON_SKIN "-alm",
	ITRON_SKIN "-dtq",
	ITRON_SKIN "-mtx",
	ITRON_SKIN "-isr",
};

static const struct runtime_hooks hooks = {0};
RUNTIME_TABLE(itron_objects, struct itron_object, RUNTIME_INT_IDS, type_name, ITRON_TASK, &hooks);

RUNTIME_NUMBERS(tasks, ITRON_ID_MAX);
RUNTIME_NUMBERS(sems, ITRON_ID_MAX);
RUNTIME_NUMBERS(flags, ITRON_ID_MAX);
RUNTIME_NUMBERS(mailboxes, ITRON_ID_MAX);
RUNTIME_NUMBERS(buffers, ITRON_ID_MAX);
RUNTIME_NUMBERS(ports, ITRON_ID_MAX);
RUNTIME_NUMBERS(pools, ITRON_ID_MAX);
RUNTIME_NUMBERS(heaps, ITRON_ID_MAX);
RUNTIME_NUMBERS(cyclics, ITRON_ID_MAX);
RUNTIME_NUMBERS(alarms, ITRON_ID_MAX);
RUNTIME_NUMBERS(datas, ITRON_ID_MAX);
RUNTIME_NUMBERS(mutexes, ITRON_ID_MAX);
RUNTIME_NUMBERS(routines, ITRON_ID_MAX);

const struct runtime_numbers itron_numbers[ITRON_TYPES] = {
	[ITRON_TASK] = RUNTIME_NUMBERS_OF(tasks, ITRON_ID_MAX),
	[ITRON_SEM] = RUNTIME_NUMBERS_OF(sems, ITRON_ID_MAX),
	[ITRON_FLAG] = RUNTIME_NUMBERS_OF(flags, ITRON_ID_MAX),
	[ITRON_MAILBOX] = RUNTIME_NUMBERS_OF(mailboxes, ITRON_ID_MAX),
	[ITRON_BUFFER] = RUNTIME_NUMBERS_OF(buffers, ITRON_ID_MAX),
	[ITRON_PORT] = RUNTIME_NUMBERS_OF(ports, ITRON_ID_MAX),
	[ITRON_POOL] = RUNTIME_NUMBERS_OF(pools, ITRON_ID_MAX),
	[ITRON_HEAP] = RUNTIME_NUMBERS_OF(heaps, ITRON_ID_MAX),
	[ITRON_CYCLIC] = RUNTIME_NUMBERS_OF(cyclics, ITRON_ID_MAX),
	[ITRON_ALARM] = RUNTIME_NUMBERS_OF(alarms, ITRON_ID_MAX),
	[ITRON_DATA] = RUNTIME_NUMBERS_OF(datas, ITRON_ID_MAX),
	[ITRON_MUTEX] = RUNTIME_NUMBERS_OF(mutexes, ITRON_ID_MAX),
	[ITRON_ROUTINE] = RUNTIME_NUMBERS_OF(routines, ITRON_ID_MAX),
};

/* One CPU: the locks of µITRON are for the whole program. A fault goes to the handlers of
 * def_exc(). */
static void configure(struct tact_config *config, bool *quiet)
{
	(void)quiet;
	config->cpus = 1;
	config->program_faults = 1;
}

const struct runtime_program itron_program = {ITRON_SKIN ":main", configure};

ER itron_begin(void)
{
	/* Linux threads other than main() are not known to µITRON. */
	if (tact_cpus() && !runtime_may_wait())
		return E_CTX;
	if (itron_cpu_locked())
		return E_CTX;
	return itron_result(runtime_begin(&itron_program));
}

ER itron_find_error(enum itron_type type, ID id)
{
	if (ITRON_LOCKED_REFUSES && itron_cpu_locked())
		return E_CTX;
	if (id <= 0 || id > ITRON_ID_MAX)
		return E_ID;
	return itron_object_of(type, id) ? E_OK : E_NOEXS;
}

ER itron_find_task(ID id, struct itron_object **object)
{
	if (id != TSK_SELF)
		return itron_find(ITRON_TASK, id, object);
	if (ITRON_LOCKED_REFUSES && itron_cpu_locked())
		return E_CTX;
	*object = itron_self();
	return *object ? E_OK : E_ID;
}

const char *itron_name(enum itron_type type, ID id, char *name)
{
	snprintf(name, RUNTIME_NAME_BYTES, type == ITRON_TASK ? "tsk:%d" : "%d", id);
	return name;
}

/* A task that ended by a fault has left its number behind. */
static void reap(enum itron_type type, ID id)
{
	struct runtime_record *there = runtime_number_record(&itron_numbers[type], id);

	if (there && !itron_object_of(type, id))
		runtime_number_release(&itron_numbers[type], id, there);
}

ER itron_claim(enum itron_type type, ID *id)
{
	int number = *id;
	int error;

	if (number) {
		reap(type, number);
		error = runtime_number_claim(&itron_numbers[type], number);
	} else {
		number = runtime_number_claim_any(&itron_numbers[type]);
		error = number < 0 ? number : 0;
	}
	if (error == -TACT_EINVAL)
		return E_ID;
	if (error == -TACT_EEXIST)
		return E_OBJ;
	if (error)
		return error == -TACT_ENOSPC ? ITRON_NO_MORE_IDS : E_NOMEM;
	*id = number;
	return E_OK;
}

void itron_bind(struct itron_object *object)
{
	runtime_number_bind(&itron_numbers[object->record.type], object->id, &object->record);
}

void itron_unclaim(enum itron_type type, ID id)
{
	runtime_number_release(&itron_numbers[type], id, RUNTIME_CLAIMED);
}

void itron_release(struct itron_object *object)
{
	runtime_number_release(&itron_numbers[object->record.type], object->id, &object->record);
}

static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	struct itron_object *object = (struct itron_object *)record;
	const struct itron_making *making = how;

	object->id = making->id;
	object->attributes = making->attributes;
	object->exinf = making->exinf;
	return making->make(object, key, making->how, native);
}

ER itron_create(const struct itron_making *asked)
{
	struct itron_making making = *asked;
	char name[RUNTIME_NAME_BYTES];
	uint64_t id;
	int error;
	ER code = itron_begin();

	if (!code)
		code = itron_claim(making.type, &making.id);
	if (code)
		return code;
	error = runtime_create(&itron_objects, making.type,
			       itron_name(making.type, making.id, name), make, &making, &id);
	if (error) {
		itron_unclaim(making.type, making.id);
		return itron_result(error);
	}
	itron_bind((struct itron_object *)itron_objects_find(id, making.type));
	return making.id;
}

ER itron_create_as(struct itron_making making, ID id)
{
	ER result = E_ID;

	making.id = id;
	if (id > 0)
		result = itron_create(&making);
	return result > 0 ? E_OK : result;
}

void itron_forget(struct itron_object *object)
{
	runtime_drop(&object->record);
}

ER itron_inquire(const void *packet, enum itron_type type, ID id, struct itron_state *state,
		 struct itron_object **object)
{
	ER code = itron_bad(packet) ? E_PAR : itron_find(type, id, object);

	*state = (struct itron_state){0};
	if (!code)
		state->exinf = (*object)->exinf;
	return code;
}

ER itron_find_to_change(enum itron_type type, ID id, struct itron_object **object)
{
	ER code = itron_find(type, id, object);

	return code ? code : itron_begin();
}

ER itron_delete(enum itron_type type, ID id)
{
	struct itron_object *object;
	ER code = itron_find_to_change(type, id, &object);

	if (code)
		return code;
	itron_release(object);
	return runtime_delete(&itron_objects, runtime_id(&object->record), type) ? E_NOEXS : E_OK;
}
