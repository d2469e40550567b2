/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The calls of a mutex other than locking: repair, change of the ceiling, inquiry.
 */
#include "object/object.h"
#include "sync/mutex.h"

struct ceiling_call {
	struct nuc_call call;
	uint32_t ceiling;
	uint32_t old;
};

static int note_depart(struct nuc_cpu *cpu, struct nuc_call *call)
{
	nuc_lock_note(nuc_lock_call_of(call), cpu->current);
	return NUC_WAITING;
}

int nuc_owner_call(uint32_t handle, enum nuc_type type,
		   int (*run)(struct nuc_cpu *, struct nuc_object *, struct nuc_call *))
{
	static const struct nuc_call_hooks hooks = {.depart = note_depart};
	NUC_CALL(struct nuc_lock_call, args, run, type, handle, NUC_CALL_TASKS | NUC_CALL_OWNS);

	args.call.hooks = &hooks;
	return nuc_call(&args.call);
}

static int consistent_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_mutex *mutex = nuc_mutex_of(object);

	if (mutex->ownership.owner != nuc_lock_self(cpu, nuc_lock_call_of(call)))
		return -TACT_EPERM;
	if (mutex->state != TACT_MUTEX_INCONSISTENT)
		return -TACT_ESRCH;
	mutex->state = TACT_MUTEX_CONSISTENT;
	return 0;
}

int tact_mutex_consistent(tact_mutex_t mutex)
{
	return nuc_owner_call(mutex.id, NUC_TYPE_MUTEX, consistent_run);
}

static int ceiling_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_mutex *mutex = nuc_mutex_of(object);
	struct ceiling_call *args = base_container_of(call, struct ceiling_call, call);

	if (!(mutex->flags & TACT_MUTEX_CEILING))
		return -TACT_ENOTSUP;
	args->old = mutex->ceiling;
	mutex->ceiling = args->ceiling;
	if (mutex->ownership.owner)
		nuc_ownership_want(cpu, &mutex->ownership, nuc_mutex_demand(mutex, NULL));
	return 0;
}

int tact_mutex_set_ceiling(tact_mutex_t mutex, uint32_t ceiling, uint32_t *old)
{
	NUC_CALL(struct ceiling_call, args, ceiling_run, NUC_TYPE_MUTEX, mutex.id, NUC_CALL_TASKS);
	int result;

	if (!ceiling || ceiling > TACT_PRIORITY_MAX)
		return -TACT_EINVAL;
	args.ceiling = ceiling;
	result = nuc_call(&args.call);
	if (!result && old)
		*old = args.old;
	return result;
}

static void fill(struct nuc_cpu *cpu, const struct nuc_object *object, void *to)
{
	const struct nuc_mutex *mutex = base_container_of(object, struct nuc_mutex, object);
	struct tact_mutex_info *info = to;

	(void)cpu;
	info->owner.id = mutex->ownership.owner;
	info->depth = info->owner.id
			      ? atomic_load_explicit(&mutex->ownership.depth, memory_order_relaxed)
			      : 0;
	info->waiters = mutex->waiters.count;
	info->ceiling = mutex->ceiling;
	info->flags = mutex->flags & NUC_MUTEX_FLAGS;
	info->state = (enum tact_mutex_state)mutex->state;
}

int tact_mutex_inquire(tact_mutex_t mutex, struct tact_mutex_info *info)
{
	return nuc_inquire(mutex.id, NUC_TYPE_MUTEX, info, sizeof(*info), fill);
}
