/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Semaphores of three kinds. Counting and binary ones are semaphores of the nucleus, resource
 * semaphores are its mutexes.
 */
#include <limits.h>

#include <tactus/skin.h>

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
	struct rtai_sem *sem = rtai_sem_of(record);
	struct runtime_record *self = rtai_self();
	int error;

	/* Only the owner finds itself here; from the unlock on there may be another one. */
	if (self && sem->owner == rtai_task_of(self)->self && !--sem->depth)
		sem->owner = NULL;
	error = tact_mutex_unlock(rtai_native_mutex(record));
	if (!error)
		rtai_owns_less();
	return rtai_result_now(error);
}

/* Not inline, as what follows: the usual case has few registers to save. */
static __attribute__((noinline)) int signal_resource(const struct runtime_record *record)
{
	const int error = give_back(record);

	rtai_changed();
	return error;
}

static __attribute__((noinline)) int signal_result(int error)
{
	/* A binary semaphore that has its unit. */
	return error == -TACT_EOVERFLOW ? 0 : rtai_result_now(error);
}

int rt_sem_signal(SEM *sem)
{
	const struct runtime_record *record = rtai_find(sem, RTAI_SEM);
	int error;

	if (__builtin_expect(!record, 0))
		return RTE_OBJINV;
	if (rtai_sem_is_resource(record))
		return signal_resource(record);
	error = tact_sem_post(rtai_native_sem(record));
	rtai_changed();
	return __builtin_expect(error, 0) ? signal_result(error) : 0;
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

/* Returns how often the caller owns it. A plain task of the nucleus has no record. */
static int count_lock(struct rtai_sem *sem, struct runtime_record *self, tact_mutex_t mutex)
{
	struct tact_mutex_info info = {0};

	if (!self)
		return tact_mutex_inquire(mutex, &info) ? 1 : (int)info.depth;
	atomic_fetch_add(&rtai_task_of(self)->owned, 1);
	if (sem->owner != rtai_task_of(self)->self)
		sem->depth = 0;
	sem->owner = rtai_task_of(self)->self;
	return ++sem->depth;
}

static inline struct runtime_record *begin_wait(tact_timeout_t timeout)
{
	const bool timed = timeout.kind != TACT_TIMEOUT_FOREVER;

	return rtai_waits(RT_SCHED_SEMAPHORE | (timed ? RT_SCHED_DELAYED : 0));
}

/* count: receives how often the caller owns it. */
static int lock(const struct runtime_record *record, tact_timeout_t timeout, int *count)
{
	const tact_mutex_t mutex = rtai_native_mutex(record);
	struct runtime_record *self = begin_wait(timeout);
	int error;

	if (!self)
		timeout = rtai_as_caller(timeout);
	error = tact_mutex_lock(mutex, timeout);
	rtai_waited(self);
	/* A dead owner has left it, which is in order for all that the skin knows. */
	if (error == -TACT_EOWNERDEAD) {
		(void)tact_mutex_consistent(mutex);
		error = 0;
	}
	*count = error ? 0 : count_lock(rtai_sem_of(record), self, mutex);
	return error;
}

/* count: receives what it was before, or after a wait, and with -TACT_EAGAIN. */
static inline int take(const struct runtime_record *record, tact_timeout_t timeout, int *count)
{
	struct runtime_record *self = begin_wait(timeout);
	int error;

	if (!self)
		timeout = rtai_as_caller(timeout);
	error = tact_sem_wait_units(rtai_native_sem(record), timeout, count);
	rtai_waited(self);
	return error;
}

static int take_any(const struct runtime_record *record, tact_timeout_t timeout, int *count)
{
	return rtai_sem_is_resource(record) ? lock(record, timeout, count)
					    : take(record, timeout, count);
}

static __attribute__((noinline)) int wait_result(int error)
{
	return error == -TACT_EAGAIN ? RTE_PERM : rtai_result(error);
}

static __attribute__((noinline)) int wait_for_resource(const struct runtime_record *record,
						       tact_timeout_t timeout)
{
	int count = 0;
	const int error = lock(record, timeout, &count);

	return error ? wait_result(error) : count;
}

static inline int wait_for(SEM *sem, tact_timeout_t timeout)
{
	const struct runtime_record *record = rtai_find(sem, RTAI_SEM);
	int count;
	int error;

	if (__builtin_expect(!record, 0))
		return RTE_OBJINV;
	if (rtai_sem_is_resource(record))
		return wait_for_resource(record, timeout);
	error = take(record, timeout, &count);
	return __builtin_expect(error, 0) ? wait_result(error) : count;
}

RTAI_TIMED(int, rt_sem_wait, wait_for, (sem), SEM *sem)

int rt_sem_wait_if(SEM *sem)
{
	const struct runtime_record *record = rtai_find(sem, RTAI_SEM);
	int count = 0;
	int error;

	if (!record)
		return RTE_OBJINV;
	error = take_any(record, TACT_NOWAIT, &count);
	if (error == -TACT_EAGAIN)
		return count ? count : rtai_waiters(record);
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
		error = take(record, TACT_FOREVER, &count);
		rtai_let_go();
		return error == -TACT_EAGAIN ? RTE_PERM : error ? rtai_result(error) : -1;
	}
	if (!error)
		error = tact_sem_broadcast(rtai_native_sem(record));
	rtai_let_go();
	return error < 0 ? rtai_result_now(error) : 0;
}
