/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The head of every object, and the operations of each type that the nucleus calls by a table.
 */
#ifndef NUC_OBJECT_H
#define NUC_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/object.h>

#include "kernel/message.h"

struct nuc_cpu;
struct nuc_call;
struct nuc_choice_ops;

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
	NUC_TYPE_TIMER,
	NUC_TYPE_BARRIER,
	NUC_TYPE_RWLOCK,
	NUC_TYPE_QUOTA,
	NUC_TYPE_ZQUEUE,
	NUC_TYPE_DEVICE,
	NUC_TYPE_INTERRUPT,
	NUC_TYPES
};

struct nuc_object {
	uint32_t handle;
	uint32_t type : 8;
	uint32_t named : 1;    /* entered in the registry */
	uint32_t released : 1; /* its memory is freed with the last of its batches */
	/* Batches of its waiters that are not complete (call/batch.h): not more than there are
	 * tasks. */
	uint32_t batches : 22;
	struct nuc_message unname; /* takes the name out of the registry, then frees the object */
	char name[TACT_NAME_BYTES];
};

/* The operations of a type: one constant table for each type, entered in object/types.c. */
struct nuc_type_ops {
	const char *name;
	/* Delete the object: end its waits, and retire it. 0, NUC_WAITING, or a negative error,
	 * after which nothing has changed. NULL: tact_delete() is refused. */
	int (*destroy)(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call);
	/* Free the memory. NULL: nuc_pool_put() of the object. */
	void (*release)(struct nuc_cpu *cpu, struct nuc_object *object);
	/* A task has ended before it could use the signal of this object (nuc_task.signal): another
	 * task may have the signal. */
	void (*pass_on)(struct nuc_cpu *cpu, struct nuc_object *object);
	/* What can be chosen together with other objects: call/alternative.h. NULL: nothing. */
	const struct nuc_choice_ops *choice;
};

extern const struct nuc_type_ops *const nuc_type_table[NUC_TYPES];

#endif
