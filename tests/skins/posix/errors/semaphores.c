/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <sys/stat.h>

#include "errors.h"

static const struct timespec wrong = {.tv_nsec = -1}, past = {.tv_sec = 1};

static void waits(sem_t *sem)
{
	const struct timespec then = errors_far(CLOCK_REALTIME);
	const struct timespec then_monotonic = errors_far(CLOCK_MONOTONIC);

	INTERRUPTED(FAILS(EINTR, sem_wait(sem)));
	INTERRUPTED(FAILS(EINTR, sem_timedwait(sem, &then)));
	INTERRUPTED(FAILS(EINTR, sem_clockwait(sem, CLOCK_MONOTONIC, &then_monotonic)));
	FAILS(ETIMEDOUT, sem_timedwait(sem, &past));
	FAILS(ETIMEDOUT, sem_clockwait(sem, CLOCK_MONOTONIC, &past));
	FAILS(EINVAL, sem_timedwait(sem, &wrong));
	FAILS(EINVAL, sem_clockwait(sem, CLOCK_MONOTONIC, &wrong));
	FAILS(EINVAL, sem_clockwait(sem, 77, &then));
}

/* Of a private one, a shared one and one with a name. */
static void by_object(void)
{
	sem_t sem;

	for (int shared = 0; shared < 2; shared++) {
		sem_init(&sem, shared, 0);
		waits(&sem);
		sem_destroy(&sem);
		sem_init(&sem, shared, SEM_VALUE_MAX);
		FAILS(EOVERFLOW, sem_post(&sem));
		sem_destroy(&sem);
	}
}

static void by_name(void)
{
	char name[32], path[48], long_name[256] = "/";
	sem_t *sem;

	snprintf(name, sizeof(name), "/tactus-errors-%d", (int)getpid());
	snprintf(path, sizeof(path), "/dev/shm/sem.%s", name + 1);
	memset(long_name + 1, 'x', sizeof(long_name) - 4);
	IS_NULL(ENOENT, sem_open(name, 0));
	IS_NULL(EINVAL, sem_open("/", O_CREAT, 0600, 0));
	IS_NULL(EINVAL, sem_open(name, O_CREAT, 0600, (unsigned)SEM_VALUE_MAX + 1));
	IS_NULL(ENAMETOOLONG, sem_open(long_name, O_CREAT, 0600, 0));
	WITHOUT(RLIMIT_NOFILE, IS_NULL(EMFILE, sem_open(name, O_CREAT, 0600, 0)));
	sem = sem_open(name, O_CREAT, 0600, 0);
	NEED(sem);
	IS_NULL(EEXIST, sem_open(name, O_CREAT | O_EXCL, 0600, 0));
	waits(sem);
	NEED(!sem_close(sem));
	FAILS(EINVAL, sem_close(sem));
	WITHOUT(RLIMIT_AS, IS_NULL(ENOMEM, sem_open(name, 0)));
	NEED(!chmod(path, 0));
	AS_NOBODY(IS_NULL(EACCES, sem_open(name, 0)));
	NEED(!sem_unlink(name));
}

static void cases(void)
{
	by_object();
	by_name();
}

int main(void)
{
	return from_every_thread(cases);
}
