/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Semaphores. A task takes a unit from the C library's own word, and waits at the semaphore's
 * address while there is none. If another program posts a shared or named semaphore, shared_sem.c
 * wakes the task. Source: POSIX.1-2017, sem_wait(), sem_timedwait(), sem_post().
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#include "posix/calls/call.h"
#include "posix/calls/interrupt.h"
#include "posix/libc/clock.h"
#include "posix/libc/layout.h"
#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/state/stay.h"
#include "posix/sync/shared_sem.h"

/* The caller was woken, and passes that on: to a task, or else to a thread that waits in Linux. */
static void wake_another(const void *sem, struct posix_handoff *handoff)
{
	(void)handoff;
	if (!posix_wait_wake(sem, 1) && posix_sem_is_shared(sem))
		posix_shared_sem_wake(sem);
}

/* The caller does not wait any more. It may have been woken meanwhile, perhaps for another unit. */
static void stop_waiting(const sem_t *sem)
{
	if (posix_wait_leave())
		wake_another(sem, NULL);
}

/* Returns 1 for "wait in Linux", else as sem_wait(). */
static int wait_local(sem_t *sem, tact_timeout_t timeout)
{
	enum posix_shared_sem watched = POSIX_SHARED_SEM_NOTIFIED;
	bool rings = false;

	for (;;) {
		tact_timeout_t until = timeout;
		int result;

		if (!posix_wait_join(sem))
			return 1;
		if (posix_sem_take(sem)) {
			stop_waiting(sem);
			return 0;
		}
		if (posix_sem_is_shared(sem))
			watched = posix_shared_sem_watch(sem, rings);
		if (watched == POSIX_SHARED_SEM_LINUX) {
			stop_waiting(sem);
			return 1;
		}
		rings = watched == POSIX_SHARED_SEM_MAYBE && posix_wait_cut(&until);
		result = posix_wait_sleep(until, POSIX_WAIT_SIGNALS | POSIX_WAIT_CANCELS,
					  wake_another);
		if (result == -TACT_ETIMEDOUT && rings)
			continue;
		rings = false;
		/* In Linux a wait with a timeout is not restarted, whatever signal(7) says. */
		if (result == -TACT_EINTR && timeout.kind == TACT_TIMEOUT_FOREVER &&
		    posix_signals_restart())
			continue;
		if (result)
			return posix_fail(-result);
		if (posix_sem_take(sem))
			return 0;
	}
}

static void count_out(void *sem)
{
	posix_shared_sem_unwatch();
	posix_sem_count(sem, -1);
}

/* Wait as a task that is counted in the word, so that other programs wake. */
static int wait_counted(sem_t *sem, tact_timeout_t timeout)
{
	int result;

	if (!posix_shared_sem_is_served(sem))
		return 1;
	posix_sem_count(sem, 1);
	pthread_cleanup_push(count_out, sem);
	result = wait_local(sem, timeout);
	pthread_cleanup_pop(1);
	return result;
}

static int wait_as_task(sem_t *sem, tact_timeout_t timeout)
{
	return posix_sem_is_shared(sem) ? wait_counted(sem, timeout) : wait_local(sem, timeout);
}

static int take_or_end(sem_t *sem)
{
	return posix_sem_take(sem) ? 0 : posix_fail(EINTR);
}

/* Handlers with SA_RESTART do not end a wait without a timeout. */
static int wait_in_linux(sem_t *sem)
{
	return posix_call_is_ended() ? take_or_end(sem) : posix_real.sem_wait(sem);
}

/* A call that does not wait, because it is refused or its timeout has passed, is not ended by a
 * handler. */
static int wait_in_linux_until(sem_t *sem, clockid_t clock, const struct timespec *until)
{
	return posix_call_is_interrupted() && posix_clock_is_served(clock) &&
			       posix_call_is_ahead(clock, until)
		       ? take_or_end(sem)
		       : posix_real.sem_clockwait(sem, clock, until);
}

int sem_wait(sem_t *sem)
{
	int result;

	if (!posix_call_is_tasks_wait())
		return wait_in_linux(sem);
	pthread_testcancel();
	if (posix_sem_take(sem))
		return 0;
	result = wait_as_task(sem, TACT_FOREVER);
	return result > 0 ? wait_in_linux(sem) : result;
}

static int wait_until(sem_t *sem, clockid_t clock, const struct timespec *until)
{
	int result;

	/* As in glibc, which checks the time before the semaphore. */
	if (until->tv_nsec < 0 || until->tv_nsec >= POSIX_NS_PER_S)
		return posix_fail(EINVAL);
	pthread_testcancel();
	if (posix_sem_take(sem))
		return 0;
	if (until->tv_sec < 0)
		return posix_fail(ETIMEDOUT);
	result = wait_as_task(sem, posix_instant(clock, until));
	return result > 0 ? wait_in_linux_until(sem, clock, until) : result;
}

int sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *until)
{
	if (!posix_call_is_tasks_wait() || !posix_clock_is_served(clock))
		return wait_in_linux_until(sem, clock, until);
	return wait_until(sem, clock, until);
}

int sem_timedwait(sem_t *sem, const struct timespec *until)
{
	if (!posix_call_is_tasks_wait())
		return wait_in_linux_until(sem, CLOCK_REALTIME, until);
	return wait_until(sem, CLOCK_REALTIME, until);
}

/* Tasks of the program come before all threads that wait in Linux. */
static int post_shared(sem_t *sem)
{
	uint64_t former;

	if (!posix_sem_give(sem, &former))
		return posix_fail(EOVERFLOW);
	if (!posix_wait_wake(sem, 1) && former & ~(uint64_t)POSIX_SEM_VALUE_MASK)
		posix_shared_sem_wake(sem);
	return 0;
}

int sem_post(sem_t *sem)
{
	int result;

	posix_stay_look();
	if (posix_sem_is_shared(sem))
		return post_shared(sem);
	result = posix_real.sem_post(sem);
	if (!result)
		(void)posix_wait_wake(sem, 1);
	return result;
}
