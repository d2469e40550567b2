/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counting semaphore. Invariant: while a call waits, the count is 0; a unit that is given then goes
 * directly to the first waiter. An alternative of a choice that has ended does not count as a call
 * that waits. A pulse semaphore can hold no unit.
 */
#include "sync/sem.h"

#include <tactus/skin.h>

#include "call/wait.h"
#include "object/object.h"
#include "task/short.h"

struct sem {
	struct nuc_object object;
	struct nuc_waitq waiters;
	uint32_t value;
	uint32_t maximum; /* 0: a unit that no call waits for is lost */
};

struct sem_create_call {
	struct nuc_call call;
	uint32_t initial;
	uint32_t maximum;
	uint32_t flags;
};

struct sem_while_call {
	struct nuc_call call;
	const uint64_t *word;
	uint64_t value;
};

struct sem_units_call {
	struct nuc_call call;
	int32_t units; /* before; with a wait, those who wait already, negative */
};

struct sem_value_call {
	struct nuc_call call;
	uint32_t value;
};

static struct sem *sem_of(struct nuc_object *object)
{
	return base_container_of(object, struct sem, object);
}

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct sem_create_call *args = base_container_of(call, struct sem_create_call, call);
	struct sem *sem;
	int error;

	object = nuc_object_new(cpu, NUC_TYPE_SEM, sizeof(*sem), &error);
	if (!object)
		return error;
	sem = sem_of(object);
	nuc_waitq_init(&sem->waiters, object, args->flags);
	sem->value = args->initial;
	sem->maximum = args->flags & TACT_SEM_PULSE ? 0 : args->maximum;
	call->handle = object->handle;
	return 0;
}

int tact_sem_create(const char *name, uint32_t initial, uint32_t maximum, uint32_t flags,
		    tact_sem_t *sem)
{
	NUC_CALL(struct sem_create_call, args, create_run, NUC_TYPE_CPU, 0, NUC_CALL_TASKS);

	if (!maximum || maximum > TACT_SEM_VALUE_MAX || initial > maximum ||
	    (flags & TACT_SEM_PULSE && initial))
		return -TACT_EINVAL;
	args.initial = initial;
	args.maximum = maximum;
	args.flags = flags;
	return nuc_create(&args.call, name, flags, TACT_PRIO | TACT_SEM_PULSE, NUC_ID_OF(sem));
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)call;
	(void)nuc_wake_all(cpu, &sem_of(object)->waiters, -TACT_EIDRM);
	nuc_object_retire(cpu, object);
	return 0;
}

static int wait_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct sem *sem = sem_of(object);

	if (sem->value) {
		sem->value--;
		return 0;
	}
	return nuc_wait(cpu, call, &sem->waiters);
}

static int choose(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call,
		  const struct tact_wait_item *item)
{
	if (item->bits || item->how || item->buffer || item->size)
		return -TACT_EINVAL;
	if (sem_of(object)->value && !nuc_alternative_claim(call))
		return NUC_LOST;
	return wait_run(cpu, object, call);
}

static const struct nuc_choice_ops choice_ops = {.take = choose};

const struct nuc_type_ops nuc_sem_type = {
	.name = "semaphore",
	.destroy = destroy,
	.choice = &choice_ops,
};

int tact_sem_delete(tact_sem_t sem)
{
	return nuc_delete(sem.id, NUC_TYPE_SEM);
}

int tact_sem_wait(tact_sem_t sem, tact_timeout_t timeout)
{
	struct nuc_object *object;
	struct nuc_cpu *cpu;

	if (timeout.kind > TACT_TIMEOUT_WALL)
		return -TACT_EINVAL;
	cpu = nuc_enter();
	object = nuc_fast_path(cpu, sem.id, NUC_TYPE_SEM);
	if (object && sem_of(object)->value) {
		sem_of(object)->value--;
		nuc_leave(cpu);
		return 0;
	}
	NUC_CALL(struct nuc_plain_call, args, wait_run, NUC_TYPE_SEM, sem.id, NUC_CALL_WAITS);
	args.call.timeout = timeout;
	if (object)
		return nuc_call_wait_local(cpu, &args.call, &sem_of(object)->waiters);
	return nuc_call_entered(cpu, &args.call);
}

static int wait_units_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct sem_units_call *args = base_container_of(call, struct sem_units_call, call);
	const struct sem *sem = sem_of(object);

	args->units = sem->value ? (int32_t)sem->value : -(int32_t)sem->waiters.count;
	return wait_run(cpu, object, call);
}

/* After a wait: how many still wait. */
static int32_t still_waiting(tact_sem_t sem)
{
	struct tact_sem_info info = {0};

	(void)tact_sem_inquire(sem, &info);
	return -(int32_t)info.waiters;
}

/* The same for a semaphore of this CPU at which the caller has waited. It may have been deleted
 * since: then its handle is another one, in memory that stays the nucleus's. */
static int32_t still_waiting_here(const struct nuc_object *object, uint32_t handle)
{
	const struct sem *sem = base_container_of(object, struct sem, object);

	return __atomic_load_n(&object->handle, __ATOMIC_RELAXED) == handle
		       ? -(int32_t)__atomic_load_n(&sem->waiters.count, __ATOMIC_RELAXED)
		       : 0;
}

/* Not inline: the usual case has no registers to save. object: NULL if the fast path has none. */
static __attribute__((noinline)) int wait_for_units(struct nuc_cpu *cpu, struct nuc_object *object,
						    tact_sem_t sem, tact_timeout_t timeout,
						    int32_t *units)
{
	int result;

	NUC_CALL(struct sem_units_call, args, wait_units_run, NUC_TYPE_SEM, sem.id, NUC_CALL_WAITS);
	args.call.timeout = timeout;
	if (object) {
		args.units = -(int32_t)sem_of(object)->waiters.count;
		result = nuc_call_wait_local(cpu, &args.call, &sem_of(object)->waiters);
		if (!result)
			*units = still_waiting_here(object, sem.id);
	} else {
		args.units = 0;
		result = nuc_call_entered(cpu, &args.call);
		if (!result)
			*units = args.units > 0 ? args.units : still_waiting(sem);
	}
	if (result == -TACT_EAGAIN)
		*units = args.units;
	return result;
}

int tact_sem_wait_units(tact_sem_t sem, tact_timeout_t timeout, int32_t *units)
{
	struct nuc_object *object;
	struct nuc_cpu *cpu;

	if (timeout.kind > TACT_TIMEOUT_WALL || !units)
		return -TACT_EINVAL;
	cpu = nuc_enter();
	object = nuc_fast_path(cpu, sem.id, NUC_TYPE_SEM);
	if (object && sem_of(object)->value) {
		*units = (int32_t)sem_of(object)->value--;
		nuc_leave(cpu);
		return 0;
	}
	return wait_for_units(cpu, object, sem, timeout, units);
}

/* The word is only changed on the caller's thread, in secondary mode, from which the call has come
 * after the change. */
static int wait_while_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	const struct sem_while_call *args = base_container_of(call, struct sem_while_call, call);

	if (__atomic_load_n(args->word, __ATOMIC_RELAXED) != args->value)
		return -TACT_ESTALE;
	return wait_run(cpu, object, call);
}

int tact_sem_wait_while(tact_sem_t sem, tact_timeout_t timeout, const uint64_t *word,
			uint64_t value)
{
	NUC_CALL(struct sem_while_call, args, wait_while_run, NUC_TYPE_SEM, sem.id, NUC_CALL_WAITS);

	if (!word)
		return -TACT_EINVAL;
	args.word = word;
	args.value = value;
	return nuc_call_timeout(&args.call, timeout);
}

/* No call waits for the unit. */
static inline int keep(struct sem *sem)
{
	if (sem->maximum == 0)
		return 0;
	if (sem->value == sem->maximum)
		return -TACT_EOVERFLOW;
	sem->value++;
	return 0;
}

/* Not inline, and with all that follows: the usual case has no registers to save. */
static __attribute__((noinline)) int post_cross_cpu(struct nuc_cpu *cpu,
						    const struct nuc_call *first)
{
	struct sem *sem = base_container_of(first->queue, struct sem, waiters);

	return nuc_wake_first(cpu, &sem->waiters, 0) ? 0 : keep(sem);
}

static int post_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct sem *sem = sem_of(object);
	struct nuc_call *first = nuc_waitq_first(&sem->waiters);

	(void)call;
	if (!first)
		return keep(sem);
	if (__builtin_expect(first->is_cross_cpu, 0))
		return post_cross_cpu(cpu, first);
	nuc_wake_near(cpu, first, 0);
	return 0;
}

int tact_sem_post(tact_sem_t sem)
{
	struct nuc_cpu *cpu = nuc_enter();
	struct nuc_object *object = nuc_fast_path(cpu, sem.id, NUC_TYPE_SEM);

	if (object) {
		int result = post_run(cpu, object, NULL);

		nuc_leave(cpu);
		return result;
	}
	NUC_CALL(struct nuc_plain_call, args, post_run, NUC_TYPE_SEM, sem.id, NUC_CALL_CAST);
	return nuc_call_entered(cpu, &args.call);
}

int nuc_sem_post(struct nuc_cpu *cpu, tact_sem_t sem)
{
	NUC_CALL(struct nuc_plain_call, args, post_run, NUC_TYPE_SEM, sem.id, NUC_CALL_CAST);

	return nuc_call_cast(cpu, &args.call);
}

static int broadcast_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)call;
	return (int)nuc_wake_all(cpu, &sem_of(object)->waiters, 0);
}

int tact_sem_broadcast(tact_sem_t sem)
{
	NUC_CALL(struct nuc_plain_call, args, broadcast_run, NUC_TYPE_SEM, sem.id, NUC_CALL_CAST);

	return nuc_call(&args.call);
}

static int flush_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)call;
	return (int)nuc_wake_all(cpu, &sem_of(object)->waiters, -TACT_ECANCELED);
}

int tact_sem_flush(tact_sem_t sem)
{
	NUC_CALL(struct nuc_plain_call, args, flush_run, NUC_TYPE_SEM, sem.id, NUC_CALL_CAST);

	return nuc_call(&args.call);
}

static int reset_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct sem *sem = sem_of(object);
	uint32_t value = base_container_of(call, struct sem_value_call, call)->value;

	(void)cpu;
	if (value > sem->maximum)
		return -TACT_EINVAL;
	if (value && sem->waiters.count)
		return -TACT_EBUSY;
	sem->value = value;
	return 0;
}

int tact_sem_reset(tact_sem_t sem, uint32_t value)
{
	NUC_CALL(struct sem_value_call, args, reset_run, NUC_TYPE_SEM, sem.id, NUC_CALL_CAST);

	args.value = value;
	return nuc_call(&args.call);
}

static void fill_info(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	const struct sem *sem = base_container_of(object, struct sem, object);
	struct tact_sem_info *info = result;

	(void)cpu;
	info->value = sem->value;
	info->maximum = sem->maximum;
	info->waiters = sem->waiters.count;
}

int tact_sem_inquire(tact_sem_t sem, struct tact_sem_info *info)
{
	return nuc_inquire(sem.id, NUC_TYPE_SEM, info, sizeof(*info), fill_info);
}
