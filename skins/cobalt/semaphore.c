/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores: those with flags of Cobalt (sem_native.h), and all others, which are the POSIX
 * skin's. */
#include "sem_native.h"

#include <pthread.h>

#include "spoilt.h"

static int result_of(int error)
{
	if (error >= 0)
		return 0;
	error = error == -TACT_EIDRM ? -TACT_EINVAL : cobalt_result(error);
	errno = -error;
	return -1;
}

int sem_init_np(sem_t *sem, int flags, unsigned int value)
{
	const int own = SEM_FIFO | SEM_PULSE | SEM_RAWCLOCK | SEM_NOBUSYDEL;

	if (!sem || flags & ~(own | SEM_PSHARED | SEM_REPORT | SEM_WARNDEL) ||
	    value > TACT_SEM_VALUE_MAX || (flags & SEM_PULSE && value))
		return result_of(-TACT_EINVAL);
	if (flags & own)
		return result_of(sem_native_make((struct sem_native *)(void *)sem, flags, value));
	return __wrap_sem_init(sem, flags & SEM_PSHARED ? 1 : 0, value);
}

int __wrap_sem_init(sem_t *sem, int pshared, unsigned int value)
{
	((struct sem_native *)(void *)sem)->magic = 0;
	return sem_init(sem, pshared, value);
}

int __wrap_sem_destroy(sem_t *sem)
{
	struct sem_native *native = sem_native_of(sem);

	if (native)
		return result_of(sem_native_destroy(native));
	return cobalt_sem_is_spoilt(sem) ? result_of(-TACT_EINVAL) : sem_destroy(sem);
}

int __wrap_sem_post(sem_t *sem)
{
	const struct sem_native *native = sem_native_of(sem);

	return native ? result_of(sem_native_post(native)) : sem_post(sem);
}

int __wrap_sem_trywait(sem_t *sem)
{
	const struct sem_native *native = sem_native_of(sem);

	return native ? result_of(sem_native_wait(native, TACT_NOWAIT)) : sem_trywait(sem);
}

int __wrap_sem_wait(sem_t *sem)
{
	const struct sem_native *native = sem_native_of(sem);

	return native ? result_of(sem_native_wait(native, TACT_FOREVER)) : sem_wait(sem);
}

/* Cobalt reads the date only if there is no unit to take. */
static int take_without_date(sem_t *sem)
{
	if (!__wrap_sem_trywait(sem))
		return 0;
	if (errno == EAGAIN)
		errno = EFAULT;
	return -1;
}

int __wrap_sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *until)
{
	const struct sem_native *native = sem_native_of(sem);
	struct timespec date;

	if (!posix_safe_copy(&date, until, sizeof(date)))
		return take_without_date(sem);
	if (!native)
		return sem_clockwait(sem, clock, &date);
	if (!posix_clock_is_served(clock) || !posix_time_is_valid(&date))
		return result_of(-TACT_EINVAL);
	return result_of(sem_native_wait(native, posix_instant(clock, &date)));
}

int __wrap_sem_timedwait(sem_t *sem, const struct timespec *until)
{
	const struct sem_native *native = sem_native_of(sem);
	struct timespec date;

	if (!native)
		return posix_safe_copy(&date, until, sizeof(date)) ? sem_timedwait(sem, &date)
								   : take_without_date(sem);
	return __wrap_sem_clockwait(
		sem, native->flags & SEM_RAWCLOCK ? CLOCK_MONOTONIC : CLOCK_REALTIME, until);
}

int __wrap_sem_getvalue(sem_t *sem, int *value)
{
	const struct sem_native *native = sem_native_of(sem);
	struct cobalt_sem_info info;

	if (!native)
		return sem_getvalue(sem, value);
	if (result_of(sem_native_inquire(native, &info, NULL, 0)))
		return -1;
	*value = (int)info.value;
	return 0;
}

struct waiters {
	const sem_t *sem;
	pid_t *list;
	size_t room;
	int count;
};

/* A task that waits for a semaphore of the C library waits by its waiter. */
static bool note_waiter(const struct posix_thread *thread, void *arg)
{
	struct waiters *waiters = arg;
	const struct posix_waiter *waiter = &posix_waiters[thread->wait.waiter];
	struct tact_task_info info = {0};

	if (tact_task_inquire(thread->task, &info) || info.waits_for.id != waiter->parking.id ||
	    atomic_load_explicit(&waiter->address, memory_order_relaxed) != (uintptr_t)waiters->sem)
		return false;
	if ((size_t)waiters->count < waiters->room)
		waiters->list[waiters->count] = thread->tid;
	waiters->count++;
	return false;
}

/* Count the tasks and Linux threads that wait for a semaphore of the C library. */
static int count_waiters(sem_t *sem, struct waiters *waiters)
{
	*waiters = (struct waiters){sem, waiters->list, waiters->room, 0};
	cobalt_each_task(note_waiter, waiters);
	return waiters->count + (int)(atomic_load((_Atomic uint64_t *)(void *)sem) >> 32);
}

int sem_broadcast_np(sem_t *sem)
{
	struct waiters waiters = {.list = NULL};
	const struct sem_native *native;

	if (!sem)
		return result_of(-TACT_EINVAL);
	native = sem_native_of(sem);
	if (native)
		return result_of(sem_native_broadcast(native));
	for (int count = count_waiters(sem, &waiters); count > 0; count--)
		if (sem_post(sem))
			return -1;
	return 0;
}

int cobalt_sem_inquire(sem_t *sem, struct cobalt_sem_info *info, pid_t *waitlist, size_t waitsz)
{
	struct waiters waiters = {.list = waitlist, .room = waitlist ? waitsz / sizeof(pid_t) : 0};
	const struct sem_native *native;
	int value;
	int count;

	if (!sem)
		return -EINVAL;
	native = sem_native_of(sem);
	if (native)
		return sem_native_inquire(native, info, waitlist, waitsz);
	if (sem_getvalue(sem, &value))
		return -errno;
	count = count_waiters(sem, &waiters);
	if (info)
		*info = (struct cobalt_sem_info){(uint32_t)value,
						 posix_sem_is_shared(sem) ? SEM_PSHARED : 0, count};
	return (size_t)waiters.count < waiters.room ? waiters.count : (int)waiters.room;
}
