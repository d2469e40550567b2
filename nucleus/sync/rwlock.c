/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reader-writer lock. Each reader takes one of a fixed number of claims, the writer has one of its
 * own, so that the end of any owner releases what it held. Invariant: nobody waits who could be
 * served, so a release, or a waiter that gives up, serves all that now can be.
 */
#include <tactus/rwlock.h>

#include "sync/mutex.h"

#define PREFERENCES (TACT_RWLOCK_READERS | TACT_RWLOCK_FAIR)

struct rwlock;

struct rw_claim {
	struct nuc_claim claim;
	struct rwlock *lock;
	struct base_list link; /* in rwlock.idle */
};

struct rwlock {
	struct nuc_object object;
	struct rw_claim writer;
	struct nuc_waitq waiting_readers;
	struct nuc_waitq waiting_writers;
	struct base_list idle; /* claims for readers */
	uint32_t flags;
	uint32_t readers;
	uint32_t readers_max;
	uint32_t tickets;
	uint32_t claims_left; /* deleted: claims that somebody may still touch */
	bool inconsistent;
	bool retired;
	struct rw_claim claims[];
};

struct rw_call {
	struct nuc_lock_call lock;
	bool write;
};

struct create_call {
	struct nuc_call call;
	uint32_t flags;
	uint32_t readers;
};

static struct rwlock *rwlock_of(struct nuc_object *object)
{
	return base_container_of(object, struct rwlock, object);
}

static struct rw_call *args_of(struct nuc_call *call)
{
	return base_container_of(nuc_lock_call_of(call), struct rw_call, lock);
}

static struct rw_claim *rw_claim_of(struct nuc_claim *claim)
{
	return base_container_of(claim, struct rw_claim, claim);
}

static uint32_t highest(const struct nuc_waitq *queue, const struct nuc_call *but)
{
	uint32_t priority = 0;

	base_list_for_each(link, &queue->calls)
	{
		const struct nuc_call *call = base_container_of(link, struct nuc_call, link);

		if (call == but)
			continue;
		if (call->priority > priority)
			priority = call->priority;
		if (queue->by_priority)
			break;
	}
	return priority;
}

/* What the writer inherits. */
static uint32_t demand(const struct rwlock *lock, const struct nuc_call *but)
{
	uint32_t readers = highest(&lock->waiting_readers, but);
	uint32_t writers = highest(&lock->waiting_writers, but);

	return readers > writers ? readers : writers;
}

static int grant(struct rwlock *lock, struct rw_call *args)
{
	struct rw_claim *mine = &lock->writer;

	if (!args->write) {
		mine = base_container_of(base_list_pop_front(&lock->idle), struct rw_claim, link);
		lock->readers++;
	}
	args->lock.claim = &mine->claim;
	nuc_claim_grant(&mine->claim, args->lock.self, args->lock.call.task, 1,
			args->write ? demand(lock, &args->lock.call) : 0);
	return lock->inconsistent ? -TACT_EOWNERDEAD : 0;
}

/* Is the reader before the writer by the lock's preference? Either may be the only one. */
static bool reader_first(const struct rwlock *lock, const struct nuc_call *reader,
			 struct nuc_call *writer, uint32_t reader_ticket)
{
	if (!writer || lock->flags & TACT_RWLOCK_READERS)
		return true;
	if (!(lock->flags & TACT_RWLOCK_FAIR))
		return false;
	if (lock->flags & TACT_PRIO && reader->priority != writer->priority)
		return reader->priority > writer->priority;
	return (int32_t)(reader_ticket - nuc_lock_call_of(writer)->ticket) < 0;
}

static void serve(struct nuc_cpu *cpu, struct rwlock *lock)
{
	while (!lock->writer.claim.owner) {
		struct nuc_call *reader = nuc_waitq_first(&lock->waiting_readers);
		struct nuc_call *writer = nuc_waitq_first(&lock->waiting_writers);

		if (reader &&
		    reader_first(lock, reader, writer, nuc_lock_call_of(reader)->ticket)) {
			if (base_list_empty(&lock->idle))
				return;
			nuc_wake(cpu, reader, grant(lock, args_of(reader)));
		} else {
			if (!writer || lock->readers)
				return;
			nuc_wake(cpu, writer, grant(lock, args_of(writer)));
		}
	}
}

static void waiters_changed(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call)
{
	struct rwlock *lock = rwlock_of(queue->object);

	(void)call;
	if (lock->writer.claim.owner)
		nuc_claim_want(cpu, &lock->writer.claim, demand(lock, NULL));
	else
		serve(cpu, lock);
}

static void release(struct nuc_cpu *cpu, struct rwlock *lock, struct nuc_claim *claim)
{
	nuc_claim_release(claim);
	if (claim != &lock->writer.claim) {
		base_list_push_front(&rw_claim_of(claim)->link, &lock->idle);
		lock->readers--;
	}
	serve(cpu, lock);
}

static void orphaned(struct nuc_cpu *cpu, struct nuc_claim *claim)
{
	struct rwlock *lock = rw_claim_of(claim)->lock;

	if (claim == &lock->writer.claim)
		lock->inconsistent = true;
	release(cpu, lock, claim);
}

static void free_if_idle(struct nuc_cpu *cpu, struct rwlock *lock)
{
	if (lock->retired && !lock->claims_left)
		nuc_pool_put(cpu, lock);
}

static void dropped(struct nuc_cpu *cpu, struct nuc_claim *claim)
{
	struct rwlock *lock = rw_claim_of(claim)->lock;

	lock->claims_left--;
	free_if_idle(cpu, lock);
}

static const struct nuc_claim_ops claim_ops = {
	.orphaned = orphaned,
	.dropped = dropped,
};

static void init_claim(struct nuc_cpu *cpu, struct rwlock *lock, struct rw_claim *claim)
{
	nuc_claim_init(cpu, &claim->claim, lock->object.handle, &claim_ops);
	claim->lock = lock;
	base_list_init(&claim->link);
}

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct create_call *args = base_container_of(call, struct create_call, call);
	struct rwlock *lock;
	int error;

	object = nuc_object_new(cpu, NUC_TYPE_RWLOCK,
				sizeof(*lock) + args->readers * sizeof(lock->claims[0]), &error);
	if (!object)
		return error;
	lock = rwlock_of(object);
	nuc_waitq_init(&lock->waiting_readers, object, args->flags);
	nuc_waitq_init(&lock->waiting_writers, object, args->flags);
	lock->waiting_readers.changed = waiters_changed;
	lock->waiting_writers.changed = waiters_changed;
	lock->flags = args->flags;
	lock->readers_max = args->readers;
	init_claim(cpu, lock, &lock->writer);
	base_list_init(&lock->idle);
	for (uint32_t i = 0; i < args->readers; i++) {
		init_claim(cpu, lock, &lock->claims[i]);
		base_list_push_back(&lock->claims[i].link, &lock->idle);
	}
	call->handle = object->handle;
	return 0;
}

int tact_rwlock_create(const char *name, uint32_t readers, uint32_t flags, tact_rwlock_t *rwlock)
{
	NUC_CALL(struct create_call, args, create_run, NUC_TYPE_CPU, 0, NUC_CALL_TASKS);

	if (!readers || readers > TACT_RWLOCK_READERS_MAX || (flags & PREFERENCES) == PREFERENCES)
		return -TACT_EINVAL;
	args.flags = flags;
	args.readers = readers;
	return nuc_create(&args.call, name, flags, TACT_PRIO | PREFERENCES, rwlock);
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct rwlock *lock = rwlock_of(object);

	(void)call;
	(void)nuc_wake_all(cpu, &lock->waiting_readers, -TACT_EIDRM);
	(void)nuc_wake_all(cpu, &lock->waiting_writers, -TACT_EIDRM);
	lock->claims_left = lock->readers_max + 1;
	nuc_claim_drop(cpu, &lock->writer.claim);
	for (uint32_t i = 0; i < lock->readers_max; i++)
		nuc_claim_drop(cpu, &lock->claims[i].claim);
	nuc_object_retire(cpu, object);
	return 0;
}

static void release_memory(struct nuc_cpu *cpu, struct nuc_object *object)
{
	struct rwlock *lock = rwlock_of(object);

	lock->retired = true;
	free_if_idle(cpu, lock);
}

const struct nuc_type_ops nuc_rwlock_type = {
	.name = "reader-writer lock",
	.destroy = destroy,
	.release = release_memory,
};

int tact_rwlock_delete(tact_rwlock_t rwlock)
{
	return nuc_delete(rwlock, NUC_TYPE_RWLOCK);
}

static int lock_depart(struct nuc_cpu *cpu, struct nuc_call *call)
{
	nuc_lock_note(nuc_lock_call_of(call), cpu->current);
	return nuc_claim_find(cpu->current, call->handle, &claim_ops) ? -TACT_EDEADLK : NUC_WAITING;
}

static bool may_enter(const struct rwlock *lock, struct rw_call *args)
{
	if (lock->writer.claim.owner)
		return false;
	if (args->write)
		return !lock->readers;
	/* As if it stood in the queue already; other readers wait only for what it would wait for.
	 */
	args->lock.call.priority = nuc_call_priority(&args->lock.call);
	return !base_list_empty(&lock->idle) &&
	       reader_first(lock, &args->lock.call, nuc_waitq_first(&lock->waiting_writers),
			    args->lock.ticket);
}

static int lock_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct rwlock *lock = rwlock_of(object);
	struct rw_call *args = args_of(call);
	bool here = call->origin == cpu;
	int result;

	if (here) {
		nuc_lock_note(&args->lock, call->task);
		if (nuc_claim_find(call->task, call->handle, &claim_ops))
			return -TACT_EDEADLK;
	}
	args->lock.ticket = ++lock->tickets;
	if (may_enter(lock, args)) {
		result = grant(lock, args);
		if (here)
			(void)nuc_claim_link(cpu, call->task, args->lock.claim);
		return result;
	}
	result = nuc_wait(cpu, call, args->write ? &lock->waiting_writers : &lock->waiting_readers);
	if (result == NUC_WAITING && lock->writer.claim.owner)
		nuc_claim_want(cpu, &lock->writer.claim, demand(lock, NULL));
	return result;
}

static int take(tact_rwlock_t rwlock, tact_timeout_t timeout, bool write)
{
	static const struct nuc_call_hooks hooks = {.depart = lock_depart, .done = nuc_lock_done};
	struct rw_call args;

	nuc_call_init(&args.lock.call, lock_run, NUC_TYPE_RWLOCK, rwlock,
		      NUC_CALL_WAITS | NUC_CALL_TASKS | NUC_CALL_OWNS, sizeof(args));
	args.lock.call.hooks = &hooks;
	args.lock.claim = NULL;
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

	args->claim = nuc_claim_find(cpu->current, call->handle, &claim_ops);
	if (args->claim)
		nuc_claim_unlink(cpu, cpu->current, args->claim);
	return NUC_WAITING;
}

static int unlock_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct rwlock *lock = rwlock_of(object);
	struct nuc_claim *claim = nuc_lock_call_of(call)->claim;

	if (call->origin == cpu) {
		claim = nuc_claim_find(call->task, call->handle, &claim_ops);
		if (claim)
			nuc_claim_unlink(cpu, call->task, claim);
	}
	if (!claim)
		return -TACT_EPERM;
	if (rw_claim_of(claim)->lock != lock)
		return -TACT_EIDRM;
	release(cpu, lock, claim);
	return 0;
}

int tact_rwlock_unlock(tact_rwlock_t rwlock)
{
	static const struct nuc_call_hooks hooks = {.depart = unlock_depart,
						    .done = nuc_unlock_done};
	NUC_CALL(struct nuc_lock_call, args, unlock_run, NUC_TYPE_RWLOCK, rwlock,
		 NUC_CALL_TASKS | NUC_CALL_OWNS);

	args.call.hooks = &hooks;
	args.claim = NULL;
	return nuc_call(&args.call);
}

static int consistent_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct rwlock *lock = rwlock_of(object);
	struct nuc_lock_call *args = nuc_lock_call_of(call);

	if (call->origin == cpu)
		nuc_lock_note(args, call->task);
	if (lock->writer.claim.owner != args->self)
		return -TACT_EPERM;
	if (!lock->inconsistent)
		return -TACT_EINVAL;
	lock->inconsistent = false;
	return 0;
}

int tact_rwlock_consistent(tact_rwlock_t rwlock)
{
	NUC_CALL(struct nuc_lock_call, args, consistent_run, NUC_TYPE_RWLOCK, rwlock,
		 NUC_CALL_TASKS | NUC_CALL_OWNS);

	args.call.hooks = &nuc_note_hooks;
	return nuc_call(&args.call);
}

static void fill(struct nuc_cpu *cpu, const struct nuc_object *object, void *to)
{
	const struct rwlock *lock = base_container_of(object, const struct rwlock, object);
	struct tact_rwlock_info *info = to;

	(void)cpu;
	info->writer = lock->writer.claim.owner;
	info->readers = lock->readers;
	info->readers_max = lock->readers_max;
	info->waiting_readers = lock->waiting_readers.count;
	info->waiting_writers = lock->waiting_writers.count;
	info->flags = lock->flags & (TACT_PRIO | PREFERENCES);
	info->inconsistent = lock->inconsistent;
}

int tact_rwlock_inquire(tact_rwlock_t rwlock, struct tact_rwlock_info *info)
{
	return nuc_inquire(rwlock, NUC_TYPE_RWLOCK, info, fill);
}
