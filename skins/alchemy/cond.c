/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Conditions: those of the nucleus, in order of priority. */
#include <alchemy/cond.h>

#include <string.h>

#include "remote.h"
#include "alchemy_task.h"

static int make(struct runtime_record *object, const char *key, const void *how,
		tact_object_t *native)
{
	tact_cond_t made = {0};
	int error = tact_cond_create(key, TACT_PRIO, &made);

	(void)object;
	(void)how;
	*native = tact_object(made);
	return error;
}

int rt_cond_create(RT_COND *cond, const char *name)
{
	return alchemy_create(true, ALCHEMY_COND, name, make, NULL, cond);
}

int rt_cond_delete(RT_COND *cond)
{
	const struct runtime_record *object;
	struct tact_cond_info info = {0};

	if (runtime_in_handler())
		return -EPERM;
	object = alchemy_find(cond, ALCHEMY_COND);
	if (!object)
		return alchemy_remote_delete(cond, ALCHEMY_COND);
	if (tact_cond_inquire(alchemy_cond(object), &info))
		return -EINVAL;
	/* A task that begins to wait between this and the deletion gets -EIDRM. */
	if (info.waiters)
		return -EBUSY;
	return alchemy_delete(ALCHEMY_COND, cond);
}

int rt_cond_signal(RT_COND *cond)
{
	const struct runtime_record *object = alchemy_find(cond, ALCHEMY_COND);

	if (!object)
		return alchemy_remote_plain(cond, REMOTE_COND_SIGNAL);
	return alchemy_result(tact_cond_signal(alchemy_cond(object)));
}

int rt_cond_broadcast(RT_COND *cond)
{
	const struct runtime_record *object = alchemy_find(cond, ALCHEMY_COND);

	if (!object)
		return alchemy_remote_plain(cond, REMOTE_COND_BROADCAST);
	return alchemy_done(tact_cond_broadcast(alchemy_cond(object)));
}

/* The condition and the mutex must be of one process. */
static int wait_remote(const RT_COND *cond, const RT_MUTEX *mutex, tact_timeout_t timeout)
{
	struct session_call call = {.timeout = timeout, .once = true};
	struct alchemy_proxy proxy;
	struct alchemy_proxy lock;

	if (!alchemy_proxy_read(cond, ALCHEMY_COND, &proxy) ||
	    !alchemy_proxy_read(mutex, ALCHEMY_MUTEX, &lock) || proxy.owner != lock.owner)
		return -EINVAL;
	if (runtime_in_handler() || !tact_task_self().id)
		return -EPERM;
	call.value[0] = lock.object;
	return (int)alchemy_remote(cond, REMOTE_COND_WAIT, &call);
}

static int wait_signal(const RT_COND *cond, const RT_MUTEX *mutex, tact_timeout_t timeout)
{
	const struct runtime_record *object = alchemy_find(cond, ALCHEMY_COND);
	const struct runtime_record *lock = alchemy_find(mutex, ALCHEMY_MUTEX);

	if (!object || !lock)
		return wait_remote(cond, mutex, timeout);
	if (runtime_in_handler())
		return -EPERM;
	if (timeout.kind == TACT_TIMEOUT_NOWAIT)
		return -EWOULDBLOCK;
	return alchemy_owned(tact_cond_wait(alchemy_cond(object), alchemy_mutex(lock), timeout),
			     alchemy_mutex(lock));
}

ALCHEMY_TIMED(int, rt_cond_wait, wait_signal, (cond, mutex), RT_COND *cond, RT_MUTEX *mutex)

int rt_cond_inquire(RT_COND *cond, RT_COND_INFO *info)
{
	const struct runtime_record *object = alchemy_find(cond, ALCHEMY_COND);

	if (!object)
		return alchemy_remote_query(cond, ALCHEMY_COND, info, sizeof(*info));
	if (info)
		memcpy(info->name, object->name, sizeof(info->name));
	return 0;
}

ALCHEMY_BOUND(cond, ALCHEMY_COND, RT_COND)
