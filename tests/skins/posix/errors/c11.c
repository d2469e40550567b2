/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The threads of C11, which have their own results. */
#define _GNU_SOURCE
#include <limits.h>
#include <threads.h>

#include "errors.h"

static const struct timespec wrong = {.tv_nsec = -1}, past = {.tv_sec = 1};

static int nothing(void *argument)
{
	return argument != NULL;
}

static void plain(void)
{
	mtx_t mutex;

	NEED(mtx_init(&mutex, mtx_timed) == thrd_success);
	NEED(mtx_lock(&mutex) == thrd_success);
	RETURNS(thrd_busy, mtx_trylock(&mutex));
	RETURNS(thrd_timedout, mtx_timedlock(&mutex, &past));
	RETURNS(thrd_error, mtx_timedlock(&mutex, &wrong));
	NEED(mtx_unlock(&mutex) == thrd_success);
	mtx_destroy(&mutex);
}

static void recursive(void)
{
	const struct timespec far = errors_far(CLOCK_REALTIME);
	mtx_t mutex;
	cnd_t cond;

	NEED(mtx_init(&mutex, mtx_timed | mtx_recursive) == thrd_success);
	NEED(cnd_init(&cond) == thrd_success);
	RETURNS(thrd_error, mtx_unlock(&mutex));
	RETURNS(thrd_error, cnd_wait(&cond, &mutex));
	RETURNS(thrd_error, cnd_timedwait(&cond, &mutex, &far));
	NEED(mtx_lock(&mutex) == thrd_success);
	RETURNS(thrd_timedout, cnd_timedwait(&cond, &mutex, &past));
	RETURNS(thrd_error, cnd_timedwait(&cond, &mutex, &wrong));
	/* No program locks so often. */
	((pthread_mutex_t *)&mutex)->__data.__count = UINT_MAX;
	RETURNS(thrd_error, mtx_lock(&mutex));
	RETURNS(thrd_error, mtx_trylock(&mutex));
	((pthread_mutex_t *)&mutex)->__data.__count = 1;
	NEED(mtx_unlock(&mutex) == thrd_success);
	cnd_destroy(&cond);
	mtx_destroy(&mutex);
}

static void cases(void)
{
	thrd_t thread;

	plain();
	recursive();
	/* thrd_nomem in the standard, which glibc never returns here. */
	WITHOUT_MEMORY(RETURNS(thrd_error, thrd_create(&thread, nothing, NULL)));
}

int main(void)
{
	return from_every_thread(cases);
}
