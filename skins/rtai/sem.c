/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Semaphores of three kinds. Counting and binary ones are semaphores of the nucleus, resource
 * semaphores are its mutexes.
 */
#include <limits.h>

#include <rtai_sem.h>

#include "rtai_sem_internal.h"

struct plan {
	int value;
	int type;
};

static int make_resource(struct runtime_record *record, const char *key, tact_object_t *native)
{
	struct rtai_sem *sem = runtime_extra(record);
	const bool recursive = sem->resource > 0;
	tact_mutex_t made = {0};
	int error = tact_mutex_create(key, TACT_PRIO | (recursive ? TACT_MUTEX_RECURSIVE : 0), 0,
				      &made);

	*native = tact_object(made);
	return error;
}

static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	const struct plan *plan = how;
	struct rtai_sem *sem = runtime_extra(record);
	tact_sem_t made = {0};
	uint32_t value = (uint32_t)plan->value;
	uint32_t maximum = TACT_SEM_VALUE_MAX;
	int error;

	sem->kind = plan->type & RES_SEM;
	sem->resource = plan->value;
	if (sem->kind == RES_SEM)
		return make_resource(record, key, native);
	if (sem->kind == BIN_SEM) {
		maximum = 1;
		value = value > 1 ? 1 : value;
	}
	sem->barrier = value;
	error = tact_sem_create(key, value, maximum, plan->type & FIFO_Q ? TACT_FIFO : TACT_PRIO,
				&made);
	*native = tact_object(made);
	return error;
}

static bool valid(const struct plan *plan)
{
	const int kind = plan->type & RES_SEM;

	return kind && !(plan->type & ~(RES_SEM | FIFO_Q)) && (kind == RES_SEM || plan->value >= 0);
}

SEM *rt_typed_sem_init(unsigned long name, int value, int type)
{
	const struct plan plan = {value, type};

	return valid(&plan) ? rtai_create(RTAI_SEM, name, make, &plan) : NULL;
}

SEM *rt_sem_init(unsigned long name, int value)
{
	return rt_typed_sem_init(name, value, CNT_SEM);
}

SEM *rt_typed_named_sem_init(const char *name, int value, int type)
{
	const struct plan plan = {value, type};

	return valid(&plan) ? rtai_create_shared(RTAI_SEM, nam2num(name), make, &plan) : NULL;
}

SEM *rt_named_sem_init(const char *sem_name, int value)
{
	return rt_typed_named_sem_init(sem_name, value, CNT_SEM);
}

/* RTAI returns the entry of the registry, which is above 0. */
static int erase(void *pointer)
{
	struct runtime_record *record = rtai_take(pointer, RTAI_SEM);

	if (!record)
		return -EFAULT;
	(void)tact_delete(runtime_native(record));
	rtai_changed();
	runtime_drop(record);
	return 1;
}

int rt_sem_delete(SEM *sem)
{
	return erase(sem);
}

int rt_named_sem_delete(SEM *sem)
{
	return rtai_release_shared(sem, RTAI_SEM, erase);
}

int rtai_waiters(const struct runtime_record *record)
{
	struct tact_mutex_info mutex = {0};
	struct tact_sem_info sem = {0};

	if (!record)
		return 0;
	if (rtai_sem_is_resource(record))
		return tact_mutex_inquire(rtai_native_mutex(record), &mutex) ? 0
									     : -(int)mutex.waiters;
	return tact_sem_inquire(rtai_native_sem(record), &sem) ? 0 : -(int)sem.waiters;
}

int rtai_units(const struct runtime_record *record)
{
	struct tact_mutex_info mutex = {0};
	struct tact_sem_info sem = {0};

	if (rtai_sem_is_resource(record))
		return !tact_mutex_inquire(rtai_native_mutex(record), &mutex) && !mutex.owner.id;
	return tact_sem_inquire(rtai_native_sem(record), &sem) ? 0 : (int)sem.value;
}

int rt_sem_count(SEM *sem)
{
	const struct runtime_record *record = rtai_find(sem, RTAI_SEM);

	int units;

	if (!record)
		return RTE_OBJINV;
	units = rtai_units(record);
	return units ? units : rtai_waiters(record);
}

static int give_back(const struct runtime_record *record)
{
	int error = tact_mutex_unlock(rtai_native_mutex(record));

	if (!error)
		rtai_owns_less();
	return rtai_result_now(error);
}

int rt_sem_signal(SEM *sem)
{
	const struct runtime_record *record = rtai_find(sem, RTAI_SEM);
	int error;

	if (!record)
		return RTE_OBJINV;
	error = rtai_sem_is_resource(record) ? give_back(record)
					     : tact_sem_post(rtai_native_sem(record));
	rtai_changed();
	/* A binary semaphore that has its unit. */
	return error == -TACT_EOVERFLOW ? 0 : rtai_result_now(error);
}

int rt_sem_broadcast(SEM *sem)
{
	const struct runtime_record *record = rtai_find(sem, RTAI_SEM);
	int error;

	if (!record)
		return RTE_OBJINV;
	if (rtai_sem_is_resource(record))
		return RTE_PERM;
	rtai_hold();
	error = tact_sem_broadcast(rtai_native_sem(record));
	if (error >= 0)
		(void)tact_sem_reset(rtai_native_sem(record), 0);
	rtai_let_go();
	return error < 0 ? rtai_result_now(error) : 0;
}

/* A dead owner has left a lock, which is in order for all that the skin knows. */
static int locked(int error, tact_mutex_t mutex)
{
	if (error == -TACT_EOWNERDEAD) {
		(void)tact_mutex_consistent(mutex);
		error = 0;
	}
	if (!error)
		rtai_owns();
	return error;
}

static int depth_of(tact_mutex_t mutex)
{
	struct tact_mutex_info info = {0};

	return tact_mutex_inquire(mutex, &info) ? 1 : (int)info.depth;
}

static struct runtime_record *begin_wait(tact_timeout_t timeout)
{
	const bool timed = timeout.kind != TACT_TIMEOUT_FOREVER;

	return rtai_waits(RT_SCHED_SEMAPHORE | (timed ? RT_SCHED_DELAYED : 0));
}

/* count: receives how often the caller owns it. */
static int lock(const struct runtime_record *record, tact_timeout_t timeout, int *count)
{
	const tact_mutex_t mutex = rtai_native_mutex(record);
	struct runtime_record *self;
	int error = locked(tact_mutex_lock(mutex, TACT_NOWAIT), mutex);

	if (error == -TACT_EAGAIN && timeout.kind != TACT_TIMEOUT_NOWAIT) {
		self = begin_wait(timeout);
		error = locked(tact_mutex_lock(mutex, timeout), mutex);
		rtai_waited(self);
	}
	*count = error ? 0 : depth_of(mutex);
	return error;
}

/* count: receives what it was before. Nobody comes between, unless it is a handler. */
static int take_now(const struct runtime_record *record, int *count)
{
	struct tact_sem_info info = {0};
	int error;

	rtai_hold();
	error = tact_sem_inquire(rtai_native_sem(record), &info);
	if (!error)
		error = tact_sem_wait(rtai_native_sem(record), TACT_NOWAIT);
	rtai_let_go();
	*count = info.value ? (int)info.value : 1;
	return error;
}

static int take(const struct runtime_record *record, tact_timeout_t timeout, int *count)
{
	struct runtime_record *self;
	int error = take_now(record, count);

	if (error != -TACT_EAGAIN || timeout.kind == TACT_TIMEOUT_NOWAIT)
		return error;
	self = begin_wait(timeout);
	error = tact_sem_wait(rtai_native_sem(record), timeout);
	rtai_waited(self);
	if (!error)
		*count = rtai_waiters(record);
	return error;
}

static int take_any(SEM *sem, tact_timeout_t timeout, int *count)
{
	const struct runtime_record *record = rtai_find(sem, RTAI_SEM);

	if (!record)
		return -TACT_EBADF;
	return rtai_sem_is_resource(record) ? lock(record, timeout, count)
					    : take(record, timeout, count);
}

static int wait_for(SEM *sem, tact_timeout_t timeout)
{
	const tact_timeout_t allowed = rtai_as_caller(timeout);
	int count = 0;
	int error = take_any(sem, allowed, &count);

	if (error == -TACT_EAGAIN)
		return RTE_PERM;
	return error ? rtai_result(error) : count;
}

RTAI_TIMED(int, rt_sem_wait, wait_for, (sem), SEM *sem)

int rt_sem_wait_if(SEM *sem)
{
	int count = 0;
	int error = take_any(sem, TACT_NOWAIT, &count);

	if (error == -TACT_EAGAIN)
		return rtai_waiters(rtai_find(sem, RTAI_SEM));
	return error ? rtai_result_now(error) : count;
}

/* The first arrival makes the count the number of callers that the barrier is for. */
static void become_barrier(const struct runtime_record *record, struct rtai_sem *sem)
{
	if (sem->is_barrier)
		return;
	sem->is_barrier = true;
	sem->barrier = sem->barrier ? sem->barrier : 1;
	(void)tact_sem_reset(rtai_native_sem(record), 0);
}

int rt_sem_wait_barrier(SEM *sem)
{
	struct runtime_record *record = rtai_find(sem, RTAI_SEM);
	struct tact_sem_info info = {0};
	int count;
	int error;

	if (!record)
		return RTE_OBJINV;
	if (rtai_sem_is_resource(record))
		return RTE_PERM;
	rtai_hold();
	become_barrier(record, runtime_extra(record));
	error = tact_sem_inquire(rtai_native_sem(record), &info);
	if (!error && info.waiters + 1 < rtai_sem_of(record)->barrier) {
		error = take(record, rtai_as_caller(TACT_FOREVER), &count);
		rtai_let_go();
		return error == -TACT_EAGAIN ? RTE_PERM : error ? rtai_result(error) : -1;
	}
	if (!error)
		error = tact_sem_broadcast(rtai_native_sem(record));
	rtai_let_go();
	return error < 0 ? rtai_result_now(error) : 0;
}
