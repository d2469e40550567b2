/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ends of tasks: by return or by rt_task_delete(), and joins. The record of a task that ended
 * otherwise (by a fault, or by the end of a shadowed thread) is freed when its Linux thread ends.
 * If the task has no thread of its own, it is freed when other tasks are created.
 */
#include "alchemy_task.h"
#include "remote.h"
#include "warn.h"

#define SWEEP_EACH 32u
/* Rounds of destructors of thread-local data. In the first round the program's destructors may
 * still use the task. The task of the nucleus ends in a later round. */
#define ROUNDS 2

static _Atomic uint32_t created;
static pthread_key_t ends;
static bool has_ends;

/* The record cannot be found any more. */
static void forget(struct alchemy_object *object)
{
	(void)tact_port_delete(alchemy_task_of(object)->port);
	alchemy_task_leave(alchemy_task(object));
	alchemy_drop(object);
}

static void sweep_one(struct alchemy_object *object)
{
	uintptr_t handle = atomic_load_explicit(&object->handle, memory_order_acquire);

	if (tact_task_inquire(alchemy_task(object), NULL) == -TACT_EIDRM &&
	    !(alchemy_task_of(object)->mode & T_JOINABLE) && alchemy_take(&handle, ALCHEMY_TASK))
		forget(object);
}

void alchemy_task_sweep(void)
{
	if (atomic_fetch_add_explicit(&created, 1, memory_order_relaxed) % SWEEP_EACH ==
	    SWEEP_EACH - 1)
		alchemy_each(ALCHEMY_TASK, sweep_one);
}

void alchemy_task_sweep_all(void)
{
	alchemy_each(ALCHEMY_TASK, sweep_one);
	alchemy_free_deferred();
}

void alchemy_task_end(uintptr_t handle)
{
	struct alchemy_object *object = alchemy_find(&handle, ALCHEMY_TASK);

	if (!object)
		return;
	if (alchemy_task_of(object)->mode & T_JOINABLE) {
		alchemy_task_leave(alchemy_task(object));
		(void)tact_port_delete(alchemy_task_of(object)->port);
		atomic_store_explicit(&alchemy_task_of(object)->over, 1, memory_order_release);
	} else if (alchemy_take(&handle, ALCHEMY_TASK)) {
		forget(object);
	}
}

/*
 * Tasks whose messages an ended task has not received are woken. The record of a joinable task is
 * kept for rt_task_join(), which may be freeing it at this moment: a port that was read from a
 * record that is stale meanwhile is not used.
 */
static void clear_remote(uintptr_t handle)
{
	struct alchemy_object *object = alchemy_find(&handle, ALCHEMY_TASK);
	tact_port_t port;

	if (!object)
		return;
	port = alchemy_task_of(object)->port;
	if (!(alchemy_task_of(object)->mode & T_JOINABLE))
		alchemy_task_end(handle);
	else if (alchemy_find(&handle, ALCHEMY_TASK))
		(void)tact_port_delete(port);
}

/* Runs in the thread of a task. The thread may still be the task. If the task returned from its
 * entry, the record is not found any more. */
static void thread_ends(void *arg)
{
	uintptr_t handle = (uintptr_t)arg;
	struct alchemy_object *object = alchemy_find(&handle, ALCHEMY_TASK);

	if (!object)
		return;
	if (object == alchemy_task_current()) {
		if (++alchemy_task_of(object)->rounds < ROUNDS && !pthread_setspecific(ends, arg))
			return;
		/* The name is withdrawn in Linux; this mode switch is not the program's. */
		(void)tact_task_set_flags(TACT_SELF, 0, SKIN_WARN);
	}
	clear_remote(handle);
}

__attribute__((constructor)) static void make_key(void)
{
	has_ends = !pthread_key_create(&ends, thread_ends);
}

int alchemy_task_end_with_thread(uintptr_t handle)
{
	return !has_ends || !pthread_setspecific(ends, (void *)handle) ? 0 : -ENOMEM;
}

int rt_task_delete(RT_TASK *task)
{
	struct alchemy_object *object;
	uintptr_t handle;
	tact_task_t native;
	int error;

	if (alchemy_in_handler())
		return -EPERM;
	error = alchemy_task_find(task, &object);
	if (error)
		return task && error == -EINVAL ? alchemy_remote_delete(task, ALCHEMY_TASK) : error;
	handle = alchemy_task_of(object)->self.handle;
	native = alchemy_task(object);
	alchemy_task_end(handle);
	if (native.id == tact_task_self().id)
		tact_task_exit();
	(void)tact_task_delete(native);
	/* A task that waits in another process may be in Linux. It has to return from there to
	 * end. */
	session_break(native);
	return 0;
}

int rt_task_join(RT_TASK *task)
{
	struct alchemy_object *object;
	int error;

	if (alchemy_in_handler())
		return -EPERM;
	if (alchemy_bad_pointer(task) || !task->handle)
		return -EINVAL;
	object = alchemy_find(task, ALCHEMY_TASK);
	if (!object)
		return alchemy_is_proxy(task, ALCHEMY_TASK) ? -EINVAL : -ESRCH;
	if (object == alchemy_task_current())
		return -EDEADLK;
	if (!(alchemy_task_of(object)->mode & T_JOINABLE))
		return -EINVAL;
	do
		error = tact_task_join(alchemy_task(object), TACT_FOREVER);
	while (error == -TACT_EINTR || error == -TACT_ECANCELED);
	/* -TACT_EIDRM: it was deleted while no task waited to join it. */
	if (error < 0 && error != -TACT_EIDRM)
		return error == -TACT_EDEADLK ? -EDEADLK : alchemy_task_result(error);
	object = alchemy_take(task, ALCHEMY_TASK);
	if (!object)
		return -ESRCH;
	/* After a fault the port and the entry of the task are still there. */
	if (!atomic_load_explicit(&alchemy_task_of(object)->over, memory_order_acquire))
		forget(object);
	else
		alchemy_drop(object);
	return 0;
}
