/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The common parts of the public calls of objects: see object.h.
 */
#include "object/object.h"

#include "base/string.h"
#include "kernel/sized.h"
#include "object/growth.h"
#include "task/mode.h"
#include "task/task_call.h"

/* The largest structure of information about an object, in words. */
#define INFO_WORDS 32

struct inquire_call {
	struct nuc_call call;
	void *info;
	void (*fill)(struct nuc_cpu *cpu, const struct nuc_object *object, void *info);
};

static int delete_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	const struct nuc_type_ops *ops = nuc_type_table[object->type];

	if (!ops || !ops->destroy)
		return -TACT_EBADF;
	return ops->destroy(cpu, object, call);
}

int nuc_delete(uint32_t handle, enum nuc_type type)
{
	/* The call that ends a task needs a struct nuc_task_call to follow the task. */
	NUC_CALL(struct nuc_task_call, args, delete_run, type, handle, NUC_CALL_TASKS);

	return nuc_call(&args.call);
}

int tact_delete(tact_object_t object)
{
	return nuc_delete(object.id, NUC_TYPE_ANY);
}

_Static_assert((TACT_ON_CPU(TACT_CPU_MAX) & ~NUC_HOME_FLAGS) == 0,
	       "a number that no CPU has is a home, too, and gets its error");

int nuc_home_of_flags(uint32_t flags, uint32_t *cpu)
{
	const uint32_t wanted = (flags & NUC_HOME_FLAGS) >> 24;

	if (!nuc_cpu_count)
		return -TACT_EPERM;
	if (wanted) {
		if (wanted - 1 >= nuc_cpu_count)
			return -TACT_ENXIO;
		*cpu = wanted - 1;
		return 0;
	}
	*cpu = nuc_caller_cpu();
	return 0;
}

int nuc_create(struct nuc_call *call, const char *name, uint32_t flags, uint32_t allowed,
	       uint32_t *result)
{
	uint32_t cpu;
	int error;

	if (flags & ~(allowed | NUC_HOME_FLAGS) || nuc_name_check(name))
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
	unsigned char *name = (unsigned char *)args->info + sizeof(uint32_t);

	if (!args->info)
		return 0;
	base_copy(name, object->name, sizeof(object->name));
	args->fill(cpu, object, args->info);
	return 0;
}

int nuc_inquire_grown(uint32_t handle, enum nuc_type type, void *info, uint32_t first,
		      uint32_t bytes,
		      void (*fill)(struct nuc_cpu *cpu, const struct nuc_object *object,
				   void *info))
{
	uint64_t known[INFO_WORDS] = {0};
	int result = nuc_sized_check(info, first);
	NUC_CALL(struct inquire_call, args, inquire_run, type, handle, 0);

	if (result)
		return result;
	nuc_assert(bytes <= sizeof(known));
	args.info = info ? known : NULL;
	args.fill = fill;
	result = nuc_call(&args.call);
	if (!result && info)
		nuc_sized_write(info, first, known, bytes);
	return result;
}

int nuc_inquire(uint32_t handle, enum nuc_type type, void *info, uint32_t bytes,
		void (*fill)(struct nuc_cpu *cpu, const struct nuc_object *object, void *info))
{
	return nuc_inquire_grown(handle, type, info, bytes, bytes, fill);
}
