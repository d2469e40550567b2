/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waits that the handler of a signal ends, by the codes that documented.toml lists; and refusals in
 * which other threads play a part. */
#include "cobalt_test.h"

#include <fcntl.h>
#include <mqueue.h>
#include <rtdm/ipc.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <time.h>

static _Atomic bool over;

static void handle(int signal)
{
	(void)signal;
}

/* A task waits; signals are sent to it until its wait has ended. */
static void interrupt(void *(*wait)(void *))
{
	struct sigaction action = {.sa_handler = handle};
	pthread_t waiter;

	over = false;
	sigaction(SIGUSR1, &action, NULL);
	waiter = thread_with(SCHED_FIFO, 20, wait, NULL);
	until(over || (pthread_kill(waiter, SIGUSR1), over));
	expect_ok(pthread_join(waiter, NULL));
}
#define INTERRUPTED(name, call)           \
	static void *do_##name(void *arg) \
	{                                 \
		call;                     \
		over = true;              \
		return arg;               \
	}                                 \
	static void name(void)            \
	{                                 \
		interrupt(do_##name);     \
	}

static sem_t sem;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static mqd_t full, empty;
static char text[4];
static const struct timespec hour = {3600, 0};

static struct timespec *later(void)
{
	static struct timespec date;

	date = date_in(CLOCK_REALTIME, 3600 * 1000 * MS);
	return &date;
}

static const sigset_t *second_signal(void)
{
	static sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	return &set;
}

INTERRUPTED(sem_wait_is_interrupted, expect_errno(sem_wait(&sem), EINTR))
INTERRUPTED(sem_timedwait_is_interrupted, expect_errno(sem_timedwait(&sem, later()), EINTR))
INTERRUPTED(mutex_lock_may_be_interrupted,
	    expect_eq(pthread_mutex_lock_interruptible_np(&mutex), EINTR))
INTERRUPTED(mutex_timedlock_may_be_interrupted,
	    expect_eq(pthread_timedmutex_lock_interruptible_np(&mutex, later()), EINTR))
INTERRUPTED(mq_send_is_interrupted, expect_errno(mq_send(full, text, 4, 0), EINTR))
INTERRUPTED(mq_timedsend_is_interrupted,
	    expect_errno(mq_timedsend(full, text, 4, 0, later()), EINTR))
INTERRUPTED(mq_receive_is_interrupted, expect_errno(mq_receive(empty, text, 4, NULL), EINTR))
INTERRUPTED(mq_timedreceive_is_interrupted,
	    expect_errno(mq_timedreceive(empty, text, 4, NULL, later()), EINTR))
INTERRUPTED(nanosleep_is_interrupted, expect_errno(nanosleep(&hour, NULL), EINTR))
INTERRUPTED(clock_nanosleep_is_interrupted,
	    expect_eq(clock_nanosleep(CLOCK_MONOTONIC, 0, &hour, NULL), EINTR))
INTERRUPTED(sigwaitinfo_is_interrupted, expect_errno(sigwaitinfo(second_signal(), NULL), EINTR))
INTERRUPTED(sigtimedwait_is_interrupted,
	    expect_errno(sigtimedwait(second_signal(), NULL, &hour), EINTR))
INTERRUPTED(wait_for_a_release_is_interrupted, struct timespec date = *later();
	    struct timespec period = hour;
	    expect_ok(pthread_make_periodic_np(pthread_self(), &date, &period));
	    expect_eq(pthread_wait_np(NULL), EINTR))
INTERRUPTED(select_is_interrupted, expect_errno(select(0, NULL, NULL, NULL, NULL), EINTR))

static cobalt_event_t event;
static cobalt_monitor_t monitor;

INTERRUPTED(event_wait_is_interrupted,
	    expect_eq(cobalt_event_wait(&event, 1, &(unsigned int){0}, 0, NULL), -EINTR))

static void *do_monitor_wait(void *arg)
{
	expect_ok(cobalt_monitor_enter(&monitor));
	expect_eq(cobalt_monitor_wait(&monitor, COBALT_MONITOR_WAITGRANT, NULL), -EINTR);
	expect_ok(cobalt_monitor_exit(&monitor));
	over = true;
	return arg;
}

static void monitor_wait_is_interrupted(void)
{
	interrupt(do_monitor_wait);
}

static void *wait_until_destroyed(void *arg)
{
	expect_eq(cobalt_event_wait(&event, 1, &(unsigned int){0}, 0, NULL), -EIDRM);
	return arg;
}

static void event_wait_ends_with_its_event(void)
{
	struct cobalt_event_info info;
	pthread_t waiter = thread_with(SCHED_FIFO, 20, wait_until_destroyed, NULL);

	until(cobalt_event_inquire(&event, &info, NULL, 0) >= 0 && info.nrwait == 1);
	expect_ok(cobalt_event_destroy(&event));
	expect_ok(pthread_join(waiter, NULL));
	expect_ok(cobalt_event_init(&event, 0, 0));
}

static void *look_at_joins(void *main_thread)
{
	pthread_attr_t detached;
	pthread_t thread;

	expect_eq(pthread_join(pthread_self(), NULL), EDEADLK);
	expect_eq(cobalt_thread_join(pthread_self()), -EDEADLK);
	expect_eq(cobalt_thread_join((pthread_t)0), -ESRCH);
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	over = false;
	expect_ok(pthread_create(&thread, &detached, do_sem_wait_is_interrupted, NULL));
	expect_eq(pthread_join(thread, NULL), EINVAL);
	until(over || (pthread_kill(thread, SIGUSR1), over));
	return main_thread;
}

static void not_every_thread_is_joined(void)
{
	in_task(look_at_joins, NULL);
}

/* The descriptors are those of Linux. */
static void there_may_be_no_descriptor_left(void)
{
	struct rlimit limit;
	struct rlimit none;

	expect_ok(getrlimit(RLIMIT_NOFILE, &limit));
	none = limit;
	none.rlim_cur = 0;
	expect_ok(setrlimit(RLIMIT_NOFILE, &none));
	expect_errno(mq_open("/tactus-one", O_CREAT | O_RDWR, 0600, NULL), EMFILE);
	expect_errno(timerfd_create(CLOCK_MONOTONIC, 0), EMFILE);
	expect_errno(socket(AF_RTIPC, SOCK_DGRAM, IPCPROTO_IDDP), EMFILE);
	expect_ok(setrlimit(RLIMIT_NOFILE, &limit));
	(void)mq_unlink("/tactus-one");
}

static sem_t may_end;

/* A wait of Linux for a mutex in Linux is not interrupted: a task has the mutex. */
static void *hold(void *arg)
{
	expect_ok(pthread_mutex_lock(&mutex));
	expect_ok(sem_wait(&may_end));
	expect_ok(pthread_mutex_unlock(&mutex));
	return arg;
}

static mqd_t queue_of_one(void)
{
	struct mq_attr small = {.mq_maxmsg = 1, .mq_msgsize = 4};
	mqd_t queue = mq_open("/tactus-one", O_CREAT | O_RDWR, 0600, &small);

	expect_true(queue >= 0);
	expect_ok(mq_unlink("/tactus-one"));
	return queue;
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(sem_wait_is_interrupted),
		CASE(sem_timedwait_is_interrupted),
		CASE(mutex_lock_may_be_interrupted),
		CASE(mutex_timedlock_may_be_interrupted),
		CASE(mq_send_is_interrupted),
		CASE(mq_timedsend_is_interrupted),
		CASE(mq_receive_is_interrupted),
		CASE(mq_timedreceive_is_interrupted),
		CASE(nanosleep_is_interrupted),
		CASE(clock_nanosleep_is_interrupted),
		CASE(sigwaitinfo_is_interrupted),
		CASE(sigtimedwait_is_interrupted),
		CASE(wait_for_a_release_is_interrupted),
		CASE(select_is_interrupted),
		CASE(event_wait_is_interrupted),
		CASE(monitor_wait_is_interrupted),
		CASE(event_wait_ends_with_its_event),
		CASE(not_every_thread_is_joined),
		CASE(there_may_be_no_descriptor_left),
	};

	pthread_t holder;
	int result;

	full = queue_of_one();
	empty = queue_of_one();
	expect_ok(mq_send(full, text, 4, 0));
	expect_ok(sem_init(&sem, 0, 0));
	expect_ok(sem_init(&may_end, 0, 0));
	holder = thread_with(SCHED_FIFO, 10, hold, NULL);
	until(pthread_mutex_trylock(&mutex) == EBUSY || pthread_mutex_unlock(&mutex));
	expect_ok(cobalt_event_init(&event, 0, 0));
	expect_ok(cobalt_monitor_init(&monitor, CLOCK_MONOTONIC, 0));
	result = run_cases(cases, sizeof(cases) / sizeof(cases[0]));
	expect_ok(sem_post(&may_end));
	expect_ok(pthread_join(holder, NULL));
	return result;
}
