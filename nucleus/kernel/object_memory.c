/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory of objects: see object_memory.h. */
#include "kernel/object_memory.h"

#include "base/error.h"
#include "kernel/handle_table.h"

struct nuc_object *nuc_object_new(struct nuc_cpu *cpu, enum nuc_type type, size_t bytes, int *error)
{
	struct nuc_object *object = nuc_pool_get(cpu, bytes);

	*error = -TACT_ENOMEM;
	if (!object)
		return NULL;
	object->type = (uint8_t)type;
	if (nuc_handle_enter(cpu, object)) {
		nuc_pool_put(cpu, object);
		return NULL;
	}
	*error = 0;
	return object;
}

static void release(struct nuc_cpu *cpu, struct nuc_object *object)
{
	const struct nuc_type_ops *ops = nuc_type_table[object->type];

	/* Calls that waited for it are still in its queues: the last batch frees it. */
	if (object->batches) {
		object->released = 1;
		return;
	}
	if (ops && ops->release)
		ops->release(cpu, object);
	else
		nuc_pool_put(cpu, object);
}

void nuc_object_batch_done(struct nuc_cpu *cpu, struct nuc_object *object)
{
	if (!--object->batches && object->released)
		release(cpu, object);
}

void nuc_object_drop(struct nuc_cpu *cpu, struct nuc_object *object)
{
	nuc_handle_remove(cpu, object);
	release(cpu, object);
}

void nuc_object_unnamed(struct nuc_cpu *cpu, struct nuc_object *object)
{
	release(cpu, object);
}
