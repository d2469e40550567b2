/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Locking and unlocking mutexes, from the owner's side. What the owner alone can know without
 * asking, how deep it has locked, is decided on its CPU: there a remote owner's nested locks and
 * unlocks end, and there a release begins.
 */
#include "call/call.h"
#include "call/wait.h"
#include "sync/mutex.h"
#include "task/short.h"

/* The caller owns it already; on its CPU. */
static int lock_again(struct nuc_claim *claim)
{
	const struct nuc_mutex *mutex = base_container_of(claim, struct nuc_mutex, claim);
	uint32_t depth = atomic_load_explicit(&claim->depth, memory_order_relaxed);

	if (!(mutex->flags & TACT_MUTEX_RECURSIVE))
		return -TACT_EDEADLK;
	if (depth == TACT_MUTEX_DEPTH_MAX)
		return -TACT_EOVERFLOW;
	atomic_store_explicit(&claim->depth, depth + 1, memory_order_relaxed);
	return 0;
}

static int lock_depart(struct nuc_cpu *cpu, struct nuc_call *call)
{
	struct nuc_lock_call *args = nuc_lock_call_of(call);
	struct nuc_claim *claim;

	nuc_lock_note(args, cpu->current);
	claim = nuc_claim_find(cpu->current, call->handle, &nuc_mutex_claim_ops);
	return claim ? lock_again(claim) : NUC_WAITING;
}

/* What was granted arrives where the owner is. */
void nuc_lock_done(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_call *call)
{
	struct nuc_lock_call *args = nuc_lock_call_of(call);

	if (args->claim && !nuc_claim_link(cpu, task, args->claim)) {
		args->claim = NULL;
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
	result = nuc_lock_wait(cpu, args, &mutex->claim, &mutex->waiters);
	if (result == NUC_WAITING)
		nuc_claim_want(cpu, &mutex->claim, nuc_mutex_demand(mutex, NULL));
	return result;
}

static int lock_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_mutex *mutex = nuc_mutex_of(object);
	struct nuc_lock_call *args = nuc_lock_call_of(call);
	bool here = call->origin == cpu;
	int result;

	if (here)
		nuc_lock_note(args, call->task);
	nuc_claim_settle(cpu, &mutex->claim);
	if (here && mutex->claim.owner == args->self)
		return lock_again(&mutex->claim);
	/* A task above the ceiling would not be protected by it: POSIX.1-2017, EINVAL. But who
	 * comes back from a condition has passed once, and must not go on without the mutex. */
	if (mutex->flags & TACT_MUTEX_CEILING && args->base_priority > mutex->ceiling &&
	    !args->again)
		return -TACT_EINVAL;
	if (mutex->claim.owner)
		return lock_wait(cpu, mutex, args);
	result = nuc_mutex_grant(mutex, args);
	if (here && args->claim)
		(void)nuc_claim_link(cpu, call->task, args->claim);
	return result;
}

/*
 * The mutex of a handle when the case is the usual one: the short way, no ceiling, no repair due.
 * Such a lock or unlock that nobody else is concerned in needs no call: half the
 * time of one goes into preparing what only a wait needs.
 */
static struct nuc_mutex *plain_case(struct nuc_cpu *cpu, uint32_t handle)
{
	struct nuc_object *object = nuc_short_way(cpu, handle, NUC_TYPE_MUTEX);
	struct nuc_mutex *mutex;

	if (!object)
		return NULL;
	mutex = nuc_mutex_of(object);
	return mutex->ceiling || mutex->state != TACT_MUTEX_CONSISTENT ? NULL : mutex;
}

static bool lock_at_once(struct nuc_cpu *cpu, uint32_t handle)
{
	struct nuc_mutex *mutex = plain_case(cpu, handle);
	bool done = mutex && !mutex->claim.owner;

	if (done) {
		struct nuc_task *task = cpu->current;

		nuc_claim_grant(&mutex->claim, task->object.handle, task, 1,
				(struct nuc_urgency){0, 0});
		nuc_claim_link_plain(task, &mutex->claim);
		nuc_leave(cpu);
	}
	return done;
}

static bool unlock_at_once(struct nuc_cpu *cpu, uint32_t handle)
{
	struct nuc_mutex *mutex = plain_case(cpu, handle);
	bool done = mutex && mutex->claim.owner == cpu->current->object.handle &&
		    !mutex->waiters.count &&
		    /* Nobody waits, but the owner's CPU may not have heard of it yet. */
		    !mutex->claim.hold.urgency.priority &&
		    atomic_load_explicit(&mutex->claim.depth, memory_order_relaxed) == 1;

	if (done) {
		nuc_claim_unlink_plain(&mutex->claim);
		nuc_claim_release(&mutex->claim);
		nuc_leave(cpu);
	}
	return done;
}

/* Out of the way of the usual case, which needs no record of a call in its frame. */
static __attribute__((noinline)) int lock_by_call(struct nuc_cpu *cpu, tact_mutex_t mutex,
						  tact_timeout_t timeout)
{
	NUC_CALL(struct nuc_lock_call, args, lock_run, NUC_TYPE_MUTEX, mutex,
		 NUC_CALL_WAITS | NUC_CALL_TASKS | NUC_CALL_OWNS);

	args.call.hooks = &lock_hooks;
	args.claim = NULL;
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
	return lock_at_once(cpu, mutex) ? 0 : lock_by_call(cpu, mutex, timeout);
}

int nuc_mutex_relock(uint32_t mutex, uint32_t depth)
{
	int result;

	do {
		NUC_CALL(struct nuc_lock_call, args, lock_run, NUC_TYPE_MUTEX, mutex,
			 NUC_CALL_WAITS | NUC_CALL_TASKS | NUC_CALL_OWNS);

		args.call.hooks = &lock_hooks;
		args.claim = NULL;
		args.depth = depth;
		args.again = true;
		/* Broken, it would come back behind those that came after it. */
		args.call.stays = NUC_BREAK_UNBLOCK;
		result = nuc_call_timeout(&args.call, TACT_FOREVER);
	} while (result == -TACT_EINTR);
	return result;
}

void nuc_mutex_join(struct nuc_cpu *cpu, struct nuc_mutex *mutex, struct nuc_lock_call *args)
{
	if (!mutex->claim.owner) {
		nuc_wake(cpu, &args->call, nuc_mutex_grant(mutex, args));
		return;
	}
	/* From now on it waits for this mutex, whatever its condition is used with: see deadlock.c.
	 */
	__atomic_store_n(&args->call.handle, mutex->object.handle, __ATOMIC_RELAXED);
	args->call.stays = NUC_BREAK_UNBLOCK;
	nuc_wait_transfer(cpu, &args->call, &mutex->waiters);
	nuc_claim_want(cpu, &mutex->claim, nuc_mutex_demand(mutex, NULL));
}

static int unlock_depart(struct nuc_cpu *cpu, struct nuc_call *call)
{
	struct nuc_lock_call *args = nuc_lock_call_of(call);
	struct nuc_claim *claim = nuc_claim_find(cpu->current, call->handle, &nuc_mutex_claim_ops);
	uint32_t depth;

	args->claim = claim;
	if (!claim)
		return NUC_WAITING; /* home knows what is wrong */
	depth = atomic_load_explicit(&claim->depth, memory_order_relaxed);
	if (depth > 1) {
		atomic_store_explicit(&claim->depth, depth - 1, memory_order_relaxed);
		return 0;
	}
	nuc_claim_unlink(cpu, cpu->current, claim);
	return NUC_WAITING;
}

void nuc_unlock_done(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_call *call)
{
	struct nuc_lock_call *args = nuc_lock_call_of(call);

	(void)task;
	if (args->claim && call->result == -TACT_EIDRM)
		nuc_claim_give_back(cpu, args->claim);
}

static const struct nuc_call_hooks unlock_hooks = {
	.depart = unlock_depart,
	.done = nuc_unlock_done,
};

static int unlock_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_mutex *mutex = nuc_mutex_of(object);
	struct nuc_claim *claim = &mutex->claim;

	if (call->origin == cpu) {
		uint32_t depth = atomic_load_explicit(&claim->depth, memory_order_relaxed);

		if (claim->owner != call->task->object.handle)
			return -TACT_EPERM;
		if (depth > 1) {
			atomic_store_explicit(&claim->depth, depth - 1, memory_order_relaxed);
			return 0;
		}
		nuc_claim_unlink(cpu, call->task, claim);
	} else if (nuc_lock_call_of(call)->claim != claim) {
		return nuc_lock_call_of(call)->claim ? -TACT_EIDRM : -TACT_EPERM;
	}
	nuc_mutex_release(cpu, mutex);
	return 0;
}

static __attribute__((noinline)) int unlock_by_call(struct nuc_cpu *cpu, tact_mutex_t mutex)
{
	NUC_CALL(struct nuc_lock_call, args, unlock_run, NUC_TYPE_MUTEX, mutex,
		 NUC_CALL_TASKS | NUC_CALL_OWNS);

	args.call.hooks = &unlock_hooks;
	args.claim = NULL;
	return nuc_call_entered(cpu, &args.call);
}

int tact_mutex_unlock(tact_mutex_t mutex)
{
	struct nuc_cpu *cpu = nuc_enter();

	return unlock_at_once(cpu, mutex) ? 0 : unlock_by_call(cpu, mutex);
}
