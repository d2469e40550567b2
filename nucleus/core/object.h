/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The head of every object, and the table of what the nucleus does with a type without knowing it.
 */
#ifndef NUC_OBJECT_H
#define NUC_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/object.h>

#include "core/message.h"

struct nuc_cpu;
struct nuc_call;

enum nuc_type {
	NUC_TYPE_ANY = 0, /* in a call: any type will do */
	NUC_TYPE_CPU,
	NUC_TYPE_TASK,
	NUC_TYPE_SEM,
	NUC_TYPE_MUTEX,
	NUC_TYPE_COND,
	NUC_TYPE_EVENT,
	NUC_TYPE_QUEUE,
	NUC_TYPE_BUFFER,
	NUC_TYPE_MAILBOX,
	NUC_TYPE_PORT,
	NUC_TYPE_PIPE,
	NUC_TYPE_HEAP,
	NUC_TYPE_POOL,
	NUC_TYPE_ALARM,
	NUC_TYPE_BARRIER,
	NUC_TYPE_RWLOCK,
	NUC_TYPE_QUOTA,
	NUC_TYPE_EXCHANGE,
	NUC_TYPE_DEVICE,
	NUC_TYPE_INTERRUPT,
	NUC_TYPES
};

struct nuc_object {
	uint32_t handle;
	uint32_t type : 8;
	uint32_t named : 1;    /* entered in the registry */
	uint32_t released : 1; /* its memory goes with the last of its batches */
	/* Of its waiters, that have not all been told yet (core/batch.h): no more than tasks. */
	uint32_t batches : 22;
	struct nuc_message unname; /* takes the name out of the registry, then frees the object */
	char name[TACT_NAME_BYTES];
};

/* What a type offers; one constant table a type, entered in object_types.c. */
struct nuc_type_ops {
	const char *name;
	/* Everything that deleting means, up to and without nuc_object_retire(). 0 or a negative
	 * error, in which case nothing happened. NULL: tact_delete() is refused. */
	int (*destroy)(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call);
	/* Give the memory back. NULL: nuc_pool_put() of the object. */
	void (*release)(struct nuc_cpu *cpu, struct nuc_object *object);
	/* A task has ended before it went on with the signal of this object (nuc_task.signal):
	 * another one may have it. */
	void (*pass_on)(struct nuc_cpu *cpu, struct nuc_object *object);
};

extern const struct nuc_type_ops *const nuc_type_table[NUC_TYPES];

/*
 * A creating call: allocates bytes (zeroed) from the CPU's pool, enters the handle. NULL with
 * *error set to -TACT_ENOMEM. Context: home CPU, stalled.
 */
struct nuc_object *nuc_object_new(struct nuc_cpu *cpu, enum nuc_type type, size_t bytes,
				  int *error);

/*
 * The object's handle goes stale, its name is taken out of the registry, its memory is freed when
 * nobody can reach it any more. Context: home CPU, stalled.
 */
void nuc_object_retire(struct nuc_cpu *cpu, struct nuc_object *object);

/* The registry has forgotten the object: its memory is freed. */
void nuc_object_unnamed(struct nuc_cpu *cpu, struct nuc_object *object);

/* One of its batches is through. */
void nuc_object_batch_done(struct nuc_cpu *cpu, struct nuc_object *object);

/* Take back an object that nobody saw yet. Context: home CPU, stalled. */
void nuc_object_drop(struct nuc_cpu *cpu, struct nuc_object *object);

/*
 * The common parts of the public calls of objects. Context: any, not stalled.
 *
 * Create: check name and flags (TACT_ON_CPU() and those in allowed), find the home CPU, make the
 * call there, which leaves the new handle in call->handle, and enter the name. call: of
 * NUC_TYPE_CPU, any handle, NUC_CALL_TASKS.
 */
int nuc_create(struct nuc_call *call, const char *name, uint32_t flags, uint32_t allowed,
	       tact_handle_t *result);

/* Delete an object that has to be of this type. */
int nuc_delete(uint32_t handle, enum nuc_type type);

/*
 * Inquire. info: a structure that begins with the object's name, or NULL; fill() writes the rest of
 * it on the home CPU.
 */
int nuc_inquire(uint32_t handle, enum nuc_type type, void *info,
		void (*fill)(struct nuc_cpu *cpu, const struct nuc_object *object, void *info));

#endif
