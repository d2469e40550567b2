/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The calls that lock and unlock a reader-writer lock. Whether the caller owns the lock already is
 * decided on the caller's CPU, where the ownership is in its list.
 */
#include "object/object.h"
#include "sync/rwlock.h"

static int lock_depart(struct nuc_cpu *cpu, struct nuc_call *call)
{
	nuc_lock_note(nuc_lock_call_of(call), cpu->current);
	return nuc_ownership_find(cpu->current, call->handle, &nuc_rwlock_ownership_ops)
		       ? -TACT_EDEADLK
		       : NUC_WAITING;
}

static int lock_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_rwlock *lock = nuc_rwlock_of(object);
	struct nuc_rw_call *args = nuc_rw_call_of(call);
	bool is_local = call->origin == cpu;
	int result;

	if (is_local) {
		nuc_lock_note(&args->lock, call->task);
		if (nuc_ownership_find(call->task, call->handle, &nuc_rwlock_ownership_ops))
			return -TACT_EDEADLK;
	}
	nuc_ownership_settle(cpu, &lock->writer.ownership);
	args->lock.ticket = ++lock->tickets;
	if (nuc_rwlock_may_enter(lock, args)) {
		result = nuc_rwlock_grant(lock, args);
		if (is_local)
			(void)nuc_ownership_link(cpu, call->task, args->lock.ownership);
		return result;
	}
	result = nuc_lock_wait(cpu, &args->lock, &lock->writer.ownership,
			       args->write ? &lock->waiting_writers : &lock->waiting_readers);
	if (result == NUC_WAITING && lock->writer.ownership.owner)
		nuc_ownership_want(cpu, &lock->writer.ownership, nuc_rwlock_demand(lock, NULL));
	return result;
}

static int take(tact_rwlock_t rwlock, tact_timeout_t timeout, bool write)
{
	static const struct nuc_call_hooks hooks = {.depart = lock_depart, .done = nuc_lock_done};
	struct nuc_rw_call args;

	nuc_call_init(&args.lock.call, lock_run, NUC_TYPE_RWLOCK, rwlock.id,
		      NUC_CALL_WAITS | NUC_CALL_TASKS | NUC_CALL_OWNS, sizeof(args));
	args.lock.call.hooks = &hooks;
	args.lock.ownership = NULL;
	args.lock.again = false;
	args.write = write;
	return nuc_call_timeout(&args.lock.call, timeout);
}

int tact_rwlock_read(tact_rwlock_t rwlock, tact_timeout_t timeout)
{
	return take(rwlock, timeout, false);
}

int tact_rwlock_write(tact_rwlock_t rwlock, tact_timeout_t timeout)
{
	return take(rwlock, timeout, true);
}

static int unlock_depart(struct nuc_cpu *cpu, struct nuc_call *call)
{
	struct nuc_lock_call *args = nuc_lock_call_of(call);

	args->ownership = nuc_ownership_find(cpu->current, call->handle, &nuc_rwlock_ownership_ops);
	if (args->ownership)
		nuc_ownership_unlink(cpu, cpu->current, args->ownership);
	return NUC_WAITING;
}

static int unlock_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_rwlock *lock = nuc_rwlock_of(object);
	struct nuc_ownership *ownership = nuc_lock_call_of(call)->ownership;

	if (call->origin == cpu) {
		ownership = nuc_ownership_find(call->task, call->handle, &nuc_rwlock_ownership_ops);
		if (ownership)
			nuc_ownership_unlink(cpu, call->task, ownership);
	}
	if (!ownership)
		return -TACT_EPERM;
	if (nuc_rw_ownership_of(ownership)->lock != lock)
		return -TACT_EIDRM;
	nuc_rwlock_release(cpu, lock, ownership);
	return 0;
}

int tact_rwlock_unlock(tact_rwlock_t rwlock)
{
	static const struct nuc_call_hooks hooks = {.depart = unlock_depart,
						    .done = nuc_unlock_done};
	NUC_CALL(struct nuc_lock_call, args, unlock_run, NUC_TYPE_RWLOCK, rwlock.id,
		 NUC_CALL_TASKS | NUC_CALL_OWNS);

	args.call.hooks = &hooks;
	args.ownership = NULL;
	return nuc_call(&args.call);
}

static int consistent_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_rwlock *lock = nuc_rwlock_of(object);

	if (lock->writer.ownership.owner != nuc_lock_self(cpu, nuc_lock_call_of(call)))
		return -TACT_EPERM;
	if (!lock->inconsistent)
		return -TACT_ESRCH;
	lock->inconsistent = false;
	return 0;
}

int tact_rwlock_consistent(tact_rwlock_t rwlock)
{
	return nuc_owner_call(rwlock.id, NUC_TYPE_RWLOCK, consistent_run);
}

static void fill(struct nuc_cpu *cpu, const struct nuc_object *object, void *to)
{
	const struct nuc_rwlock *lock = base_container_of(object, const struct nuc_rwlock, object);
	struct tact_rwlock_info *info = to;

	(void)cpu;
	info->writer.id = lock->writer.ownership.owner;
	info->readers = lock->readers;
	info->readers_max = lock->readers_max;
	info->waiting_readers = lock->waiting_readers.count;
	info->waiting_writers = lock->waiting_writers.count;
	info->flags = lock->flags & (TACT_PRIO | NUC_RWLOCK_PREFERENCES);
	info->inconsistent = lock->inconsistent;
}

int tact_rwlock_inquire(tact_rwlock_t rwlock, struct tact_rwlock_info *info)
{
	return nuc_inquire(rwlock.id, NUC_TYPE_RWLOCK, info, sizeof(*info), fill);
}
