/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Locking and unlocking mutexes, from the side of the owner. The owner's CPU knows how often the
 * owner has locked the mutex. So nested locks and unlocks of an owner on another CPU end on that
 * CPU, and a release begins there.
 */
#include "call/call.h"
#include "call/wait.h"
#include "sync/mutex.h"
#include "task/short.h"

/* The caller owns the mutex already. On its CPU. */
static int lock_again(struct nuc_ownership *ownership)
{
	const struct nuc_mutex *mutex = base_container_of(ownership, struct nuc_mutex, ownership);
	uint32_t depth = atomic_load_explicit(&ownership->depth, memory_order_relaxed);

	if (!(mutex->flags & TACT_MUTEX_RECURSIVE))
		return -TACT_EDEADLK;
	if (depth == TACT_MUTEX_DEPTH_MAX)
		return -TACT_EOVERFLOW;
	atomic_store_explicit(&ownership->depth, depth + 1, memory_order_relaxed);
	return 0;
}

static int lock_depart(struct nuc_cpu *cpu, struct nuc_call *call)
{
	struct nuc_lock_call *args = nuc_lock_call_of(call);
	struct nuc_ownership *ownership;

	nuc_lock_note(args, cpu->current);
	ownership = nuc_ownership_find(cpu->current, call->handle, &nuc_mutex_ownership_ops);
	return ownership ? lock_again(ownership) : NUC_WAITING;
}

/* The grant has arrived on the owner's CPU. */
void nuc_lock_done(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_call *call)
{
	struct nuc_lock_call *args = nuc_lock_call_of(call);

	if (args->ownership && !nuc_ownership_link(cpu, task, args->ownership)) {
		args->ownership = NULL;
		call->result = -TACT_EIDRM;
	}
}

static const struct nuc_call_hooks lock_hooks = {
	.depart = lock_depart,
	.done = nuc_lock_done,
};

static int lock_wait(struct nuc_cpu *cpu, struct nuc_mutex *mutex, struct nuc_lock_call *args)
{
	int result;

	args->ticket = ++mutex->tickets;
	result = nuc_lock_wait(cpu, args, &mutex->ownership, &mutex->waiters);
	if (result == NUC_WAITING)
		nuc_ownership_want(cpu, &mutex->ownership, nuc_mutex_demand(mutex, NULL));
	return result;
}

static int lock_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_mutex *mutex = nuc_mutex_of(object);
	struct nuc_lock_call *args = nuc_lock_call_of(call);
	bool is_local = call->origin == cpu;
	int result;

	if (is_local)
		nuc_lock_note(args, call->task);
	nuc_ownership_settle(cpu, &mutex->ownership);
	if (is_local && mutex->ownership.owner == args->self)
		return lock_again(&mutex->ownership);
	/* The ceiling would not protect a task above it: POSIX.1-2017, EINVAL. A task that comes
	 * back from a condition has passed this test before, and must not continue without the
	 * mutex. */
	if (mutex->flags & TACT_MUTEX_CEILING && args->base_priority > mutex->ceiling &&
	    !args->again)
		return -TACT_EINVAL;
	if (mutex->ownership.owner)
		return lock_wait(cpu, mutex, args);
	result = nuc_mutex_grant(mutex, args);
	if (is_local && args->ownership)
		(void)nuc_ownership_link(cpu, call->task, args->ownership);
	return result;
}

/*
 * The mutex of a handle in the usual case: the fast path is possible, there is no ceiling, its
 * owner is not safe by it, and no repair is due. A lock or unlock that concerns no other task then
 * needs no call: half of the time of a call is spent on preparing what only a wait needs.
 */
static struct nuc_mutex *plain_case(struct nuc_cpu *cpu, uint32_t handle)
{
	struct nuc_object *object = nuc_fast_path(cpu, handle, NUC_TYPE_MUTEX);
	struct nuc_mutex *mutex;

	if (!object)
		return NULL;
	mutex = nuc_mutex_of(object);
	return mutex->slow || mutex->state != TACT_MUTEX_CONSISTENT ? NULL : mutex;
}

static bool lock_at_once(struct nuc_cpu *cpu, uint32_t handle)
{
	struct nuc_mutex *mutex = plain_case(cpu, handle);
	bool done = mutex && !mutex->ownership.owner;

	if (done) {
		struct nuc_task *task = cpu->current;

		nuc_ownership_grant(&mutex->ownership, task->object.handle, task, 1,
				    (struct nuc_urgency){0, 0});
		nuc_ownership_link_plain(task, &mutex->ownership);
		nuc_leave(cpu);
	}
	return done;
}

static bool unlock_at_once(struct nuc_cpu *cpu, uint32_t handle)
{
	struct nuc_mutex *mutex = plain_case(cpu, handle);
	bool done = mutex && mutex->ownership.owner == cpu->current->object.handle &&
		    !mutex->waiters.count &&
		    /* No call waits, but the owner may still have the demand of one that did. */
		    !mutex->ownership.owned_lock.urgency.priority &&
		    atomic_load_explicit(&mutex->ownership.depth, memory_order_relaxed) == 1;

	if (done) {
		nuc_ownership_unlink_plain(&mutex->ownership);
		nuc_ownership_release(&mutex->ownership);
		nuc_leave(cpu);
	}
	return done;
}

/* Not inline: the usual case needs no record of a call in its frame. */
static __attribute__((noinline)) int lock_by_call(struct nuc_cpu *cpu, tact_mutex_t mutex,
						  tact_timeout_t timeout)
{
	NUC_CALL(struct nuc_lock_call, args, lock_run, NUC_TYPE_MUTEX, mutex.id,
		 NUC_CALL_WAITS | NUC_CALL_TASKS | NUC_CALL_OWNS);

	args.call.hooks = &lock_hooks;
	args.ownership = NULL;
	args.depth = 1;
	args.again = false;
	args.call.timeout = timeout;
	return nuc_call_entered(cpu, &args.call);
}

int tact_mutex_lock(tact_mutex_t mutex, tact_timeout_t timeout)
{
	struct nuc_cpu *cpu;

	if (timeout.kind > TACT_TIMEOUT_WALL)
		return -TACT_EINVAL;
	cpu = nuc_enter();
	return lock_at_once(cpu, mutex.id) ? 0 : lock_by_call(cpu, mutex, timeout);
}

int nuc_mutex_relock(uint32_t mutex, uint32_t depth)
{
	int result;

	do {
		NUC_CALL(struct nuc_lock_call, args, lock_run, NUC_TYPE_MUTEX, mutex,
			 NUC_CALL_WAITS | NUC_CALL_TASKS | NUC_CALL_OWNS);

		args.call.hooks = &lock_hooks;
		args.ownership = NULL;
		args.depth = depth;
		args.again = true;
		/* If the wait were broken, the task would come back behind tasks that came
		 * later. */
		args.call.stays = NUC_BREAK_UNBLOCK;
		result = nuc_call_timeout(&args.call, TACT_FOREVER);
	} while (result == -TACT_EINTR);
	return result;
}

void nuc_mutex_join(struct nuc_cpu *cpu, struct nuc_mutex *mutex, struct nuc_lock_call *args)
{
	if (!mutex->ownership.owner) {
		nuc_wake(cpu, &args->call, nuc_mutex_grant(mutex, args));
		return;
	}
	/* From now on the call waits for this mutex, whatever mutex its condition is used with: see
	 * deadlock.c. */
	__atomic_store_n(&args->call.handle, mutex->object.handle, __ATOMIC_RELAXED);
	args->call.stays = NUC_BREAK_UNBLOCK;
	nuc_wait_transfer(cpu, &args->call, &mutex->waiters);
	nuc_ownership_want(cpu, &mutex->ownership, nuc_mutex_demand(mutex, NULL));
}

static int unlock_depart(struct nuc_cpu *cpu, struct nuc_call *call)
{
	struct nuc_lock_call *args = nuc_lock_call_of(call);
	struct nuc_ownership *ownership =
		nuc_ownership_find(cpu->current, call->handle, &nuc_mutex_ownership_ops);
	uint32_t depth;

	args->ownership = ownership;
	if (!ownership)
		return NUC_WAITING; /* home finds the error */
	depth = atomic_load_explicit(&ownership->depth, memory_order_relaxed);
	if (depth > 1) {
		atomic_store_explicit(&ownership->depth, depth - 1, memory_order_relaxed);
		return 0;
	}
	nuc_ownership_unlink(cpu, cpu->current, ownership);
	return NUC_WAITING;
}

void nuc_unlock_done(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_call *call)
{
	struct nuc_lock_call *args = nuc_lock_call_of(call);

	(void)task;
	if (args->ownership && call->result == -TACT_EIDRM)
		nuc_ownership_return(cpu, args->ownership);
}

static const struct nuc_call_hooks unlock_hooks = {
	.depart = unlock_depart,
	.done = nuc_unlock_done,
};

static int unlock_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_mutex *mutex = nuc_mutex_of(object);
	struct nuc_ownership *ownership = &mutex->ownership;

	if (call->origin == cpu) {
		uint32_t depth = atomic_load_explicit(&ownership->depth, memory_order_relaxed);

		if (ownership->owner != call->task->object.handle)
			return -TACT_EPERM;
		if (depth > 1) {
			atomic_store_explicit(&ownership->depth, depth - 1, memory_order_relaxed);
			return 0;
		}
		nuc_ownership_unlink(cpu, call->task, ownership);
	} else if (nuc_lock_call_of(call)->ownership != ownership) {
		return nuc_lock_call_of(call)->ownership ? -TACT_EIDRM : -TACT_EPERM;
	}
	nuc_mutex_release(cpu, mutex);
	return 0;
}

static __attribute__((noinline)) int unlock_by_call(struct nuc_cpu *cpu, tact_mutex_t mutex)
{
	NUC_CALL(struct nuc_lock_call, args, unlock_run, NUC_TYPE_MUTEX, mutex.id,
		 NUC_CALL_TASKS | NUC_CALL_OWNS);

	args.call.hooks = &unlock_hooks;
	args.ownership = NULL;
	return nuc_call_entered(cpu, &args.call);
}

int tact_mutex_unlock(tact_mutex_t mutex)
{
	struct nuc_cpu *cpu = nuc_enter();

	return unlock_at_once(cpu, mutex.id) ? 0 : unlock_by_call(cpu, mutex);
}
