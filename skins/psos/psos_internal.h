/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the objects of the skin share: ids, names, limits, waits.
 *
 * An object is a record of the runtime (runtime/record.h). What the skin has beside the object of
 * the nucleus follows the record.
 */
#ifndef PSOS_INTERNAL_H
#define PSOS_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include <psos.h>
#include <psoscfg.h>
#include <tactus/tact.h>

#include "runtime/caller.h"
#include "runtime/error.h"
#include "runtime/life.h"
#include "runtime/record.h"
#include "runtime/start.h"
#include "runtime/ticks.h"

enum psos_type {
	PSOS_TASK = 1,
	PSOS_QUEUE,
	PSOS_SEMAPHORE,
	PSOS_PARTITION,
	PSOS_REGION,
	PSOS_TIMER,
	PSOS_TYPES,
};

/* What may follow a record. */
#define PSOS_EXTRA_BYTES 448

#define PSOS_NAME_CHARS 4

/* The bit of all flags of waiting calls: EV_NOWAIT, Q_NOWAIT, SM_NOWAIT, RN_NOWAIT. */
#define PSOS_NOWAIT 0x1u

struct psos_object {
	struct runtime_record record;
	_Alignas(16) unsigned char extra[PSOS_EXTRA_BYTES];
};
RUNTIME_TABLE_OF(psos_objects, struct psos_object);
extern struct runtime_ticks psos_ticks;

/* The configuration (start.c). A member that the program did not set has its default value. */
const pSOS_CT *psos_configured(void);
/*
 * To be called at the head of each call that creates: starts the nucleus if it is not started.
 * Returns 0 or ERR_SSFN: a handler, or the nucleus cannot be started.
 */
unsigned long psos_begin(void);

/* object.c */

/* The code for an id that names no object of the type that is wanted. Context: any. */
unsigned long psos_id_error(unsigned long id);
/* A name as the runtime stores it: up to four bytes and a zero. name: may be NULL. */
struct psos_name {
	char text[PSOS_NAME_CHARS + 1];
};
struct psos_name psos_name(const char *name);

/* Count an object of the type, within the limits of the configuration. Returns 0, ERR_OBJTFULL, or
 * the type's own code. */
unsigned long psos_claim(enum psos_type type);
void psos_release(enum psos_type type);

/* Makes the native object of a reserved record, called key in the registry, where key may be NULL.
 * Returns 0 or an error of the nucleus. */
typedef int psos_make_t(struct runtime_record *record, const char *key, const void *how,
			tact_object_t *native);
/* What is particular to the creation of a type. */
struct psos_kind {
	enum psos_type type;
	psos_make_t *make;
	const struct runtime_error *errors;
};
/* Create an object. id: receives its id, or NULL. Returns the code of the call. */
unsigned long psos_create(const struct psos_kind *kind, const char *name, const void *how,
			  unsigned long *id);
/* From here on the record belongs to the caller alone, and its native object is deleted: the second
 * half of a deletion, after the caller has taken the record. */
void psos_drop(struct runtime_record *record);
/* The call x_ident() of a type. */
unsigned long psos_ident(enum psos_type type, const char *name, unsigned long node,
			 unsigned long *id);

static inline struct runtime_record *psos_find(unsigned long id, enum psos_type type)
{
	return psos_objects_find(id, type);
}

static inline struct runtime_record *psos_take(unsigned long id, enum psos_type type)
{
	return psos_objects_take(id, type);
}

/* psos_sem(record) and the like: the native object as a handle of that type. */
#define PSOS_NATIVE(type)                                                              \
	static inline tact_##type##_t psos_##type(const struct runtime_record *record) \
	{                                                                              \
		return (tact_##type##_t){runtime_native(record).id};                   \
	}

PSOS_NATIVE(task)
PSOS_NATIVE(queue)
PSOS_NATIVE(sem)
PSOS_NATIVE(pool)
PSOS_NATIVE(heap)
PSOS_NATIVE(timer)

/* Waits. */

/* The code of a call for a result of the nucleus; 0 and more are 0. */
static inline unsigned long psos_result(const struct runtime_error *table, int result)
{
	return result >= 0 ? 0 : (unsigned long)runtime_translate(table, result);
}

static inline void psos_give(unsigned long *where, unsigned long value)
{
	if (where)
		*where = value;
}

/* How long a call waits. */
struct psos_wait {
	tact_timeout_t timeout;
	bool in_handler; /* the caller would have to wait, and may not */
};

static inline struct psos_wait psos_wait(unsigned long flags, unsigned long ticks)
{
	struct psos_wait wait = {TACT_FOREVER, false};

	/* At an instant, so that a wait that was broken can go on. */
	if (flags & PSOS_NOWAIT)
		wait.timeout = TACT_NOWAIT;
	else if (ticks)
		wait.timeout = runtime_on_tick(&psos_ticks, ticks);
	return wait;
}

/* pSOS+ has no code for a wait that a signal of Linux or another caller of the nucleus broke: it
 * goes on. */
static inline bool psos_was_broken(int result)
{
	return result == -TACT_EINTR || result == -TACT_ECANCELED;
}

/*
 * Is the call to be made once more? If a handler may not wait, it is, without waiting: then it only
 * fails if it would have to wait. Tasks do not pay for the question who calls.
 */
static inline bool psos_again(int result, struct psos_wait *wait)
{
	if (psos_was_broken(result))
		return true;
	if (result != -TACT_EPERM || wait->timeout.kind == TACT_TIMEOUT_NOWAIT)
		return false;
	wait->in_handler = true;
	wait->timeout = TACT_NOWAIT;
	return true;
}

/* The code of a waiting call. */
static inline unsigned long psos_waited(const struct runtime_error *table, int result,
					struct psos_wait wait)
{
	if (result == -TACT_EAGAIN && wait.in_handler)
		return ERR_SSFN;
	/* The codes for a deletion under the caller are of those that waited. */
	if (result == -TACT_EIDRM && wait.timeout.kind == TACT_TIMEOUT_NOWAIT)
		return ERR_OBJDEL;
	return psos_result(table, result);
}

#endif
