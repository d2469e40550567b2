/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Condition. A waiter that is signalled gets its mutex at once, or moves to the wait queue of the
 * mutex, and runs only when it owns the mutex. A waiter whose wait ends otherwise locks the mutex
 * itself before it returns. The mutex is on the same CPU, so that release and wait are one step
 * that no other call can divide. A caller on another CPU has unlinked its ownership before
 * (sync/ownership.h), and links it again if home refuses the wait.
 */
#include "sync/cond.h"

#include "object/object.h"
#include "sync/mutex.h"

struct cond {
	struct nuc_object object;
	struct nuc_waitq waiters;
	uint32_t mutex; /* the mutex of the waiters */
};

struct create_call {
	struct nuc_call call;
	uint32_t flags;
};

struct wait_call {
	struct nuc_lock_call lock;
	uint32_t mutex;
	struct nuc_ownership *left; /* unlinked on the caller's CPU, not released yet */
	bool released;
	bool signalled;
	uint32_t signal; /* nuc_task.signal for this wait; 0: no signal, or a broadcast */
	uint32_t outer;  /* nuc_task.signal before: of a wait during which a signal handler makes
			    this one */
};

static struct cond *cond_of(struct nuc_object *object)
{
	return base_container_of(object, struct cond, object);
}

const struct nuc_waitq *nuc_cond_waiters(const struct nuc_object *object, uint32_t *mutex)
{
	const struct cond *cond = base_container_of(object, const struct cond, object);

	*mutex = cond->mutex;
	return &cond->waiters;
}

static struct wait_call *args_of(struct nuc_call *call)
{
	return base_container_of(nuc_lock_call_of(call), struct wait_call, lock);
}

uint32_t nuc_cond_mutex(struct nuc_call *call)
{
	return args_of(call)->mutex;
}

/* A task whose call leaves a batch locks the mutex itself, or ends. */
static const struct nuc_waitq_ops waiters_ops = {.leaves_batch = nuc_wake};

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	int error;

	object = nuc_object_new(cpu, NUC_TYPE_COND, sizeof(struct cond), &error);
	if (!object)
		return error;
	nuc_waitq_init(&cond_of(object)->waiters, object,
		       base_container_of(call, struct create_call, call)->flags);
	cond_of(object)->waiters.ops = &waiters_ops;
	call->handle = object->handle;
	return 0;
}

int tact_cond_create(const char *name, uint32_t flags, tact_cond_t *cond)
{
	NUC_CALL(struct create_call, args, create_run, NUC_TYPE_CPU, 0, NUC_CALL_TASKS);

	args.flags = flags;
	return nuc_create(&args.call, name, flags, TACT_PRIO, NUC_ID_OF(cond));
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)call;
	(void)nuc_wake_all(cpu, &cond_of(object)->waiters, -TACT_EIDRM);
	nuc_object_retire(cpu, object);
	return 0;
}

static int wait_depart(struct nuc_cpu *cpu, struct nuc_call *call)
{
	struct wait_call *args = args_of(call);

	nuc_lock_note(&args->lock, cpu->current);
	args->left = nuc_ownership_find(cpu->current, args->mutex, &nuc_mutex_ownership_ops);
	if (args->left) {
		args->lock.depth = atomic_load_explicit(&args->left->depth, memory_order_relaxed);
		nuc_ownership_unlink(cpu, cpu->current, args->left);
	}
	return NUC_WAITING;
}

static void wait_done(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_call *call)
{
	struct wait_call *args = args_of(call);

	if (args->left && !args->released)
		(void)nuc_ownership_link(cpu, task, args->left);
	else
		nuc_lock_done(cpu, task, call);
	if (args->signal) {
		args->outer = atomic_load_explicit(&task->signal, memory_order_relaxed);
		atomic_store_explicit(&task->signal, args->signal, memory_order_relaxed);
	}
}

static const struct nuc_call_hooks wait_hooks = {
	.depart = wait_depart,
	.done = wait_done,
};

static int wait_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct cond *cond = cond_of(object);
	struct wait_call *args = args_of(call);
	struct nuc_mutex *mutex;
	int result;

	if (nuc_handle_cpu(args->mutex) != cpu->hal.index)
		return -TACT_EINVAL;
	object = nuc_lookup(cpu, args->mutex, NUC_TYPE_MUTEX, &result);
	if (!object)
		return result;
	mutex = nuc_mutex_of(object);
	if (mutex->ownership.owner != nuc_lock_self(cpu, &args->lock))
		return -TACT_EPERM;
	if (cond->waiters.count && cond->mutex != args->mutex)
		return -TACT_EINVAL;
	/* Wait for time only at first, until the urgency inherited through the mutex is gone. */
	result = nuc_wait(cpu, call, NULL);
	if (result != NUC_WAITING)
		return result;
	cond->mutex = args->mutex;
	args->lock.ticket = ++mutex->tickets;
	args->released = true;
	if (!args->left) {
		args->lock.depth =
			atomic_load_explicit(&mutex->ownership.depth, memory_order_relaxed);
		nuc_ownership_unlink(cpu, call->task, &mutex->ownership);
		call->urgency = nuc_call_urgency(call);
	}
	nuc_wait_move(call, &cond->waiters);
	nuc_mutex_release(cpu, mutex);
	return NUC_WAITING;
}

/* Lock the mutex, if the call came back without it. */
static int come_back(struct wait_call *args, int result)
{
	int locked;

	if (!args->released || args->lock.ownership)
		return result;
	/* A wait that is broken after the signal does not undo the signal. */
	if (args->signalled)
		result = 0;
	/* An error of the mutex is more important to the caller than the result of the wait. */
	locked = nuc_mutex_relock(args->mutex, args->lock.depth);
	return locked ? locked : result;
}

int tact_cond_wait(tact_cond_t cond, tact_mutex_t mutex, tact_timeout_t timeout)
{
	struct wait_call args;
	int result;

	nuc_call_init(&args.lock.call, wait_run, NUC_TYPE_COND, cond.id,
		      NUC_CALL_WAITS | NUC_CALL_TASKS | NUC_CALL_OWNS, sizeof(args));
	args.lock.call.hooks = &wait_hooks;
	args.lock.ownership = NULL;
	args.lock.again = true;
	args.mutex = mutex.id;
	args.left = NULL;
	args.released = false;
	args.signalled = false;
	args.signal = 0;
	result = come_back(&args, nuc_call_timeout(&args.lock.call, timeout));
	if (args.signal) {
		/* A task that was deleted while a signal handler ran ends here, and does not use
		 * the signal. */
		(void)tact_task_harden();
		atomic_store_explicit(&args.lock.call.task->signal, args.outer,
				      memory_order_relaxed);
	}
	return result;
}

static void release_waiter(struct nuc_cpu *cpu, struct nuc_call *call, int result)
{
	struct wait_call *args = args_of(call);
	int error;
	struct nuc_object *object = nuc_lookup(cpu, args->mutex, NUC_TYPE_MUTEX, &error);

	(void)result;
	args->signalled = true;
	if (object)
		nuc_mutex_join(cpu, nuc_mutex_of(object), &args->lock);
	else
		nuc_wake(cpu, call, error); /* deleted: the relock reports it */
}

static void signal_first(struct nuc_cpu *cpu, struct nuc_object *object)
{
	const struct cond *cond = cond_of(object);
	struct nuc_call *call = nuc_waitq_first(&cond->waiters);

	if (!call)
		return;
	args_of(call)->signal = object->handle;
	release_waiter(cpu, call, 0);
}

const struct nuc_type_ops nuc_cond_type = {
	.name = "condition",
	.destroy = destroy,
	.pass_on = signal_first,
};

int tact_cond_delete(tact_cond_t cond)
{
	return nuc_delete(cond.id, NUC_TYPE_COND);
}

static int signal_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)call;
	signal_first(cpu, object);
	return 0;
}

int tact_cond_signal(tact_cond_t cond)
{
	NUC_CALL(struct nuc_plain_call, args, signal_run, NUC_TYPE_COND, cond.id, NUC_CALL_CAST);

	return nuc_call(&args.call);
}

static int broadcast_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)call;
	return (int)nuc_wake_all_by(cpu, &cond_of(object)->waiters, 0, release_waiter);
}

int tact_cond_broadcast(tact_cond_t cond)
{
	NUC_CALL(struct nuc_plain_call, args, broadcast_run, NUC_TYPE_COND, cond.id, NUC_CALL_CAST);

	return nuc_call(&args.call);
}

static void fill(struct nuc_cpu *cpu, const struct nuc_object *object, void *to)
{
	const struct cond *cond = base_container_of(object, const struct cond, object);
	struct tact_cond_info *info = to;

	(void)cpu;
	info->waiters = cond->waiters.count;
	info->mutex.id = info->waiters ? cond->mutex : 0;
}

int tact_cond_inquire(tact_cond_t cond, struct tact_cond_info *info)
{
	return nuc_inquire(cond.id, NUC_TYPE_COND, info, sizeof(*info), fill);
}
