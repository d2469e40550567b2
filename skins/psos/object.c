/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Objects: the table of records, ids and names, limits, creation and deletion. */
#include "psos_internal.h"

#include <stdio.h>
#include <string.h>

#include "psos_task.h"
#include "runtime/names.h"

static const char *const type_name[PSOS_TYPES] = {
	"", "psos-task", "psos-queue", "psos-sem", "psos-partition", "psos-region", "psos-timer",
};
static const struct runtime_hooks hooks = {0};
RUNTIME_TABLE(psos_objects, struct psos_object, RUNTIME_INT_IDS, type_name, PSOS_TASK, &hooks);

/* How many objects of each type there are; of type 0: of all types. */
static _Atomic unsigned long count[PSOS_TYPES];

unsigned long psos_id_error(unsigned long id)
{
	const unsigned long generation = id >> RUNTIME_INDEX_BITS;
	const struct runtime_record *record =
		base_growing_at(psos_objects.records, id & ((1u << RUNTIME_INDEX_BITS) - 1));

	if (!record || !generation || generation > record->generation)
		return ERR_OBJID;
	return atomic_load_explicit(&record->id, memory_order_acquire) == id ? ERR_OBJTYPE
									     : ERR_OBJDEL;
}

struct psos_name psos_name(const char *name)
{
	struct psos_name copy = {""};

	for (int i = 0; name && i < PSOS_NAME_CHARS && name[i]; i++)
		copy.text[i] = name[i];
	return copy;
}

/* Is there room for one more? 0: there is no limit. */
static bool claim(_Atomic unsigned long *counter, unsigned long limit)
{
	if (!limit || atomic_fetch_add(counter, 1) < limit)
		return true;
	atomic_fetch_sub(counter, 1);
	return false;
}

/* Each type with a limit of its own, and the code that tells that it is reached. */
struct limit {
	unsigned long most;
	unsigned long code;
};

static struct limit limit_of(enum psos_type type)
{
	const pSOS_CT *config = psos_configured();

	switch (type) {
	case PSOS_TASK:
		return (struct limit){config->kc_ntask, ERR_NOTCB};
	case PSOS_QUEUE:
		return (struct limit){config->kc_nqueue, ERR_NOQCB};
	case PSOS_SEMAPHORE:
		return (struct limit){config->kc_nsema4, ERR_NOSCB};
	case PSOS_TIMER:
		return (struct limit){config->kc_ntimer, ERR_NOTIMERS};
	default:
		return (struct limit){0, 0};
	}
}

/* A timer is no object of the table of objects. */
static unsigned long limit_of_all(enum psos_type type)
{
	return type == PSOS_TIMER ? 0 : psos_configured()->kc_nlocobj;
}

unsigned long psos_claim(enum psos_type type)
{
	const struct limit limit = limit_of(type);

	if (!claim(&count[type], limit.most))
		return limit.code;
	if (claim(&count[0], limit_of_all(type)))
		return 0;
	if (limit.most)
		atomic_fetch_sub(&count[type], 1);
	return ERR_OBJTFULL;
}

void psos_release(enum psos_type type)
{
	if (limit_of(type).most)
		atomic_fetch_sub(&count[type], 1);
	if (limit_of_all(type))
		atomic_fetch_sub(&count[0], 1);
}

/* What runtime_create() passes on. */
struct making {
	const struct psos_kind *kind;
	const void *how;
};

/* Names need not be unique, but those of the registry are: a second object of a name has its number
 * there, too. */
static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	const struct making *making = how;
	char longer[TACT_NAME_BYTES];
	int error = making->kind->make(record, key, making->how, native);

	if (error != -TACT_EEXIST)
		return error;
	snprintf(longer, sizeof(longer), "%.20s@%x", key, (unsigned int)runtime_id(record));
	return making->kind->make(record, longer, making->how, native);
}

unsigned long psos_create(const struct psos_kind *kind, const char *name, const void *how,
			  unsigned long *id)
{
	const struct psos_name copy = psos_name(name);
	const struct making making = {kind, how};
	unsigned long code = psos_claim(kind->type);
	uint64_t made;
	int error;

	if (code)
		return code;
	error = runtime_create(&psos_objects, kind->type, copy.text, make, &making, &made);
	if (error) {
		psos_release(kind->type);
		return psos_result(kind->errors, error);
	}
	psos_give(id, made);
	return 0;
}

void psos_drop(struct runtime_record *record)
{
	const enum psos_type type = (enum psos_type)record->type;

	(void)tact_delete(runtime_native(record));
	runtime_drop(record);
	psos_release(type);
}

unsigned long psos_ident(enum psos_type type, const char *name, unsigned long node,
			 unsigned long *id)
{
	const struct psos_name wanted = psos_name(name);
	const struct runtime_record *record = NULL;

	if (node)
		return ERR_NODENO;
	if (wanted.text[0])
		record = runtime_find_name(&psos_objects, type, wanted.text);
	if (!record)
		return ERR_OBJNF;
	psos_give(id, runtime_id(record));
	return 0;
}
