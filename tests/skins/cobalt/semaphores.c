/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores beyond POSIX. */
#include "cobalt_test.h"

#include <semaphore.h>

static sem_t sem;
static _Atomic int through;

static void *wait_once(void *unused)
{
	expect_ok(sem_wait(&sem));
	through++;
	return unused;
}

static int waiting(void)
{
	struct cobalt_sem_info info = {0};

	expect_true(cobalt_sem_inquire(&sem, &info, NULL, 0) >= 0);
	return info.nrwait;
}

/* Two tasks and a thread of Linux wait; all continue at once, and the value stays. */
static void broadcast(int flags)
{
	pthread_t threads[3];
	pid_t list[4];
	int value = -1;
	int linux_waits = flags & SEM_PULSE ? 1 : 0;

	through = 0;
	expect_ok(sem_init_np(&sem, flags, 0));
	threads[0] = thread_with(SCHED_FIFO, 30, wait_once, NULL);
	threads[1] = thread_with(SCHED_FIFO, 40, wait_once, NULL);
	threads[2] = thread_with(SCHED_OTHER, 0, wait_once, NULL);
	until(waiting() == 3);
	expect_true(cobalt_sem_inquire(&sem, NULL, list, sizeof(list)) >= 2);
	expect_true(list[0] == cobalt_thread_pid(threads[0]) ||
		    list[0] == cobalt_thread_pid(threads[1]) || linux_waits);
	expect_ok(sem_broadcast_np(&sem));
	for (int i = 0; i < 3; i++)
		expect_ok(pthread_join(threads[i], NULL));
	expect_eq(through, 3);
	expect_ok(sem_getvalue(&sem, &value));
	expect_ok(value);
	expect_ok(sem_broadcast_np(&sem));
	expect_errno(sem_trywait(&sem), EAGAIN);
	expect_ok(sem_destroy(&sem));
}

static void broadcast_releases_all(void)
{
	broadcast(0);
	broadcast(SEM_PULSE);
	broadcast(SEM_FIFO);
}

static void pulse_is_not_kept(void)
{
	struct timespec soon;
	struct cobalt_sem_info info;

	expect_ok(sem_init_np(&sem, SEM_PULSE | SEM_RAWCLOCK, 0));
	expect_ok(sem_post(&sem));
	expect_errno(sem_trywait(&sem), EAGAIN);
	soon = date_in(CLOCK_MONOTONIC, MS);
	expect_errno(sem_timedwait(&sem, &soon), ETIMEDOUT);
	expect_ok(cobalt_sem_inquire(&sem, &info, NULL, 0));
	expect_eq(info.flags, SEM_PULSE | SEM_RAWCLOCK);
	expect_ok(sem_destroy(&sem));
	/* The same memory as an ordinary semaphore. */
	expect_ok(sem_init(&sem, 0, 1));
	expect_ok(sem_wait(&sem));
	expect_ok(sem_destroy(&sem));
}

static void busy_one_is_not_destroyed(void)
{
	pthread_t thread;

	expect_ok(sem_init_np(&sem, SEM_FIFO | SEM_NOBUSYDEL, 0));
	thread = thread_with(SCHED_FIFO, 30, wait_once, NULL);
	until(waiting() == 1);
	expect_errno(sem_destroy(&sem), EBUSY);
	expect_ok(sem_post(&sem));
	expect_ok(pthread_join(thread, NULL));
	expect_ok(sem_destroy(&sem));
}

static void *wait_in_vain(void *unused)
{
	expect_errno(sem_wait(&sem), EINVAL);
	return unused;
}

static void destruction_ends_waits(void)
{
	pthread_t thread;

	expect_ok(sem_init_np(&sem, SEM_FIFO, 0));
	thread = thread_with(SCHED_FIFO, 30, wait_in_vain, NULL);
	until(waiting() == 1);
	expect_ok(sem_destroy(&sem));
	expect_ok(pthread_join(thread, NULL));
}

static void bad_arguments_are_refused(void)
{
	const struct timespec bad = {0, -1};

	expect_errno(sem_init_np(NULL, 0, 0), EINVAL);
	expect_errno(sem_init_np(&sem, 0x80, 0), EINVAL);
	expect_errno(sem_init_np(&sem, SEM_PULSE, 1), EINVAL);
	expect_errno(sem_init_np(&sem, SEM_FIFO, 0x80000000u), EINVAL);
	expect_errno(sem_broadcast_np(NULL), EINVAL);
	expect_eq(cobalt_sem_inquire(NULL, NULL, NULL, 0), -EINVAL);
	expect_ok(sem_init_np(&sem, SEM_FIFO, 0));
	expect_errno(sem_timedwait(&sem, &bad), EINVAL);
	expect_ok(sem_destroy(&sem));
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(broadcast_releases_all), CASE(pulse_is_not_kept),
		CASE(busy_one_is_not_destroyed), CASE(destruction_ends_waits),
		CASE(bad_arguments_are_refused)};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
