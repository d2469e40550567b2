/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Conditions. A task waits at the condition's address, a Linux thread in the C library; A signal
 * goes to the tasks first, as they are more urgent, and a broadcast to all. A task joins the
 * waiters before it unlocks the mutex, so a signal by a thread that locks it after that finds the
 * task. Source: POSIX.1-2017, pthread_cond_wait(), pthread_cond_signal().
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "posix/calls/call.h"
#include "posix/libc/clock.h"
#include "posix/libc/layout.h"
#include "posix/libc/real.h"
#include "posix/park/waiter.h"
#include "posix/park/wait.h"
#include "posix/state/record.h"
#include "posix/state/stay.h"
#include "posix/sync/mutex.h"

/* A condition with a shared mutex may be signalled by other programs, so Linux serves it. */
static bool is_served(const pthread_mutex_t *mutex)
{
	int kind = posix_mutex_kind(mutex);

	return posix_mutex_is_served(kind) && !(kind & POSIX_MUTEX_SHARED);
}

/*
 * A wait in the C library would unlock the mutex without waking the tasks that wait for it. So a
 * task waits here for a shared condition, too, if the mutex is the program's own. As a rule a
 * thread that signals has the mutex, and so is of this program. For signals of other programs the
 * wait ends from time to time, as by a needless wake-up. True: it does.
 */
static bool is_look(const pthread_cond_t *cond, tact_timeout_t *timeout)
{
	return posix_cond_is_shared(cond) && posix_wait_cut(timeout);
}

static const struct posix_deadline none = {.until = NULL};

/* A waiter counts as a user of its mutex, so that pthread_mutex_destroy() is refused meanwhile.
 * Robust mutexes are excepted, as they lose their users when an owner ends. The caller owns the
 * mutex. */
static void use(pthread_mutex_t *mutex, int more)
{
	if (!(posix_mutex_kind(mutex) & POSIX_MUTEX_ROBUST))
		mutex->__data.__nusers += (unsigned)more;
}

static void lock_again(void *mutex)
{
	(void)posix_mutex_lock(mutex, &none);
	use(mutex, -1);
}

/* Until the task has the mutex, a skin may regard the condition as in use. */
static int lock_after_timeout(const pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	struct posix_waiter *waiter = &posix_waiters[posix_me.wait.waiter];
	int error;

	atomic_store(&waiter->given_up, (uintptr_t)cond);
	atomic_fetch_add(&posix_waiters_given_up, 1);
	error = posix_mutex_lock(mutex, &none);
	atomic_fetch_sub(&posix_waiters_given_up, 1);
	atomic_store(&waiter->given_up, 0);
	return error;
}

/* A waiter that was signalled and cancelled at the same time passes the signal to another one. */
static void signal_another(const void *cond, struct posix_handoff *handoff)
{
	(void)handoff;
	(void)pthread_cond_signal((pthread_cond_t *)(uintptr_t)cond);
}

bool posix_condition_ends_by_signals;

static int wait_as_task(pthread_cond_t *cond, pthread_mutex_t *mutex, tact_timeout_t timeout)
{
	const bool looks = is_look(cond, &timeout);
	int result, error;

	/* There is no room to wait: return as after a needless wake-up, which POSIX allows. */
	if (!posix_wait_join(cond)) {
		result = posix_mutex_unlock(mutex);
		return result ? result : posix_mutex_lock(mutex, &none);
	}
	use(mutex, 1);
	result = posix_mutex_unlock(mutex);
	if (result) {
		use(mutex, -1);
		if (posix_wait_leave())
			signal_another(cond, NULL);
		return result;
	}
	posix_wait_rank();
	pthread_cleanup_push(lock_again, mutex);
	result = posix_wait_sleep(
		timeout,
		POSIX_WAIT_CANCELS | (posix_condition_ends_by_signals ? POSIX_WAIT_SIGNALS : 0),
		signal_another);
	pthread_cleanup_pop(0);
	if (looks && result == -TACT_ETIMEDOUT)
		result = 0;
	/* If the mutex is robust and its owner has ended, this is reported rather than a
	 * timeout. */
	error = result == -TACT_ETIMEDOUT ? lock_after_timeout(cond, mutex)
					  : posix_mutex_lock(mutex, &none);
	use(mutex, -1);
	if (error || result == -TACT_EINTR)
		return error;
	return -result;
}

static void lent(void *mutex)
{
	posix_mutex_lent(mutex);
}

/* Called by a task. Other tasks may wait for the mutex that the C library unlocks. */
static int wait_in_linux(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
			 const struct timespec *until)
{
	int result;

	if (posix_mutex_is_served(posix_mutex_kind(mutex)))
		posix_mutex_lend(mutex);
	pthread_cleanup_push(lent, mutex);
	result = until ? posix_real.pthread_cond_clockwait(cond, mutex, clock, until)
		       : posix_real.pthread_cond_wait(cond, mutex);
	pthread_cleanup_pop(1);
	return result;
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	if (!posix_call_is_tasks_wait())
		return posix_real.pthread_cond_wait(cond, mutex);
	return is_served(mutex) ? wait_as_task(cond, mutex, TACT_FOREVER)
				: wait_in_linux(cond, mutex, CLOCK_MONOTONIC, NULL);
}

int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
			   const struct timespec *until)
{
	if (!posix_call_is_tasks_wait())
		return posix_real.pthread_cond_clockwait(cond, mutex, clock, until);
	if (!is_served(mutex) || !posix_clock_is_served(clock))
		return wait_in_linux(cond, mutex, clock, until);
	if (until->tv_nsec < 0 || until->tv_nsec >= POSIX_NS_PER_S)
		return EINVAL;
	return wait_as_task(cond, mutex, posix_instant(clock, until));
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
			   const struct timespec *until)
{
	if (!posix_call_is_tasks_wait())
		return posix_real.pthread_cond_timedwait(cond, mutex, until);
	return pthread_cond_clockwait(cond, mutex, posix_cond_clock(cond), until);
}

int pthread_cond_signal(pthread_cond_t *cond)
{
	posix_stay_look();
	if (posix_wait_wake(cond, 1))
		return 0;
	return posix_real.pthread_cond_signal(cond);
}

int pthread_cond_broadcast(pthread_cond_t *cond)
{
	posix_stay_look();
	(void)posix_wait_wake(cond, UINT_MAX);
	return posix_real.pthread_cond_broadcast(cond);
}
