/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores: those of the nucleus, with Alchemy's descriptors, names and errors. */
#include <alchemy/sem.h>

#include <string.h>

#include "remote.h"

struct how {
	uint32_t count;
	uint32_t flags;
};

static int make(struct runtime_record *object, const char *key, const void *how,
		tact_object_t *native)
{
	const struct how *sem = how;
	tact_sem_t made = {0};
	int error = tact_sem_create(key, sem->count, TACT_SEM_VALUE_MAX, sem->flags, &made);

	(void)object;
	*native = tact_object(made);
	return error;
}

int rt_sem_create(RT_SEM *sem, const char *name, unsigned long icount, int mode)
{
	struct how how = {
		(uint32_t)icount,
		(mode & S_PRIO ? TACT_PRIO : TACT_FIFO) | (mode & S_PULSE ? TACT_SEM_PULSE : 0),
	};
	bool valid = !(mode & ~(S_PRIO | S_PULSE)) && icount <= TACT_SEM_VALUE_MAX &&
		     !(mode & S_PULSE && icount);

	return alchemy_create(valid, ALCHEMY_SEM, name, make, &how, sem);
}

int rt_sem_delete(RT_SEM *sem)
{
	return alchemy_delete(ALCHEMY_SEM, sem);
}

/* All cases but the usual one, apart, so that the usual one saves few registers. */
__attribute__((noinline)) static int take_as(const RT_SEM *sem, tact_timeout_t timeout)
{
	const struct runtime_record *object = alchemy_find(sem, ALCHEMY_SEM);
	bool may_wait;

	if (!object)
		return alchemy_remote_wait(sem, REMOTE_SEM_P, timeout);
	timeout = runtime_wait_as(timeout, &may_wait);
	return alchemy_waited(tact_sem_wait(alchemy_sem(object), timeout), may_wait);
}

__attribute__((always_inline)) static inline int take_unit(const RT_SEM *sem,
							   tact_timeout_t timeout)
{
	const struct runtime_record *object = alchemy_find(sem, ALCHEMY_SEM);
	int result;

	if (!object || !runtime_waits_as_usual(timeout))
		return take_as(sem, timeout);
	result = tact_sem_wait(alchemy_sem(object), RUNTIME_FOREVER);
	return result == -TACT_EPERM ? take_as(sem, TACT_FOREVER) : alchemy_result(result);
}

ALCHEMY_TIMED(int, rt_sem_p, take_unit, (sem), RT_SEM *sem)

int rt_sem_v(RT_SEM *sem)
{
	const struct runtime_record *object = alchemy_find(sem, ALCHEMY_SEM);

	if (!object)
		return alchemy_remote_plain(sem, REMOTE_SEM_V);
	return alchemy_result(tact_sem_post(alchemy_sem(object)));
}

int rt_sem_broadcast(RT_SEM *sem)
{
	const struct runtime_record *object = alchemy_find(sem, ALCHEMY_SEM);

	if (!object)
		return alchemy_remote_plain(sem, REMOTE_SEM_BROADCAST);
	return alchemy_done(tact_sem_broadcast(alchemy_sem(object)));
}

int rt_sem_inquire(RT_SEM *sem, RT_SEM_INFO *info)
{
	const struct runtime_record *object = alchemy_find(sem, ALCHEMY_SEM);
	struct tact_sem_info native = {0};
	int error;

	if (!object)
		return alchemy_remote_query(sem, ALCHEMY_SEM, info, sizeof(*info));
	error = tact_sem_inquire(alchemy_sem(object), &native);
	if (error || !info)
		return alchemy_result(error);
	info->count = native.value;
	info->nwaiters = (int)native.waiters;
	memcpy(info->name, object->name, sizeof(info->name));
	return 0;
}

ALCHEMY_BOUND(sem, ALCHEMY_SEM, RT_SEM)
