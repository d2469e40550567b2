/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Barrier. The callers that have arrived are those that wait, so a caller that leaves the queue
 * early is not counted any more.
 */
#include <tactus/barrier.h>

#include "call/wait.h"
#include "object/object.h"

struct barrier {
	struct nuc_object object;
	struct nuc_waitq waiters;
	uint32_t count;
	uint64_t rounds;
};

struct barrier_create_call {
	struct nuc_call call;
	uint32_t count;
	uint32_t flags;
};

static struct barrier *barrier_of(struct nuc_object *object)
{
	return base_container_of(object, struct barrier, object);
}

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct barrier_create_call *args =
		base_container_of(call, struct barrier_create_call, call);
	struct barrier *barrier;
	int error;

	object = nuc_object_new(cpu, NUC_TYPE_BARRIER, sizeof(*barrier), &error);
	if (!object)
		return error;
	barrier = barrier_of(object);
	nuc_waitq_init(&barrier->waiters, object, args->flags);
	barrier->count = args->count;
	call->handle = object->handle;
	return 0;
}

int tact_barrier_create(const char *name, uint32_t count, uint32_t flags, tact_barrier_t *barrier)
{
	NUC_CALL(struct barrier_create_call, args, create_run, NUC_TYPE_CPU, 0, NUC_CALL_TASKS);

	if (!count)
		return -TACT_EINVAL;
	args.count = count;
	args.flags = flags;
	return nuc_create(&args.call, name, flags, TACT_PRIO, NUC_ID_OF(barrier));
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)call;
	(void)nuc_wake_all(cpu, &barrier_of(object)->waiters, -TACT_EIDRM);
	nuc_object_retire(cpu, object);
	return 0;
}

const struct nuc_type_ops nuc_barrier_type = {
	.name = "barrier",
	.destroy = destroy,
};

int tact_barrier_delete(tact_barrier_t barrier)
{
	return nuc_delete(barrier.id, NUC_TYPE_BARRIER);
}

static int wait_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct barrier *barrier = barrier_of(object);

	if (barrier->waiters.count + 1 < barrier->count)
		return nuc_wait(cpu, call, &barrier->waiters);
	(void)nuc_wake_all(cpu, &barrier->waiters, 0);
	barrier->rounds++;
	return 1;
}

int tact_barrier_wait(tact_barrier_t barrier, tact_timeout_t timeout)
{
	NUC_CALL(struct nuc_plain_call, args, wait_run, NUC_TYPE_BARRIER, barrier.id,
		 NUC_CALL_WAITS);

	return nuc_call_timeout(&args.call, timeout);
}

static int flush_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)call;
	return (int)nuc_wake_all(cpu, &barrier_of(object)->waiters, -TACT_ECANCELED);
}

int tact_barrier_flush(tact_barrier_t barrier)
{
	NUC_CALL(struct nuc_plain_call, args, flush_run, NUC_TYPE_BARRIER, barrier.id,
		 NUC_CALL_CAST);

	return nuc_call(&args.call);
}

static void fill_info(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	const struct barrier *barrier = base_container_of(object, struct barrier, object);
	struct tact_barrier_info *info = result;

	(void)cpu;
	info->count = barrier->count;
	info->waiters = barrier->waiters.count;
	info->rounds = barrier->rounds;
}

int tact_barrier_inquire(tact_barrier_t barrier, struct tact_barrier_info *info)
{
	return nuc_inquire(barrier.id, NUC_TYPE_BARRIER, info, sizeof(*info), fill_info);
}
