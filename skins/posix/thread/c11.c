/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The threads of C11, whose objects have the layout of those of POSIX in the C library. The C
 * library's functions call each other inside it, so interposed functions would not see them.
 * Source: ISO/IEC 9899:2011, 7.26.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <threads.h>

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t), "mutexes of glibc");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "conditions of glibc");

static int thrd_result(int error)
{
	switch (error) {
	case 0:
		return thrd_success;
	case EBUSY:
		return thrd_busy;
	case ENOMEM:
		return thrd_nomem;
	case ETIMEDOUT:
		return thrd_timedout;
	default:
		return thrd_error;
	}
}

struct birth {
	thrd_start_t entry;
	void *argument;
};

static void *begin(void *argument)
{
	struct birth birth = *(struct birth *)argument;

	free(argument);
	return (void *)(intptr_t)birth.entry(birth.argument);
}

int thrd_create(thrd_t *thread, thrd_start_t entry, void *argument)
{
	struct birth *birth = malloc(sizeof(*birth));
	int error;

	if (!birth)
		return thrd_error;
	birth->entry = entry;
	birth->argument = argument;
	error = pthread_create(thread, NULL, begin, birth);
	if (error)
		free(birth);
	/* As in the C library, whose pthread_create() never reports a lack of memory. */
	return thrd_result(error);
}

/* Returns -1 after a signal, less than that for an error. */
int thrd_sleep(const struct timespec *time, struct timespec *left)
{
	int error = clock_nanosleep(CLOCK_REALTIME, 0, time, left);

	if (!error)
		return 0;
	return error == EINTR ? -1 : -2;
}

void thrd_yield(void)
{
	(void)sched_yield();
}

int mtx_lock(mtx_t *mutex)
{
	return thrd_result(pthread_mutex_lock((pthread_mutex_t *)mutex));
}

int mtx_trylock(mtx_t *mutex)
{
	return thrd_result(pthread_mutex_trylock((pthread_mutex_t *)mutex));
}

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until)
{
	return thrd_result(pthread_mutex_timedlock((pthread_mutex_t *)mutex, until));
}

int mtx_unlock(mtx_t *mutex)
{
	return thrd_result(pthread_mutex_unlock((pthread_mutex_t *)mutex));
}

void mtx_destroy(mtx_t *mutex)
{
	(void)pthread_mutex_destroy((pthread_mutex_t *)mutex);
}

int cnd_wait(cnd_t *cond, mtx_t *mutex)
{
	return thrd_result(pthread_cond_wait((pthread_cond_t *)cond, (pthread_mutex_t *)mutex));
}

int cnd_timedwait(cnd_t *restrict cond, mtx_t *restrict mutex,
		  const struct timespec *restrict until)
{
	return thrd_result(
		pthread_cond_timedwait((pthread_cond_t *)cond, (pthread_mutex_t *)mutex, until));
}

int cnd_signal(cnd_t *cond)
{
	return thrd_result(pthread_cond_signal((pthread_cond_t *)cond));
}

int cnd_broadcast(cnd_t *cond)
{
	return thrd_result(pthread_cond_broadcast((pthread_cond_t *)cond));
}
