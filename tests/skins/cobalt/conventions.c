/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The three names of a function, and the meaning of a plain call. */
#include "cobalt_test.h"

#include <mqueue.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <time.h>

#include <boilerplate/time.h>

static sem_t sem;

static uint64_t switches(void)
{
	struct cobalt_threadstat stat = {0};

	expect_ok(cobalt_thread_stat(0, &stat));
	return stat.msw;
}

static void *sleep_both_ways(void *unused)
{
	const struct timespec ms = {0, MS};
	uint64_t before;

	expect_eq(cobalt_thread_mode(), 0);
	before = switches();
	expect_ok(clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL));
	expect_ok(__RT(clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL)));
	expect_ok(nanosleep(&ms, NULL));
	expect_eq(cobalt_thread_mode(), 0);
	/* The very first call: the part that prints it already exists. */
	expect_eq(printf("# %s\n", "from primary mode"), 20);
	expect_eq(puts("# as well") >= 0, 1);
	expect_eq(fwrite("# and this\n", 1, 11, stdout), 11);
	expect_eq(cobalt_thread_mode(), 0);
	expect_eq(switches() - before, 0);
	/* The C library's own function: a Linux call, and that is reported. */
	expect_ok(__STD(clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL)));
	expect_eq(cobalt_thread_mode(), XNRELAX);
	expect_eq(switches() - before, 1);
	return unused;
}

static void sleeps_are_the_nucleus_s(void)
{
	in_task(sleep_both_ways, NULL);
}

static void *post_all_ways(void *unused)
{
	const struct timespec past = {0, 0};
	uint64_t before = switches();

	expect_ok(sem_post(&sem));
	expect_ok(__RT(sem_post(&sem)));
	expect_ok(__WRAP(sem_post(&sem)));
	for (int i = 0; i < 3; i++)
		expect_ok(sem_wait(&sem));
	expect_errno(sem_trywait(&sem), EAGAIN);
	expect_errno(__RT(sem_clockwait(&sem, CLOCK_MONOTONIC, &past)), ETIMEDOUT);
	expect_eq(switches() - before, 0);
	return unused;
}

static void semaphores_are_served(void)
{
	expect_ok(sem_init(&sem, 0, 0));
	in_task(post_all_ways, NULL);
	/* main() runs in a thread of Linux. */
	expect_ok(__STD(sem_post(&sem)));
	expect_ok(__STD(sem_wait(&sem)));
	expect_ok(sem_destroy(&sem));
}

static void *lock_all_ways(void *arg)
{
	const struct timespec past = {0, 0};
	pthread_mutex_t *mutex = arg;

	expect_ok(pthread_mutex_lock(mutex));
	expect_eq(pthread_mutex_trylock(mutex), EBUSY);
	expect_eq(__RT(pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &past)), ETIMEDOUT);
	expect_ok(__RT(pthread_mutex_unlock(mutex)));
	expect_ok(__STD(pthread_mutex_lock(mutex)));
	expect_ok(pthread_mutex_unlock(mutex));
	return NULL;
}

static void mutexes_are_served(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	in_task(lock_all_ways, &mutex);
	expect_ok(pthread_mutex_destroy(&mutex));
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static _Atomic int waiters;

static void *wait_for_change(void *unused)
{
	expect_ok(pthread_mutex_lock(&gate));
	waiters++;
	expect_ok(pthread_cond_wait(&change, &gate));
	expect_ok(pthread_mutex_unlock(&gate));
	return unused;
}

static void *destroy_in_use(void *unused)
{
	const struct timespec past = {0, 0};

	expect_ok(pthread_mutex_lock(&gate));
	expect_eq(pthread_cond_destroy(&change), EBUSY);
	expect_eq(__RT(pthread_cond_clockwait(&change, &gate, CLOCK_MONOTONIC, &past)), ETIMEDOUT);
	expect_eq(cobalt_thread_mode(), 0);
	expect_ok(pthread_cond_broadcast(&change));
	expect_ok(pthread_cond_destroy(&change));
	expect_ok(pthread_mutex_unlock(&gate));
	return unused;
}

static void a_condition_in_use_is_not_destroyed(void)
{
	pthread_t waiting[2];

	for (int i = 0; i < 2; i++)
		waiting[i] = thread_with(SCHED_FIFO, 40 + i, wait_for_change, NULL);
	until(waiters == 2);
	in_task(destroy_in_use, NULL);
	for (int i = 0; i < 2; i++)
		expect_ok(pthread_join(waiting[i], NULL));
	expect_ok(pthread_cond_init(&change, NULL));
}

static _Atomic int returned;

static void *wait_in_vain(void *delay_ns)
{
	struct timespec end;

	expect_ok(pthread_mutex_lock(&gate));
	clock_gettime(CLOCK_REALTIME, &end);
	timespec_adds(&end, &end, *(sticks_t *)delay_ns);
	waiters++;
	expect_eq(pthread_cond_timedwait(&change, &gate, &end), ETIMEDOUT);
	returned = 1;
	expect_ok(pthread_mutex_unlock(&gate));
	return NULL;
}

/* The time of its waiter ends while another thread has the mutex. */
static void a_condition_that_was_given_up_is_in_use(void)
{
	pthread_t waiting;

	for (sticks_t delay_ns = 20000000;; delay_ns *= 2) {
		waiters = returned = 0;
		waiting = thread_with(SCHED_FIFO, 40, wait_in_vain, &delay_ns);
		until(waiters == 1);
		expect_ok(pthread_mutex_lock(&gate));
		if (!returned) {
			__STD(usleep)((useconds_t)(delay_ns / 1000) + 20000);
			expect_eq(pthread_cond_destroy(&change), EBUSY);
			break;
		}
		/* It was too quick for this machine. */
		expect_ok(pthread_mutex_unlock(&gate));
		expect_ok(pthread_join(waiting, NULL));
	}
	expect_ok(pthread_mutex_unlock(&gate));
	expect_ok(pthread_join(waiting, NULL));
	expect_eq(returned, 1);
	expect_ok(pthread_cond_destroy(&change));
	expect_ok(pthread_cond_init(&change, NULL));
}

static void *set_and_read(void *unused)
{
	const struct itimerspec often = {{0, MS}, {0, MS}};
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);
	struct itimerspec left;
	uint64_t ticks = 0;
	uint64_t before;

	cobalt_thread_harden();
	before = switches();
	expect_ok(timerfd_settime(fd, 0, &often, NULL));
	expect_eq(read(fd, &ticks, sizeof(ticks)), sizeof(ticks));
	expect_true(ticks > 0);
	expect_ok(timerfd_gettime(fd, &left));
	expect_eq(switches() - before, 0);
	expect_ok(close(fd));
	return unused;
}

/* From the first setting on: a thread that wants reports of switches has requested them before. */
static void timers_with_descriptors_are_the_nucleus_s(void)
{
	in_task(set_and_read, NULL);
}

/* Functions that are always those of Linux have these names, too. */
static void others_go_on_to_linux(void)
{
	struct timespec resolution;
	int fd = __RT(timerfd_create(CLOCK_MONOTONIC, 0));
	char *memory = __RT(malloc(10));

	expect_true(fd >= 0);
	expect_ok(__RT(close(fd)));
	expect_true(memory != NULL);
	__RT(free(memory));
	expect_ok(__RT(clock_getres(CLOCK_MONOTONIC, &resolution)));
	expect_errno(__RT(mq_unlink("/tactus-none")), ENOENT);
	expect_errno(__STD(mq_unlink("/tactus-none")), ENOENT);
	expect_true(__RT(printf("# printed\n")) == 10);
	/* The C library has only another name for it. */
	expect_ok(__STD(pthread_yield()));
	expect_ok(__RT(pthread_yield()));
}

int main(void)
{
	static const struct test_case cases[] = {CASE(sleeps_are_the_nucleus_s),
						 CASE(semaphores_are_served),
						 CASE(mutexes_are_served),
						 CASE(a_condition_in_use_is_not_destroyed),
						 CASE(a_condition_that_was_given_up_is_in_use),
						 CASE(timers_with_descriptors_are_the_nucleus_s),
						 CASE(others_go_on_to_linux)};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
