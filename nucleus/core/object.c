/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Objects: from the home CPU's pool, with a handle, until their name is out of the registry.
 */
#include "core/object.h"

#include "core/call.h"
#include "core/registry.h"

struct nuc_object *nuc_object_new(struct nuc_cpu *cpu, enum nuc_type type, size_t bytes, int *error)
{
	struct nuc_object *object = nuc_pool_get(cpu, bytes);

	*error = -TACT_ENOMEM;
	if (!object)
		return NULL;
	object->type = (uint16_t)type;
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

	if (ops && ops->release)
		ops->release(cpu, object);
	else
		nuc_pool_put(cpu, object);
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

void nuc_object_retire(struct nuc_cpu *cpu, struct nuc_object *object)
{
	nuc_handle_remove(cpu, object);
	if (object->named)
		nuc_registry_remove(cpu, object);
	else
		release(cpu, object);
}

static int delete_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	const struct nuc_type_ops *ops = nuc_type_table[object->type];

	if (!ops || !ops->destroy)
		return -TACT_EBADF;
	return ops->destroy(cpu, object, call);
}

int tact_delete(tact_handle_t object)
{
	NUC_CALL(struct nuc_plain_call, plain, delete_run, NUC_TYPE_ANY, object, NUC_CALL_TASKS);

	return nuc_call(&plain.call);
}
