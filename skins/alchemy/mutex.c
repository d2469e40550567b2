/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mutexes: those of the nucleus, recursive, with inheritance, in order of priority. */
#include <alchemy/mutex.h>

#include <string.h>

#include "remote.h"
#include "alchemy_task.h"

static int make(struct runtime_record *object, const char *key, const void *how,
		tact_object_t *native)
{
	tact_mutex_t made = {0};
	int error = tact_mutex_create(key, TACT_PRIO | TACT_MUTEX_RECURSIVE, 0, &made);

	(void)object;
	(void)how;
	*native = tact_object(made);
	return error;
}

int rt_mutex_create(RT_MUTEX *mutex, const char *name)
{
	return alchemy_create(true, ALCHEMY_MUTEX, name, make, NULL, mutex);
}

int rt_mutex_delete(RT_MUTEX *mutex)
{
	const struct runtime_record *object;
	struct tact_mutex_info info = {0};

	if (runtime_in_handler())
		return -EPERM;
	object = alchemy_find(mutex, ALCHEMY_MUTEX);
	if (!object)
		return alchemy_remote_delete(mutex, ALCHEMY_MUTEX);
	if (tact_mutex_inquire(alchemy_mutex(object), &info))
		return -EINVAL;
	/* A task that acquires the mutex between this and the deletion gets -EIDRM. */
	if (info.owner.id)
		return -EBUSY;
	return alchemy_delete(ALCHEMY_MUTEX, mutex);
}

int alchemy_owned(int result, tact_mutex_t native)
{
	/* Alchemy has no call by which to report the repair. The mutex is made consistent at
	 * once. */
	if (result == -TACT_EOWNERDEAD)
		(void)tact_mutex_consistent(native);
	return alchemy_result(result);
}

/* The owner there is the task that serves this one. Only tasks may acquire a mutex, also a remote
 * one. */
static int acquire_remote(const RT_MUTEX *mutex, tact_timeout_t timeout)
{
	if (!alchemy_is_proxy(mutex, ALCHEMY_MUTEX))
		return -EINVAL;
	if (runtime_in_handler() || !tact_task_self().id)
		return -EPERM;
	return alchemy_remote_wait(mutex, REMOTE_MUTEX_ACQUIRE, timeout);
}

static int acquire(const RT_MUTEX *mutex, tact_timeout_t timeout)
{
	const struct runtime_record *object = alchemy_find(mutex, ALCHEMY_MUTEX);

	if (!object)
		return acquire_remote(mutex, timeout);
	if (runtime_in_handler())
		return -EPERM;
	return alchemy_owned(tact_mutex_lock(alchemy_mutex(object), timeout),
			     alchemy_mutex(object));
}

ALCHEMY_TIMED(int, rt_mutex_acquire, acquire, (mutex), RT_MUTEX *mutex)

int rt_mutex_release(RT_MUTEX *mutex)
{
	const struct runtime_record *object = alchemy_find(mutex, ALCHEMY_MUTEX);

	if (!object)
		return alchemy_remote_plain(mutex, REMOTE_MUTEX_RELEASE);
	return alchemy_result(tact_mutex_unlock(alchemy_mutex(object)));
}

/* The owner is a task of the other process, and has no descriptor here. */
static int inquire_remote(const RT_MUTEX *mutex, RT_MUTEX_INFO *info)
{
	int error = alchemy_remote_query(mutex, ALCHEMY_MUTEX, info, sizeof(*info));

	if (!error && info)
		info->owner = NO_ALCHEMY_TASK;
	return error;
}

int rt_mutex_inquire(RT_MUTEX *mutex, RT_MUTEX_INFO *info)
{
	const struct runtime_record *object;
	struct tact_mutex_info native = {0};
	int error;

	if (runtime_in_handler())
		return -EPERM;
	object = alchemy_find(mutex, ALCHEMY_MUTEX);
	if (!object)
		return inquire_remote(mutex, info);
	error = tact_mutex_inquire(alchemy_mutex(object), &native);
	if (error || !info)
		return alchemy_result(error);
	info->owner = alchemy_task_descriptor(native.owner);
	memcpy(info->name, object->name, sizeof(info->name));
	return 0;
}

ALCHEMY_BOUND(mutex, ALCHEMY_MUTEX, RT_MUTEX)
