/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Conditions, which are binary semaphores of count 0. No other task runs between the unlock of the
 * resource semaphore and the wait, so no signal is missed.
 */
#include "rtai_sem_internal.h"

CND *rt_cond_init(unsigned long name)
{
	return rt_typed_sem_init(name, 0, BIN_SEM | PRIO_Q);
}

int rt_cond_delete(CND *cnd)
{
	return rt_sem_delete(cnd);
}

int rt_cond_destroy(CND *cnd)
{
	return rt_sem_delete(cnd);
}

int rt_cond_broadcast(CND *cnd)
{
	return rt_sem_broadcast(cnd);
}

int rt_cond_signal(CND *cnd)
{
	const struct runtime_record *record = rtai_find(cnd, RTAI_SEM);
	int error = 0;

	if (!record)
		return RTE_OBJINV;
	if (rtai_sem_is_resource(record))
		return RTE_PERM;
	rtai_hold();
	if (rtai_waiters(record))
		error = tact_sem_post(rtai_native_sem(record));
	rtai_let_go();
	return rtai_result_now(error);
}

/* Returns how often it was locked; 0: the caller does not own it. */
static uint32_t unlock_all(tact_mutex_t mutex)
{
	struct tact_mutex_info info = {0};
	const tact_task_t self = tact_task_self();

	if (tact_mutex_inquire(mutex, &info) || !self.id || !tact_same(info.owner, self))
		return 0;
	for (uint32_t i = 0; i < info.depth; i++)
		(void)tact_mutex_unlock(mutex);
	return info.depth;
}

static int lock_again(tact_mutex_t mutex, uint32_t depth)
{
	int error = 0;

	for (uint32_t i = 0; i < depth && !error; i++) {
		do
			error = tact_mutex_lock(mutex, TACT_FOREVER);
		while (error == -TACT_EINTR || error == -TACT_ECANCELED);
		if (error == -TACT_EOWNERDEAD)
			error = tact_mutex_consistent(mutex);
	}
	return error;
}

static int wait_for(CND *cnd, SEM *mutex, tact_timeout_t timeout)
{
	const struct runtime_record *record = rtai_find(cnd, RTAI_SEM);
	const struct runtime_record *lock = rtai_find(mutex, RTAI_SEM);
	const bool timed = timeout.kind != TACT_TIMEOUT_FOREVER;
	struct runtime_record *self;
	uint32_t depth;
	int error;
	int again;

	if (!record || !lock)
		return RTE_OBJINV;
	if (rtai_sem_is_resource(record) || !rtai_sem_is_resource(lock))
		return RTE_PERM;
	rtai_hold();
	depth = unlock_all(rtai_native_mutex(lock));
	if (!depth) {
		rtai_let_go();
		return RTE_PERM;
	}
	self = rtai_waits(RT_SCHED_SEMAPHORE | (timed ? RT_SCHED_DELAYED : 0));
	error = tact_sem_wait(rtai_native_sem(record), timeout);
	rtai_waited(self);
	rtai_let_go();
	again = lock_again(rtai_native_mutex(lock), depth);
	if (self && !again) {
		rtai_sem_of(lock)->owner = rtai_task_of(self)->self;
		rtai_sem_of(lock)->depth = (int)depth;
	}
	return rtai_result(error ? error : again);
}

RTAI_TIMED(int, rt_cond_wait, wait_for, (cnd, mutex), CND *cnd, SEM *mutex)

int rt_cond_timedwait(CND *cnd, SEM *mutex, RTIME time)
{
	return rt_cond_wait_until(cnd, mutex, time);
}
