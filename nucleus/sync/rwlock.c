/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reader-writer lock. Each reader takes one of a fixed number of ownerships, and the writer has one
 * of its own, so that the end of any owner releases what it owned. Invariant: no call waits that
 * could be served. So a release, or a waiter that gives up, serves all calls that can be served
 * then.
 */
#include "sync/rwlock.h"

#include "call/wait.h"
#include "object/object.h"

struct create_call {
	struct nuc_call call;
	uint32_t flags;
	uint32_t readers;
};

/* The urgency that the writer inherits. */
struct nuc_urgency nuc_rwlock_demand(const struct nuc_rwlock *lock, const struct nuc_call *but)
{
	struct nuc_urgency readers = nuc_waitq_urgency(&lock->waiting_readers, but);
	struct nuc_urgency writers = nuc_waitq_urgency(&lock->waiting_writers, but);

	return nuc_more_urgent(writers, readers) ? writers : readers;
}

int nuc_rwlock_grant(struct nuc_rwlock *lock, struct nuc_rw_call *args)
{
	struct nuc_rw_ownership *mine = &lock->writer;

	if (!args->write) {
		mine = base_container_of(base_list_pop_front(&lock->idle), struct nuc_rw_ownership,
					 link);
		lock->readers++;
	}
	args->lock.ownership = &mine->ownership;
	nuc_ownership_grant(&mine->ownership, args->lock.self, args->lock.call.task, 1,
			    args->write ? nuc_rwlock_demand(lock, &args->lock.call)
					: (struct nuc_urgency){0, 0});
	return lock->inconsistent ? -TACT_EOWNERDEAD : 0;
}

/* Does the reader go before the writer, by the preference of the lock? writer: NULL if none
 * waits. */
static bool reader_first(const struct nuc_rwlock *lock, const struct nuc_call *reader,
			 struct nuc_call *writer, uint32_t reader_ticket)
{
	if (!writer || lock->flags & TACT_RWLOCK_READERS)
		return true;
	if (!(lock->flags & TACT_RWLOCK_FAIR))
		return false;
	if (lock->flags & TACT_PRIO && !nuc_equally_urgent(reader->urgency, writer->urgency))
		return nuc_more_urgent(reader->urgency, writer->urgency);
	return (int32_t)(reader_ticket - nuc_lock_call_of(writer)->ticket) < 0;
}

bool nuc_rwlock_may_enter(const struct nuc_rwlock *lock, struct nuc_rw_call *args)
{
	if (lock->writer.ownership.owner)
		return false;
	if (args->write)
		return !lock->readers;
	/* As if the call were in the queue already: other readers wait only for what it would wait
	 * for. */
	args->lock.call.urgency = nuc_call_urgency(&args->lock.call);
	return !base_list_empty(&lock->idle) &&
	       reader_first(lock, &args->lock.call, nuc_waitq_first(&lock->waiting_writers),
			    args->lock.ticket);
}

/* Serve all calls that can be served. Readers own the lock at once; the calls of more than a few
 * are completed in pieces. */
static void serve(struct nuc_cpu *cpu, struct nuc_rwlock *lock)
{
	struct nuc_over over;

	if (!lock->waiting_readers.count && !lock->waiting_writers.count)
		return;
	nuc_over_init(&over, lock->served++);
	while (!lock->writer.ownership.owner) {
		struct nuc_call *reader = nuc_waitq_first(&lock->waiting_readers);
		struct nuc_call *writer = nuc_waitq_first(&lock->waiting_writers);

		if (reader &&
		    reader_first(lock, reader, writer, nuc_lock_call_of(reader)->ticket)) {
			if (base_list_empty(&lock->idle))
				break;
			reader->result = nuc_rwlock_grant(lock, nuc_rw_call_of(reader));
			nuc_wait_over(reader, &over);
		} else {
			if (!writer || lock->readers)
				break;
			nuc_wake(cpu, writer, nuc_rwlock_grant(lock, nuc_rw_call_of(writer)));
		}
	}
	nuc_wake_over(cpu, &lock->waiting_readers, &over, NUC_OWN_RESULT);
}

static void waiters_changed(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call)
{
	struct nuc_rwlock *lock = nuc_rwlock_of(queue->object);

	(void)call;
	if (lock->writer.ownership.owner)
		nuc_ownership_want(cpu, &lock->writer.ownership, nuc_rwlock_demand(lock, NULL));
	else
		serve(cpu, lock);
}

static const struct nuc_waitq_ops waiting_ops = {.changed = waiters_changed};

void nuc_rwlock_release(struct nuc_cpu *cpu, struct nuc_rwlock *lock,
			struct nuc_ownership *ownership)
{
	nuc_ownership_release(ownership);
	if (ownership != &lock->writer.ownership) {
		base_list_push_front(&nuc_rw_ownership_of(ownership)->link, &lock->idle);
		lock->readers--;
	}
	serve(cpu, lock);
}

static void orphaned(struct nuc_cpu *cpu, struct nuc_ownership *ownership)
{
	struct nuc_rwlock *lock = nuc_rw_ownership_of(ownership)->lock;

	if (ownership == &lock->writer.ownership)
		lock->inconsistent = true;
	nuc_rwlock_release(cpu, lock, ownership);
}

static void free_if_idle(struct nuc_cpu *cpu, struct nuc_rwlock *lock)
{
	if (lock->retired && !lock->ownerships_left)
		nuc_pool_put(cpu, lock);
}

static void dropped(struct nuc_cpu *cpu, struct nuc_ownership *ownership)
{
	struct nuc_rwlock *lock = nuc_rw_ownership_of(ownership)->lock;

	lock->ownerships_left--;
	free_if_idle(cpu, lock);
}

const struct nuc_ownership_ops nuc_rwlock_ownership_ops = {
	.orphaned = orphaned,
	.dropped = dropped,
};

static void init_ownership(struct nuc_cpu *cpu, struct nuc_rwlock *lock,
			   struct nuc_rw_ownership *ownership)
{
	nuc_ownership_init(cpu, &ownership->ownership, lock->object.handle,
			   &nuc_rwlock_ownership_ops);
	ownership->lock = lock;
	base_list_init(&ownership->link);
}

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct create_call *args = base_container_of(call, struct create_call, call);
	struct nuc_rwlock *lock;
	int error;

	object =
		nuc_object_new(cpu, NUC_TYPE_RWLOCK,
			       sizeof(*lock) + args->readers * sizeof(lock->ownerships[0]), &error);
	if (!object)
		return error;
	lock = nuc_rwlock_of(object);
	nuc_waitq_init(&lock->waiting_readers, object, args->flags);
	nuc_waitq_init(&lock->waiting_writers, object, args->flags);
	lock->waiting_readers.ops = &waiting_ops;
	lock->waiting_writers.ops = &waiting_ops;
	lock->flags = args->flags;
	lock->readers_max = args->readers;
	init_ownership(cpu, lock, &lock->writer);
	base_list_init(&lock->idle);
	for (uint32_t i = 0; i < args->readers; i++) {
		init_ownership(cpu, lock, &lock->ownerships[i]);
		base_list_push_back(&lock->ownerships[i].link, &lock->idle);
	}
	call->handle = object->handle;
	return 0;
}

int tact_rwlock_create(const char *name, uint32_t readers, uint32_t flags, tact_rwlock_t *rwlock)
{
	NUC_CALL(struct create_call, args, create_run, NUC_TYPE_CPU, 0, NUC_CALL_TASKS);

	if (!readers || readers > TACT_RWLOCK_READERS_MAX ||
	    (flags & NUC_RWLOCK_PREFERENCES) == NUC_RWLOCK_PREFERENCES)
		return -TACT_EINVAL;
	args.flags = flags;
	args.readers = readers;
	return nuc_create(&args.call, name, flags, TACT_PRIO | NUC_RWLOCK_PREFERENCES,
			  NUC_ID_OF(rwlock));
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_rwlock *lock = nuc_rwlock_of(object);

	(void)call;
	(void)nuc_wake_all(cpu, &lock->waiting_readers, -TACT_EIDRM);
	(void)nuc_wake_all(cpu, &lock->waiting_writers, -TACT_EIDRM);
	lock->ownerships_left = lock->readers_max + 1;
	nuc_ownership_drop(cpu, &lock->writer.ownership);
	for (uint32_t i = 0; i < lock->readers_max; i++)
		nuc_ownership_drop(cpu, &lock->ownerships[i].ownership);
	nuc_object_retire(cpu, object);
	return 0;
}

static void release_memory(struct nuc_cpu *cpu, struct nuc_object *object)
{
	struct nuc_rwlock *lock = nuc_rwlock_of(object);

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
	return nuc_delete(rwlock.id, NUC_TYPE_RWLOCK);
}
