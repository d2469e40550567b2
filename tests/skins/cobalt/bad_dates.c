/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pointers to dates that lead nowhere: a call that must wait returns EFAULT, as in Xenomai 3.3's
 * library, and a call that need not wait does not read the date. Memory that holds no mutex,
 * condition or semaphore: EINVAL.
 */
#include "cobalt_test.h"

#include <limits.h>
#include <rtdm/ipc.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>

/* Not readable, which the compiler does not know. */
static void *volatile nowhere;

static pthread_mutex_t taken = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_mutex(void *unused)
{
	expect_eq(pthread_mutex_timedlock(&taken, nowhere), EFAULT);
	expect_eq(pthread_mutex_clocklock(&taken, CLOCK_MONOTONIC, nowhere), EFAULT);
	expect_eq(pthread_timedmutex_lock_interruptible_np(&taken, nowhere), EFAULT);
	return unused;
}

static void *mutexes(void *unused)
{
	pthread_mutex_t checks = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
	pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

	expect_ok(pthread_mutex_timedlock(&taken, nowhere));
	pthread_join(thread_with(SCHED_FIFO, 60, wait_for_mutex, NULL), NULL);
	pthread_join(thread_with(SCHED_OTHER, 0, wait_for_mutex, NULL), NULL);
	expect_ok(pthread_mutex_unlock(&taken));
	expect_ok(pthread_mutex_timedlock(&checks, nowhere));
	expect_eq(pthread_mutex_timedlock(&checks, nowhere), EDEADLK);
	expect_ok(pthread_mutex_unlock(&checks));
	expect_ok(pthread_mutex_timedlock(&again, nowhere));
	expect_ok(pthread_mutex_timedlock(&again, nowhere));
	expect_ok(pthread_mutex_unlock(&again));
	expect_ok(pthread_mutex_unlock(&again));
	return unused;
}

static void mutexes_look_at_the_date_when_they_wait(void)
{
	in_task(mutexes, NULL);
}

static void *semaphores(void *flags)
{
	sem_t sem;

	if (flags)
		expect_ok(sem_init_np(&sem, SEM_PULSE, 0));
	else
		expect_ok(sem_init(&sem, 0, 1));
	if (!flags)
		expect_ok(sem_timedwait(&sem, nowhere));
	expect_errno(sem_timedwait(&sem, nowhere), EFAULT);
	expect_errno(sem_clockwait(&sem, CLOCK_MONOTONIC, nowhere), EFAULT);
	expect_ok(sem_destroy(&sem));
	return NULL;
}

static void semaphores_look_at_the_date_when_they_wait(void)
{
	in_task(semaphores, NULL);
	in_task(semaphores, &taken);
}

static void *conditions(void *unused)
{
	pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

	expect_ok(pthread_mutex_lock(&mutex));
	expect_eq(pthread_cond_timedwait(&condition, &mutex, nowhere), EFAULT);
	expect_eq(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, nowhere), EFAULT);
	expect_ok(pthread_mutex_unlock(&mutex)); /* the caller keeps it all the time */
	expect_ok(pthread_cond_destroy(&condition));
	return unused;
}

static void a_condition_s_date_is_looked_at(void)
{
	in_task(conditions, NULL);
}

static void *own_objects(void *unused)
{
	cobalt_monitor_t monitor;
	cobalt_event_t event;
	unsigned int bits;

	expect_ok(cobalt_event_init(&event, 0, COBALT_EVENT_FIFO));
	expect_eq(cobalt_event_wait(&event, 1, &bits, 0, nowhere), -EFAULT);
	expect_ok(cobalt_event_destroy(&event));
	expect_ok(cobalt_monitor_init(&monitor, CLOCK_MONOTONIC, 0));
	expect_ok(cobalt_monitor_enter(&monitor));
	expect_eq(cobalt_monitor_wait(&monitor, COBALT_MONITOR_WAITGRANT, nowhere), -EFAULT);
	expect_ok(cobalt_monitor_destroy(&monitor));
	return unused;
}

static void events_and_monitors_look_at_the_date(void)
{
	in_task(own_objects, NULL);
}

static void *files(void *unused)
{
	int fd = socket(AF_RTIPC, SOCK_DGRAM, IPCPROTO_IDDP);
	struct sockaddr_ipc any = {.sipc_family = AF_RTIPC, .sipc_port = -1};
	const struct timespec bad = {0, -1};
	struct mmsghdr header = {0};
	fd_set set;

	expect_errno(select(0, NULL, NULL, NULL, nowhere), EFAULT);
	expect_true(fd >= 0);
	expect_ok(bind(fd, (struct sockaddr *)&any, sizeof(any)));
	FD_ZERO(&set);
	FD_SET(fd, &set);
	expect_errno(select(fd + 1, &set, NULL, NULL, nowhere), EFAULT);
	expect_errno(recvmmsg(fd, &header, 1, 0, nowhere), EFAULT);
	expect_errno(recvmmsg(fd, &header, 1, 0, (struct timespec *)&bad), EINVAL);
	expect_ok(close(fd));
	return unused;
}

static void sockets_and_select_look_at_the_time(void)
{
	in_task(files, NULL);
}

static void *spoilt(void *unused)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	const pthread_mutex_t no_mutex = mutex;
	const pthread_cond_t no_condition = condition;
	sem_t sem;

	((unsigned int *)(&mutex + 1))[-1] = 0x12345678;
	expect_eq(pthread_mutex_destroy(&mutex), EINVAL);
	memset(&mutex, 0x55, sizeof(mutex));
	expect_eq(pthread_mutex_destroy(&mutex), EINVAL);
	((unsigned int *)(&condition + 1))[-1] = 0x12345678;
	expect_eq(pthread_cond_destroy(&condition), EINVAL);
	/* Twice. */
	mutex = no_mutex;
	expect_ok(pthread_mutex_destroy(&mutex));
	expect_eq(pthread_mutex_destroy(&mutex), EINVAL);
	condition = no_condition;
	expect_ok(pthread_cond_destroy(&condition));
	expect_eq(pthread_cond_destroy(&condition), EINVAL);
	expect_ok(pthread_mutex_init(&mutex, NULL));
	expect_ok(pthread_mutex_destroy(&mutex));
	expect_ok(pthread_cond_init(&condition, NULL));
	expect_ok(pthread_cond_destroy(&condition));
	memset(&sem, 0x55, sizeof(sem));
	expect_errno(sem_destroy(&sem), EINVAL);
	for (int shared = 0; shared <= 1; shared++) {
		expect_ok(sem_init(&sem, shared, SEM_VALUE_MAX));
		expect_ok(sem_destroy(&sem));
	}
	return unused;
}

static void what_is_no_object_is_not_destroyed(void)
{
	in_task(spoilt, NULL);
	(void)spoilt(NULL);
}

static struct {
	pthread_mutex_t mutex;
	pthread_cond_t condition;
	int turns;
} used = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

/* The waiters are in time, late, or come at the very moment. */
static void *use(void *unused)
{
	for (int i = 0; i < 400; i++) {
		struct timespec late = date_in(CLOCK_REALTIME, (uint64_t)(i % 7) * 20000);

		pthread_mutex_lock(&used.mutex);
		(void)pthread_cond_timedwait(&used.condition, &used.mutex, &late);
		used.turns++;
		if (i % 3)
			pthread_cond_signal(&used.condition);
		else
			pthread_cond_broadcast(&used.condition);
		pthread_mutex_unlock(&used.mutex);
	}
	return unused;
}

static void what_was_used_much_is_destroyed(void)
{
	pthread_t threads[5];

	for (int i = 0; i < 5; i++)
		threads[i] = thread_with(i < 2 ? SCHED_FIFO : SCHED_OTHER, i < 2 ? 10 + i : 0, use,
					 NULL);
	for (int i = 0; i < 5; i++)
		expect_ok(pthread_join(threads[i], NULL));
	expect_eq(used.turns, 2000);
	expect_ok(pthread_cond_destroy(&used.condition));
	expect_ok(pthread_mutex_destroy(&used.mutex));
}

int main(void)
{
	const struct test_case cases[] = {
		CASE(mutexes_look_at_the_date_when_they_wait),
		CASE(semaphores_look_at_the_date_when_they_wait),
		CASE(a_condition_s_date_is_looked_at),
		CASE(events_and_monitors_look_at_the_date),
		CASE(sockets_and_select_look_at_the_time),
		CASE(what_is_no_object_is_not_destroyed),
		CASE(what_was_used_much_is_destroyed),
	};

	nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
