/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Deadlock detection: a probe goes from the wanted lock to its owner, to the lock that the owner
 * waits for, to the owner of that lock, and so on. A circle is closed if the probe comes to the
 * task for which it started. Locks are mutexes, and reader-writer locks that a writer owns: several
 * readers would be several paths, and a probe follows one. A task that waits on a condition counts
 * as waiting for its mutex from the beginning, because it cannot continue without the mutex,
 * however the wait ends.
 *
 * The part of the chain on one CPU is followed at once, in a loop, from a task to the queue in
 * which its call waits. A call that was sent is searched in the cross-CPU list of the queue in
 * which it waits. If the next step is on another CPU, the call is queued first, and the probe
 * travels as a message inside the waiting call. So, if several waits close a circle at the same
 * time, at least the last one sees the others.
 *
 * While the probe is under way owners release locks, and waits time out. A circle of edges that did
 * not exist at the same time is no deadlock. Every grant and every wait has a number; the probe
 * goes round again until two rounds have passed the same edges. All of them existed when the first
 * of these rounds ended. Sources: K. M. Chandy, J. Misra, L. M. Haas, "Distributed deadlock
 * detection", ACM TOCS 1 (2), 1983; R. P. Brent, "An improved Monte Carlo factorization algorithm",
 * BIT 20, 1980 (circles without self).
 */
#include "call/batch.h"
#include "call/reply.h"
#include "kernel/handle_table.h"
#include "sync/cond.h"
#include "sync/rwlock.h"

static uint64_t digest(uint64_t edges, uint64_t a, uint64_t b)
{
	/* splitmix64's finisher: a change of any bit changes the sum. */
	edges += a << 32 ^ b;
	edges = (edges ^ edges >> 30) * 0xbf58476d1ce4e5b9u;
	edges = (edges ^ edges >> 27) * 0x94d049bb133111ebu;
	return edges ^ edges >> 31;
}

/* The ownership for which the waiters of an object wait. */
static const struct nuc_ownership *ownership_of(struct nuc_object *object)
{
	return object->type == NUC_TYPE_MUTEX ? &nuc_mutex_of(object)->ownership
					      : &nuc_rwlock_of(object)->writer.ownership;
}

/* Step to the owner of the lock; 0: none, or readers. */
static void to_owner(struct nuc_probe *probe, const struct nuc_ownership *ownership)
{
	probe->edges = digest(probe->edges, ownership->handle, ownership->grants);
	probe->owner = ownership->owner;
	probe->task = ownership->task;
	probe->object = 0;
	probe->closed = probe->owner == probe->self;
}

static void begin(struct nuc_probe *probe, const struct nuc_ownership *ownership)
{
	probe->steps = 0;
	probe->turn = 1;
	probe->landmark = 0;
	probe->edges = 0;
	to_owner(probe, ownership);
}

static void pass(struct nuc_probe *probe, const struct nuc_lock_call *args)
{
	probe->edges = digest(probe->edges, args->self, args->ticket);
}

/* Does the task reached, which is on another CPU, wait among these cross-CPU calls? Then that is an
 * edge. */
static struct nuc_call *find_in(struct nuc_probe *probe, const struct base_list *cross_cpu)
{
	base_list_for_each(link, cross_cpu) {
		struct nuc_call *call = base_container_of(link, struct nuc_call, cross_cpu);
		const struct nuc_lock_call *args = nuc_lock_call_of(call);

		if (args->self == probe->owner) {
			pass(probe, args);
			return call;
		}
	}
	return NULL;
}

static bool stands_in(struct nuc_probe *probe, const struct nuc_waitq *queue)
{
	return find_in(probe, &queue->cross_cpu) != NULL;
}

/* The same among the calls that a broadcast has released but that are still in a batch. */
static struct nuc_call *find_released(const struct nuc_cpu *cpu, struct nuc_probe *probe,
				      const struct nuc_waitq *queue)
{
	for (struct nuc_batch *batch = nuc_batches_first(cpu); batch;
	     batch = nuc_batches_next(batch)) {
		struct nuc_call *call =
			batch->queue == queue ? find_in(probe, &batch->cross_cpu) : NULL;

		if (call)
			return call;
	}
	return NULL;
}

/* The lock for which the task reached waits; the task and its call are on this CPU. NULL: none. */
static const struct nuc_ownership *waited_local(struct nuc_cpu *cpu, struct nuc_probe *probe,
						struct nuc_call *wait)
{
	const bool over = nuc_wait_is_over(wait);
	struct nuc_object *object = wait->queue ? wait->queue->object : NULL;
	int error;

	if (object && object->type == NUC_TYPE_COND) {
		/* Also if the condition has released the call already: call/batch.h. */
		object = nuc_lookup(cpu, nuc_cond_mutex(wait), NUC_TYPE_MUTEX, &error);
	} else if (!object || over ||
		   (object->type != NUC_TYPE_MUTEX && object->type != NUC_TYPE_RWLOCK)) {
		return NULL;
	}
	pass(probe, nuc_lock_call_of(wait));
	return object ? ownership_of(object) : NULL;
}

/* The lock for which the task reached waits by a call on this object; NULL: none. */
static const struct nuc_ownership *waited_for(struct nuc_cpu *cpu, struct nuc_probe *probe)
{
	int error;
	struct nuc_object *object = nuc_lookup(cpu, probe->object, NUC_TYPE_ANY, &error);
	bool found = false;

	if (object && object->type == NUC_TYPE_COND) {
		uint32_t mutex;
		const struct nuc_waitq *waiters = nuc_cond_waiters(object, &mutex);
		struct nuc_call *call = find_in(probe, &waiters->cross_cpu);

		if (!call)
			call = find_released(cpu, probe, waiters);
		/* Since the broadcast the condition may be used with another mutex. */
		if (call)
			mutex = nuc_cond_mutex(call);
		found = call != NULL;
		/* If the call was not found, it has been signalled since, and is in the queue of
		 * the mutex. */
		object = nuc_lookup(cpu, mutex, NUC_TYPE_MUTEX, &error);
	}
	if (object && object->type == NUC_TYPE_MUTEX) {
		const struct nuc_mutex *mutex = nuc_mutex_of(object);

		return found || stands_in(probe, &mutex->waiters) ? &mutex->ownership : NULL;
	}
	if (object && object->type == NUC_TYPE_RWLOCK) {
		const struct nuc_rwlock *lock = nuc_rwlock_of(object);

		found = stands_in(probe, &lock->waiting_readers) ||
			stands_in(probe, &lock->waiting_writers);
		return found ? &lock->writer.ownership : NULL;
	}
	return NULL;
}

/* Is the probe in a circle without the task for which it started? The wait that closed that circle
 * is refused by its own probe. */
static bool goes_round(struct nuc_probe *probe)
{
	if (probe->owner == probe->landmark)
		return true;
	if (++probe->steps == probe->turn) {
		probe->turn *= 2;
		probe->landmark = probe->owner;
	}
	return false;
}

/* Follow the chain as far as this CPU can. Returns the CPU that must be asked next; NULL: the
 * answer is known. */
static struct nuc_cpu *walk(struct nuc_cpu *cpu, struct nuc_probe *probe)
{
	while (!probe->closed && probe->owner) {
		struct nuc_cpu *at;

		if (!probe->object) {
			struct nuc_call *wait;

			at = atomic_load_explicit(&probe->task->cpu, memory_order_acquire);
			/* Read the handle after the CPU: a control block that is made ready anew
			 * loses its handle first. */
			if (__atomic_load_n(&probe->task->object.handle, __ATOMIC_RELAXED) !=
			    probe->owner)
				return NULL;
			if (at != cpu || probe->task->state & TACT_TASK_STATE_MOVING)
				return at;
			wait = probe->task->wait;
			if (!wait || goes_round(probe))
				return NULL;
			/* A call that was sent belongs to its holder, and is found there among the
			 * cross-CPU calls. */
			if (!wait->sent) {
				const struct nuc_ownership *ownership =
					waited_local(cpu, probe, wait);

				if (!ownership)
					return NULL;
				to_owner(probe, ownership);
				continue;
			}
			/* Relaxed: a condition may move the call to its mutex, which is on the same
			 * CPU. */
			probe->object = __atomic_load_n(&wait->handle, __ATOMIC_RELAXED);
			if (!probe->object)
				return NULL;
		} else {
			uint32_t home = nuc_handle_cpu(probe->object);
			const struct nuc_ownership *ownership;

			if (home != cpu->hal.index)
				return home < nuc_cpu_count ? &nuc_cpus[home] : NULL;
			ownership = waited_for(cpu, probe);
			if (!ownership)
				return NULL;
			to_owner(probe, ownership);
		}
	}
	return NULL;
}

static struct nuc_lock_call *args_of(struct nuc_message *message)
{
	struct nuc_probe *probe = base_container_of(message, struct nuc_probe, message);

	return base_container_of(probe, struct nuc_lock_call, probe);
}

static void arrive(struct nuc_cpu *cpu, struct nuc_message *message);

/* The probe is home again, with the answer. */
static void come_home(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_lock_call *args = args_of(message);
	struct nuc_call *call = &args->call;
	struct nuc_probe *probe = &args->probe;

	while (call->holder == cpu && probe->closed && probe->edges != probe->last_edges) {
		struct nuc_cpu *next;

		probe->last_edges = probe->edges;
		begin(probe, ownership_of(call->queue->object));
		next = walk(cpu, probe);
		if (next) {
			message->deliver = arrive;
			nuc_message_send(next, message);
			return;
		}
	}
	call->pinned = 0;
	if (call->holder == cpu && probe->closed)
		nuc_wait_break(cpu, call, -TACT_EDEADLK);
	else
		nuc_call_unpin(cpu, call);
}

static void arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_lock_call *args = args_of(message);
	struct nuc_cpu *next = walk(cpu, &args->probe);

	if (!next) {
		message->deliver = come_home;
		next = &nuc_cpus[nuc_handle_cpu(args->call.handle)];
	}
	nuc_message_send(next, message);
}

int nuc_lock_wait(struct nuc_cpu *cpu, struct nuc_lock_call *args,
		  const struct nuc_ownership *ownership, struct nuc_waitq *queue)
{
	struct nuc_probe *probe = &args->probe;
	struct nuc_cpu *next = NULL;
	int result;

	if (args->call.timeout.kind != TACT_TIMEOUT_NOWAIT) {
		probe->self = args->self;
		probe->last_edges = 0;
		begin(probe, ownership);
		next = walk(cpu, probe);
		if (probe->closed)
			return -TACT_EDEADLK;
	}
	result = nuc_wait(cpu, &args->call, queue);
	if (result == NUC_WAITING && next) {
		args->call.pinned = 1;
		probe->message.deliver = arrive;
		nuc_message_send(next, &probe->message);
	}
	return result;
}
