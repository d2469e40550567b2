/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mutex. There is one path for all protocols: the priority demanded of the owner comes from the
 * waiters (inheritance) or from the ceiling, or there is none; sync/ownership.c takes it to the
 * owner. Invariant: a mutex with waiters has an owner; a release hands it to the first waiter.
 * Sources: L. Sha, R. Rajkumar, J. Lehoczky, "Priority inheritance protocols", IEEE Trans.
 * Computers 39 (9), 1990; POSIX.1-2017, pthread_mutex_lock() and 2.9.9 for ceilings and robustness.
 */
#include "sync/mutex.h"

#include "call/wait.h"
#include "object/object.h"

struct create_call {
	struct nuc_call call;
	uint32_t flags;
	uint32_t ceiling;
};

/* See mutex.h. */
struct nuc_urgency nuc_mutex_demand(const struct nuc_mutex *mutex, const struct nuc_call *but)
{
	if (mutex->flags & NUC_MUTEX_PROTOCOLS)
		return (struct nuc_urgency){0, mutex->ceiling};
	return nuc_waitq_urgency(&mutex->waiters, but);
}

static void waiters_changed(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call)
{
	struct nuc_mutex *mutex = nuc_mutex_of(queue->object);

	(void)call;
	nuc_ownership_want(cpu, &mutex->ownership, nuc_mutex_demand(mutex, NULL));
}

/* For a mutex with inheritance. */
static const struct nuc_waitq_ops lending_ops = {.changed = waiters_changed};

int nuc_mutex_grant(struct nuc_mutex *mutex, struct nuc_lock_call *args)
{
	if (mutex->state == TACT_MUTEX_LOST)
		return -TACT_ENOTRECOVERABLE;
	args->ownership = &mutex->ownership;
	nuc_ownership_grant(&mutex->ownership, args->self, args->call.task, args->depth,
			    nuc_mutex_demand(mutex, &args->call));
	return mutex->state == TACT_MUTEX_INCONSISTENT ? -TACT_EOWNERDEAD : 0;
}

static void pass_on(struct nuc_cpu *cpu, struct nuc_mutex *mutex)
{
	struct nuc_call *call = nuc_waitq_first(&mutex->waiters);

	if (call)
		nuc_wake(cpu, call, nuc_mutex_grant(mutex, nuc_lock_call_of(call)));
}

void nuc_mutex_release(struct nuc_cpu *cpu, struct nuc_mutex *mutex)
{
	nuc_ownership_release(&mutex->ownership);
	if (__builtin_expect(mutex->state == TACT_MUTEX_INCONSISTENT, 0)) {
		mutex->state = TACT_MUTEX_LOST;
		(void)nuc_wake_all(cpu, &mutex->waiters, -TACT_ENOTRECOVERABLE);
		return;
	}
	pass_on(cpu, mutex);
}

static void orphaned(struct nuc_cpu *cpu, struct nuc_ownership *ownership)
{
	struct nuc_mutex *mutex = base_container_of(ownership, struct nuc_mutex, ownership);

	mutex->state = TACT_MUTEX_INCONSISTENT;
	pass_on(cpu, mutex);
}

static void free_if_idle(struct nuc_cpu *cpu, struct nuc_mutex *mutex)
{
	if (mutex->retired && !mutex->ownership.owner && !mutex->ownership.apply_out)
		nuc_pool_put(cpu, mutex);
}

static void dropped(struct nuc_cpu *cpu, struct nuc_ownership *ownership)
{
	free_if_idle(cpu, base_container_of(ownership, struct nuc_mutex, ownership));
}

const struct nuc_ownership_ops nuc_mutex_ownership_ops = {
	.orphaned = orphaned,
	.dropped = dropped,
};

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct create_call *args = base_container_of(call, struct create_call, call);
	struct nuc_mutex *mutex;
	int error;

	object = nuc_object_new(cpu, NUC_TYPE_MUTEX, sizeof(*mutex), &error);
	if (!object)
		return error;
	mutex = nuc_mutex_of(object);
	nuc_waitq_init(&mutex->waiters, object, args->flags);
	if (!(args->flags & NUC_MUTEX_PROTOCOLS))
		mutex->waiters.ops = &lending_ops;
	mutex->flags = args->flags;
	mutex->ceiling = args->ceiling;
	mutex->slow = args->flags & (TACT_MUTEX_CEILING | TACT_MUTEX_SAFE);
	nuc_ownership_init(cpu, &mutex->ownership, object->handle, &nuc_mutex_ownership_ops);
	mutex->ownership.safe = (args->flags & TACT_MUTEX_SAFE) != 0;
	call->handle = object->handle;
	return 0;
}

int tact_mutex_create(const char *name, uint32_t flags, uint32_t ceiling, tact_mutex_t *mutex)
{
	NUC_CALL(struct create_call, args, create_run, NUC_TYPE_CPU, 0, NUC_CALL_TASKS);

	if ((flags & NUC_MUTEX_PROTOCOLS) == NUC_MUTEX_PROTOCOLS || ceiling > TACT_PRIORITY_MAX ||
	    !ceiling != !(flags & TACT_MUTEX_CEILING))
		return -TACT_EINVAL;
	args.flags = flags;
	args.ceiling = ceiling;
	return nuc_create(&args.call, name, flags, NUC_MUTEX_FLAGS, NUC_ID_OF(mutex));
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_mutex *mutex = nuc_mutex_of(object);

	(void)call;
	(void)nuc_wake_all(cpu, &mutex->waiters, -TACT_EIDRM);
	nuc_ownership_drop(cpu, &mutex->ownership);
	nuc_object_retire(cpu, object);
	return 0;
}

static void release_memory(struct nuc_cpu *cpu, struct nuc_object *object)
{
	struct nuc_mutex *mutex = nuc_mutex_of(object);

	mutex->retired = true;
	free_if_idle(cpu, mutex);
}

const struct nuc_type_ops nuc_mutex_type = {
	.name = "mutex",
	.destroy = destroy,
	.release = release_memory,
};

int tact_mutex_delete(tact_mutex_t mutex)
{
	return nuc_delete(mutex.id, NUC_TYPE_MUTEX);
}
