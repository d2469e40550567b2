/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The life of tasks: creation, start, deletion, joins. What a task does before its entry and after
 * it, and what is left of a task that ends otherwise, is the runtime's.
 */
#include "alchemy_task.h"
#include "remote.h"
#include "warn.h"

#define STACK_MIN_BYTES (64 * 1024)

const struct tact_sched_param *alchemy_task_class(int prio)
{
	static const struct tact_sched_param fifo = {.sched_class = TACT_SCHED_FIFO};
	static const struct tact_sched_param weak = {.sched_class = TACT_SCHED_WEAK};

	return prio ? &fifo : &weak;
}

uint32_t alchemy_task_priority(int prio)
{
	return prio ? (uint32_t)prio : TACT_PRIORITY_MIN;
}

/* The checks that creation and shadowing have in common. */
static bool bad_request(int prio, int mode, int modes)
{
	return mode & ~modes || prio < T_LOPRIO || prio > T_HIPRIO;
}

static struct tact_task_attr attr_of(int prio, int mode)
{
	return (struct tact_task_attr){
		.flags = (mode & T_JOINABLE ? 0 : TACT_TASK_NO_JOIN) |
			 (mode & T_WARNSW ? SKIN_WARN : 0),
		.priority = alchemy_task_priority(prio),
		.sched = alchemy_task_class(prio),
	};
}

/* A record with its port. Returns 0, or what the service returns. */
static int prepare(const char *name, int mode, struct runtime_record **object)
{
	struct alchemy_task *task;
	int error;

	runtime_task_sweep(&alchemy_records);
	*object = runtime_reserve(&alchemy_records, ALCHEMY_TASK, name);
	if (!*object)
		return -ENOMEM;
	task = alchemy_task_of(*object);
	task->mode = mode;
	task->life.joinable = mode & T_JOINABLE;
	error = alchemy_announce(*object, name);
	if (!error)
		error = tact_port_create(NULL, TACT_PRIO | TACT_PORT_FIXED, &task->port);
	task->life.ends_too = tact_object(task->port);
	if (error)
		runtime_drop(*object);
	return alchemy_result(error);
}

static void undo(struct runtime_record *object)
{
	(void)tact_port_delete(alchemy_task_of(object)->port);
	runtime_drop(object);
}

/* The native task exists. */
static int publish(struct runtime_record *object, tact_task_t native, RT_TASK *task)
{
	struct alchemy_task *own = alchemy_task_of(object);
	int error;

	own->self.handle = runtime_id(object);
	error = runtime_task_publish(object, native);
	if (!error && task)
		*task = own->self;
	return alchemy_result(error);
}

int rt_task_create(RT_TASK *task, const char *name, int stksize, int prio, int mode)
{
	char key[TACT_NAME_BYTES];
	struct tact_task_attr attr = attr_of(prio, mode);
	struct runtime_record *object;
	tact_task_t native;
	int error = alchemy_begin();

	if (error)
		return error;
	if (alchemy_bad_pointer(task) || bad_request(prio, mode, T_LOCK | T_WARNSW | T_JOINABLE) ||
	    stksize < 0)
		return -EINVAL;
	attr.stack_bytes = (size_t)(stksize < STACK_MIN_BYTES ? STACK_MIN_BYTES : stksize);
	error = prepare(name, mode, &object);
	if (error)
		return error;
	attr.name = runtime_key(NULL, object->name, key);
	error = runtime_task_create(&attr, &native);
	if (error) {
		undo(object);
		return alchemy_result(error);
	}
	error = publish(object, native, task);
	if (error) {
		(void)tact_task_delete(native);
		undo(object);
	}
	return error;
}

void alchemy_task_begins(struct runtime_record *object)
{
	if (alchemy_task_of(object)->mode & T_LOCK)
		(void)tact_task_lock_scheduler();
}

/* The name is withdrawn in Linux; this mode switch is not the program's. */
void alchemy_task_ends(void)
{
	(void)tact_task_set_flags(TACT_SELF, 0, SKIN_WARN);
}

int rt_task_start(RT_TASK *task, void (*entry)(void *arg), void *arg)
{
	struct runtime_record *object;
	struct tact_task_info info = {0};
	int error;

	if (!task || !entry || alchemy_task_find(task, &object))
		return -EINVAL;
	error = tact_task_inquire(alchemy_task(object), &info);
	if (error)
		return alchemy_task_result(error);
	if (!(info.state & TACT_TASK_STATE_DORMANT))
		return 0;
	error = runtime_task_start(object, entry, arg);
	runtime_let_makers_go_first();
	return error == -TACT_EBUSY ? 0 : alchemy_task_result(error);
}

int rt_task_spawn(RT_TASK *task, const char *name, int stksize, int prio, int mode,
		  void (*entry)(void *arg), void *arg)
{
	int error = entry ? rt_task_create(task, name, stksize, prio, mode) : -EINVAL;

	return error ? error : rt_task_start(task, entry, arg);
}

int rt_task_shadow(RT_TASK *task, const char *name, int prio, int mode)
{
	char key[TACT_NAME_BYTES];
	struct tact_task_attr attr = attr_of(prio, mode);
	struct runtime_record *object;
	tact_task_t native;
	int error = alchemy_begin();

	if (error)
		return error;
	if (bad_request(prio, mode, T_LOCK | T_WARNSW))
		return -EINVAL;
	if (alchemy_task_current())
		return -EBUSY;
	error = prepare(name, mode, &object);
	if (error)
		return error;
	attr.name = runtime_key(NULL, object->name, key);
	/* Done now, as it may need Linux. */
	error = runtime_task_end_with_thread(&alchemy_records, runtime_id(object));
	if (error)
		goto drop_record;
	error = runtime_attach(&attr, &native);
	if (error)
		goto forget_end;
	alchemy_task_of(object)->self.thread = pthread_self();
	error = publish(object, native, task);
	if (error)
		goto detach;
	if (mode & T_LOCK)
		(void)tact_task_lock_scheduler();
	return 0;
detach:
	(void)tact_task_detach();
forget_end:
	(void)runtime_task_end_with_thread(&alchemy_records, 0);
drop_record:
	undo(object);
	return alchemy_result(error);
}

int rt_task_delete(RT_TASK *task)
{
	struct runtime_record *object;
	uintptr_t handle;
	tact_task_t native;
	int error;

	if (runtime_in_handler())
		return -EPERM;
	error = alchemy_task_find(task, &object);
	if (error)
		return task && error == -EINVAL ? alchemy_remote_delete(task, ALCHEMY_TASK) : error;
	handle = alchemy_task_of(object)->self.handle;
	native = alchemy_task(object);
	runtime_task_end(&alchemy_records, handle);
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
	struct runtime_record *object;
	int error;

	if (runtime_in_handler())
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
	return runtime_task_joined(&alchemy_records, task->handle) ? 0 : -ESRCH;
}

int rt_task_bind(RT_TASK *task, const char *name, RTIME timeout)
{
	int error = alchemy_bind(ALCHEMY_TASK, task, name, timeout);

	if (!error)
		task->thread = 0;
	return error;
}

int rt_task_unbind(RT_TASK *task)
{
	return alchemy_unbind(task);
}
