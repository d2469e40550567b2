/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The threads of C11, made by a real-time thread: they inherit, lock, wait, sleep and end. */
#define _GNU_SOURCE
#include <signal.h>
#include <threads.h>

#include "check.h"

static mtx_t mutex;
static cnd_t cond;
static int turn, sum;

static int plays(void *own)
{
	const int me = (int)(intptr_t)own;

	for (int i = 0; i < 100; i++) {
		mtx_lock(&mutex);
		while (turn != me)
			cnd_wait(&cond, &mutex);
		sum += me;
		turn = !me;
		/* No other thread waits. */
		if (i % 2)
			cnd_broadcast(&cond);
		else
			cnd_signal(&cond);
		mtx_unlock(&mutex);
	}
	if (me)
		thrd_exit(is_task_if_expected());
	return is_task_if_expected();
}

static int waiting, woken;

static int waits(void *argument)
{
	mtx_lock(&mutex);
	waiting++;
	cnd_wait(&cond, &mutex);
	woken++;
	mtx_unlock(&mutex);
	return argument != NULL;
}

/* One for each signal, and not more than wait. */
static void one_by_one(void)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	thrd_t threads[3];

	for (int i = 0; i < 3; i++)
		SHOW(thrd_create(&threads[i], waits, NULL) == thrd_success);
	mtx_lock(&mutex);
	while (waiting < 3) {
		mtx_unlock(&mutex);
		thrd_sleep(&pause, NULL);
		mtx_lock(&mutex);
	}
	for (int i = 1; i <= 3; i++) {
		SHOW(cnd_signal(&cond) == thrd_success);
		while (woken < i) {
			mtx_unlock(&mutex);
			thrd_sleep(&pause, NULL);
			mtx_lock(&mutex);
		}
		SHOW(woken);
	}
	SHOW(cnd_signal(&cond) == thrd_success);
	mtx_unlock(&mutex);
	for (int i = 0; i < 3; i++)
		thrd_join(threads[i], NULL);
}

static void limits(void)
{
	struct timespec until = later(CLOCK_REALTIME, 3000000);
	struct timespec pause = {.tv_nsec = 1000000}, wrong = {.tv_nsec = -1};

	SHOW(mtx_lock(&mutex) == thrd_success);
	SHOW(mtx_trylock(&mutex) == thrd_busy);
	SHOW(mtx_timedlock(&mutex, &until) == thrd_timedout);
	until = later(CLOCK_REALTIME, 3000000);
	SHOW(cnd_timedwait(&cond, &mutex, &until) == thrd_timedout);
	SHOW(mtx_unlock(&mutex) == thrd_success);
	SHOW(thrd_sleep(&pause, NULL));
	SHOW(thrd_sleep(&wrong, NULL));
	thrd_yield();
}

static void *run(void *argument)
{
	thrd_t threads[2];
	int results[2] = {-1, -1};

	SHOW(mtx_init(&mutex, mtx_timed) == thrd_success);
	SHOW(cnd_init(&cond) == thrd_success);
	limits();
	one_by_one();
	for (int i = 0; i < 2; i++)
		SHOW(thrd_create(&threads[i], plays, (void *)(intptr_t)i) == thrd_success);
	for (int i = 0; i < 2; i++)
		SHOW(thrd_join(threads[i], &results[i]) == thrd_success);
	SHOW(results[0] + results[1]);
	SHOW(sum);
	SHOW(is_task_if_expected());
	mtx_destroy(&mutex);
	cnd_destroy(&cond);
	return argument;
}

int main(void)
{
	joined(fifo_thread(50, run, NULL));
	return 0;
}
