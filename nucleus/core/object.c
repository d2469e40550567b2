/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Objects: from the home CPU's pool, with a handle, until their name is out of the registry.
 */
#include "core/object.h"

#include "base/string.h"
#include "core/call.h"
#include "core/registry.h"
#include "core/task.h"

struct inquire_call {
	struct nuc_call call;
	void *info;
	void (*fill)(struct nuc_cpu *cpu, const struct nuc_object *object, void *info);
};

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

	/* Some of those who waited for it are still in its queues. */
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

int nuc_delete(uint32_t handle, enum nuc_type type)
{
	/* A task's end follows the task with arguments of its own. */
	NUC_CALL(struct nuc_task_call, args, delete_run, type, handle, NUC_CALL_TASKS);

	return nuc_call(&args.call);
}

int tact_delete(tact_handle_t object)
{
	return nuc_delete(object, NUC_TYPE_ANY);
}

int nuc_home_of_flags(uint32_t flags, uint32_t *cpu)
{
	uint32_t wanted = flags >> 24 & 0x3f;

	if (!nuc_cpu_count)
		return -TACT_EPERM;
	if (wanted) {
		if (wanted - 1 >= nuc_cpu_count)
			return -TACT_ENXIO;
		*cpu = wanted - 1;
		return 0;
	}
	*cpu = nuc_cpu_here();
	return 0;
}

int nuc_create(struct nuc_call *call, const char *name, uint32_t flags, uint32_t allowed,
	       tact_handle_t *result)
{
	uint32_t cpu;
	int error;

	if (flags & ~(allowed | TACT_ON_CPU(62)) || nuc_name_check(name))
		return -TACT_EINVAL;
	error = nuc_home_of_flags(flags, &cpu);
	if (error)
		return error;
	call->handle = nuc_handle_of_cpu(cpu);
	error = nuc_call_create(call);
	return error ? error : nuc_registry_publish(name, call->handle, result);
}

static int inquire_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct inquire_call *args = base_container_of(call, struct inquire_call, call);

	if (!args->info)
		return 0;
	base_copy(args->info, object->name, sizeof(object->name));
	args->fill(cpu, object, args->info);
	return 0;
}

int nuc_inquire(uint32_t handle, enum nuc_type type, void *info,
		void (*fill)(struct nuc_cpu *cpu, const struct nuc_object *object, void *info))
{
	NUC_CALL(struct inquire_call, args, inquire_run, type, handle, 0);

	args.info = info;
	args.fill = fill;
	return nuc_call(&args.call);
}
