/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Semaphores. A task takes a unit from the C library's own word, and waits at the semaphore's
 * address while there is none. For shared ones, and named ones that other programs may have, it
 * waits in Linux. Source: POSIX.1-2017, sem_wait(), sem_timedwait(), sem_post().
 */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>

#include "clock.h"
#include "layout.h"
#include "real.h"
#include "sole.h"
#include "thread.h"
#include "wait.h"

/* A unit was taken by one that was just being woken, maybe for another unit. */
static void stop_waiting(const sem_t *sem)
{
	if (posix_wait_leave())
		(void)posix_wait_wake(sem, 1);
}

/* Returns 1 for "wait in Linux", else as sem_wait(). */
static int wait_as_task(sem_t *sem, tact_timeout_t timeout)
{
	for (;;) {
		int result;

		if (!posix_wait_join(sem))
			return 1;
		if (posix_sem_take(sem)) {
			stop_waiting(sem);
			return 0;
		}
		/* Others may have come since it was asked for. */
		if (posix_sem_is_shared(sem) && !posix_sem_is_sole(sem)) {
			stop_waiting(sem);
			return 1;
		}
		result = posix_wait_sleep(timeout, POSIX_WAIT_SIGNALS | POSIX_WAIT_CANCELS, NULL);
		if (result == -TACT_EINTR && posix_signals_restart())
			continue;
		if (result)
			return posix_fail(-result);
		if (posix_sem_take(sem))
			return 0;
	}
}

static bool is_served(const sem_t *sem)
{
	return !posix_sem_is_shared(sem) || posix_sem_is_asked_sole(sem);
}

int sem_wait(sem_t *sem)
{
	int result;

	if (!posix_is_task())
		return posix_real.sem_wait(sem);
	pthread_testcancel();
	if (posix_sem_take(sem))
		return 0;
	if (!is_served(sem))
		return posix_real.sem_wait(sem);
	result = wait_as_task(sem, TACT_FOREVER);
	return result > 0 ? posix_real.sem_wait(sem) : result;
}

int sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *until)
{
	int result;

	if (!posix_is_task() || !posix_clock_is_served(clock))
		return posix_real.sem_clockwait(sem, clock, until);
	/* As in glibc, which looks at the time before it looks at the semaphore. */
	if (until->tv_nsec < 0 || until->tv_nsec >= POSIX_NS_PER_S)
		return posix_fail(EINVAL);
	pthread_testcancel();
	if (posix_sem_take(sem))
		return 0;
	if (until->tv_sec < 0)
		return posix_fail(ETIMEDOUT);
	if (!is_served(sem))
		return posix_real.sem_clockwait(sem, clock, until);
	result = wait_as_task(sem, posix_instant(clock, until));
	return result > 0 ? posix_real.sem_clockwait(sem, clock, until) : result;
}

int sem_timedwait(sem_t *sem, const struct timespec *until)
{
	if (!posix_is_task())
		return posix_real.sem_timedwait(sem, until);
	return sem_clockwait(sem, CLOCK_REALTIME, until);
}

int sem_post(sem_t *sem)
{
	int result = posix_real.sem_post(sem);

	if (!result)
		(void)posix_wait_wake(sem, 1);
	return result;
}
