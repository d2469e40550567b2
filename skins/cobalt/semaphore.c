/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Semaphores with flags that the C library's have no room for are the nucleus's; the handle lies in
 * the part of a sem_t that the C library does not use. All others are the POSIX skin's.
 */
#include "cobalt_internal.h"

#include <pthread.h>
#include <semaphore.h>

#include "posix/layout.h"
#include "posix/real.h"
#include "posix/seat.h"
#include "posix/wait.h"

#define MAGIC 0x7461637473656d31u

struct native {
	unsigned char of_libc[16];
	uint64_t magic;
	tact_sem_t handle;
	int32_t flags;
};
_Static_assert(sizeof(struct native) <= sizeof(sem_t), "fits beside what the C library uses");

static struct native *native_of(sem_t *sem)
{
	struct native *native = (struct native *)(void *)sem;

	return native->magic == MAGIC ? native : NULL;
}

static int result_of(int error)
{
	if (error >= 0)
		return 0;
	error = error == -TACT_EIDRM ? -TACT_EINVAL : cobalt_result(error);
	errno = -error;
	return -1;
}

static int make_native(sem_t *sem, int flags, unsigned int value)
{
	struct native *native = (struct native *)(void *)sem;
	uint32_t native_flags = (flags & SEM_FIFO ? TACT_FIFO : TACT_PRIO) |
				(flags & SEM_PULSE ? TACT_SEM_PULSE : 0);

	if (!posix_start())
		return result_of(-TACT_EPERM);
	if (result_of(tact_sem_create(NULL, value, TACT_SEM_VALUE_MAX, native_flags,
				      &native->handle)))
		return -1;
	native->flags = flags;
	native->magic = MAGIC;
	return 0;
}

int sem_init_np(sem_t *sem, int flags, unsigned int value)
{
	const int own = SEM_FIFO | SEM_PULSE | SEM_RAWCLOCK | SEM_NOBUSYDEL;

	if (!sem || flags & ~(own | SEM_PSHARED | SEM_REPORT | SEM_WARNDEL) ||
	    value > TACT_SEM_VALUE_MAX || (flags & SEM_PULSE && value))
		return result_of(-TACT_EINVAL);
	if (flags & own && flags & SEM_PSHARED)
		return result_of(-ENOSYS);
	if (flags & own)
		return make_native(sem, flags, value);
	return __wrap_sem_init(sem, flags & SEM_PSHARED ? 1 : 0, value);
}

int __wrap_sem_init(sem_t *sem, int pshared, unsigned int value)
{
	((struct native *)(void *)sem)->magic = 0;
	return sem_init(sem, pshared, value);
}

int __wrap_sem_destroy(sem_t *sem)
{
	struct native *native = native_of(sem);
	struct tact_sem_info info;

	if (!native)
		return sem_destroy(sem);
	if (native->flags & SEM_NOBUSYDEL && !tact_sem_inquire(native->handle, &info) &&
	    info.waiters)
		return result_of(-TACT_EBUSY);
	native->magic = 0;
	return result_of(tact_sem_delete(native->handle));
}

int __wrap_sem_post(sem_t *sem)
{
	const struct native *native = native_of(sem);

	return native ? result_of(tact_sem_post(native->handle)) : sem_post(sem);
}

int __wrap_sem_trywait(sem_t *sem)
{
	const struct native *native = native_of(sem);

	return native ? result_of(tact_sem_wait(native->handle, TACT_NOWAIT)) : sem_trywait(sem);
}

static int wait_native(const struct native *native, tact_timeout_t timeout)
{
	int error;

	do {
		posix_native_wait_begin();
		error = tact_sem_wait(native->handle, timeout);
		posix_native_wait_end(error);
	} while (error == -TACT_EINTR && posix_signals_restart());
	return result_of(error);
}

int __wrap_sem_wait(sem_t *sem)
{
	const struct native *native = native_of(sem);

	return native ? wait_native(native, TACT_FOREVER) : sem_wait(sem);
}

int __wrap_sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *until)
{
	const struct native *native = native_of(sem);

	if (!native)
		return sem_clockwait(sem, clock, until);
	if (!posix_clock_is_served(clock) || !posix_time_is_valid(until))
		return result_of(-TACT_EINVAL);
	return wait_native(native, posix_instant(clock, until));
}

int __wrap_sem_timedwait(sem_t *sem, const struct timespec *until)
{
	const struct native *native = native_of(sem);

	if (!native)
		return sem_timedwait(sem, until);
	return __wrap_sem_clockwait(
		sem, native->flags & SEM_RAWCLOCK ? CLOCK_MONOTONIC : CLOCK_REALTIME, until);
}

int __wrap_sem_getvalue(sem_t *sem, int *value)
{
	const struct native *native = native_of(sem);
	struct tact_sem_info info;

	if (!native)
		return sem_getvalue(sem, value);
	if (result_of(tact_sem_inquire(native->handle, &info)))
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

/* A task that waits for one of the C library's does so at its seat. */
static bool note_waiter(const struct posix_thread *thread, void *arg)
{
	struct waiters *waiters = arg;
	const struct posix_seat *seat = &posix_seats[thread->seat];
	struct tact_task_info info;

	if (tact_task_inquire(thread->task, &info) || info.waits_for != seat->parking ||
	    atomic_load_explicit(&seat->address, memory_order_relaxed) != (uintptr_t)waiters->sem)
		return false;
	if ((size_t)waiters->count < waiters->room)
		waiters->list[waiters->count] = thread->tid;
	waiters->count++;
	return false;
}

/* Tasks and Linux threads that wait for one of the C library's. */
static int count_waiters(sem_t *sem, struct waiters *waiters)
{
	*waiters = (struct waiters){sem, waiters->list, waiters->room, 0};
	cobalt_each_task(note_waiter, waiters);
	return waiters->count + (int)(atomic_load((_Atomic uint64_t *)(void *)sem) >> 32);
}

int sem_broadcast_np(sem_t *sem)
{
	struct waiters waiters = {.list = NULL};
	const struct native *native;

	if (!sem)
		return result_of(-TACT_EINVAL);
	native = native_of(sem);
	if (native)
		return result_of(tact_sem_broadcast(native->handle));
	for (int count = count_waiters(sem, &waiters); count > 0; count--)
		if (sem_post(sem))
			return -1;
	return 0;
}

int cobalt_sem_inquire(sem_t *sem, struct cobalt_sem_info *info, pid_t *waitlist, size_t waitsz)
{
	struct waiters waiters = {.list = waitlist, .room = waitlist ? waitsz / sizeof(pid_t) : 0};
	const struct native *native;
	struct tact_sem_info figures;
	int value;
	int count;

	if (!sem)
		return -EINVAL;
	native = native_of(sem);
	if (native) {
		int error = tact_sem_inquire(native->handle, &figures);

		if (error)
			return cobalt_result(error);
		if (info)
			*info = (struct cobalt_sem_info){figures.value, native->flags,
							 (int32_t)figures.waiters};
		return cobalt_waiters(native->handle, waitlist, waitsz);
	}
	if (sem_getvalue(sem, &value))
		return -errno;
	count = count_waiters(sem, &waiters);
	if (info)
		*info = (struct cobalt_sem_info){(uint32_t)value,
						 posix_sem_is_shared(sem) ? SEM_PSHARED : 0, count};
	return (size_t)waiters.count < waiters.room ? waiters.count : (int)waiters.room;
}
