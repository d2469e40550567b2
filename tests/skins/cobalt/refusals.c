/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Immediate refusals, by the codes that documented.toml lists: for a thread of Linux, and for a
 * task. */
#include "cobalt_test.h"

#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <time.h>

#define NOBODY 0x3fffffff /* above all numbers that Linux gives to threads */

static char long_name[300];
static const struct timespec bad = {0, 1000000000};

static pthread_mutex_t mutex_of(int type, int protocol)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex;

	pthread_mutexattr_init(&attributes);
	expect_ok(pthread_mutexattr_settype(&attributes, type));
	expect_ok(pthread_mutexattr_setprotocol(&attributes, protocol));
	expect_ok(pthread_mutex_init(&mutex, &attributes));
	pthread_mutexattr_destroy(&attributes);
	return mutex;
}

static void *mutexes(void *unused)
{
	pthread_mutex_t mutex = mutex_of(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_INHERIT);
	struct timespec late = date_in(CLOCK_REALTIME, MS);
	int ceiling;

	expect_eq(pthread_mutex_unlock(&mutex), EPERM);
	expect_ok(pthread_mutex_lock(&mutex));
	expect_eq(pthread_mutex_lock(&mutex), EDEADLK);
	expect_eq(pthread_mutex_lock_interruptible_np(&mutex), EDEADLK);
	expect_eq(pthread_mutex_timedlock(&mutex, &late), EDEADLK);
	expect_eq(pthread_mutex_destroy(&mutex), EBUSY);
	expect_eq(pthread_mutex_getprioceiling(&mutex, &ceiling), EINVAL);
	expect_eq(pthread_mutex_setprioceiling(&mutex, 10, &ceiling), EINVAL);
	expect_ok(pthread_mutex_unlock(&mutex));
	expect_ok(pthread_mutex_destroy(&mutex));
	return unused;
}

static pthread_mutex_t taken;

/* While another thread has it. */
static void *bad_dates(void *unused)
{
	const struct timespec soon = date_in(CLOCK_REALTIME, MS);

	expect_eq(pthread_mutex_trylock(&taken), EBUSY);
	expect_eq(pthread_mutex_timedlock(&taken, &bad), EINVAL);
	expect_eq(pthread_mutex_timedlock(&taken, &soon), ETIMEDOUT);
	expect_eq(pthread_timedmutex_lock_interruptible_np(&taken, &bad), EINVAL);
	return unused;
}

static void *conditions(void *unused)
{
	pthread_mutex_t mutex = mutex_of(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE);
	struct timespec late = date_in(CLOCK_REALTIME, MS);
	pthread_cond_t condition;

	expect_ok(pthread_cond_init(&condition, NULL));
	expect_eq(pthread_cond_wait(&condition, &mutex), EPERM);
	expect_eq(pthread_cond_timedwait(&condition, &mutex, &late), EPERM);
	expect_ok(pthread_mutex_lock(&mutex));
	expect_eq(pthread_cond_timedwait(&condition, &mutex, &bad), EINVAL);
	expect_eq(pthread_cond_timedwait(&condition, &mutex, &late), ETIMEDOUT);
	expect_ok(pthread_mutex_unlock(&mutex));
	expect_ok(pthread_cond_destroy(&condition));
	return unused;
}

static void *semaphores(void *unused)
{
	sem_t *named;
	sem_t sem;

	expect_errno(sem_init(&sem, 0, SEM_VALUE_MAX + 1u), EINVAL);
	expect_ok(sem_init(&sem, 0, SEM_VALUE_MAX));
	expect_errno(sem_post(&sem), EOVERFLOW);
	expect_ok(sem_destroy(&sem));
	expect_ok(sem_init(&sem, 0, 0));
	expect_errno(sem_trywait(&sem), EAGAIN);
	expect_errno(sem_timedwait(&sem, &bad), EINVAL);
	expect_ok(sem_destroy(&sem));
	errno = 0;
	expect_true(sem_open(long_name, O_CREAT, 0600, 1) == SEM_FAILED && errno == EINVAL);
	expect_true(sem_open("/tactus-none", 0) == SEM_FAILED && errno == ENOENT);
	expect_true(sem_open("/tactus-new", O_CREAT, 0600, SEM_VALUE_MAX + 1u) == SEM_FAILED &&
		    errno == EINVAL);
	named = sem_open("/tactus-refusals", O_CREAT, 0600, 1);
	expect_true(named != SEM_FAILED);
	expect_true(sem_open("/tactus-refusals", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED &&
		    errno == EEXIST);
	expect_ok(sem_close(named));
	expect_errno(sem_close(&sem), EINVAL);
	expect_ok(sem_unlink("/tactus-refusals"));
	expect_errno(sem_unlink("/tactus-refusals"), ENOENT);
	expect_errno(sem_unlink(long_name), ENOENT);
	return unused;
}

static void *queue_names(void *unused)
{
	struct mq_attr none = {.mq_maxmsg = 0, .mq_msgsize = 0};
	mqd_t queue;

	expect_errno(mq_open(long_name, O_CREAT | O_RDWR, 0600, NULL), ENAMETOOLONG);
	expect_errno(mq_open("/tactus-none", O_RDWR), ENOENT);
	expect_errno(mq_open("/tactus-none", O_CREAT | O_RDWR, 0600, &none), EINVAL);
	queue = mq_open("/tactus-refusals", O_CREAT | O_RDWR, 0600, NULL);
	expect_true(queue >= 0);
	expect_errno(mq_open("/tactus-refusals", O_CREAT | O_EXCL | O_RDWR, 0600, NULL), EEXIST);
	expect_ok(mq_close(queue));
	expect_ok(mq_unlink("/tactus-refusals"));
	expect_errno(mq_unlink("/tactus-refusals"), ENOENT);
	expect_errno(mq_unlink(long_name), ENAMETOOLONG);
	return unused;
}

static void *queues(void *unused)
{
	struct mq_attr small = {.mq_maxmsg = 1, .mq_msgsize = 4};
	struct sigevent to_nobody = {.sigev_notify = 77};
	struct sigevent none = {.sigev_notify = SIGEV_NONE};
	struct timespec late = date_in(CLOCK_REALTIME, MS);
	mqd_t queue = mq_open("/tactus-small", O_CREAT | O_RDWR, 0600, &small);
	mqd_t other = mq_open("/tactus-small", O_RDWR | O_NONBLOCK);
	char text[8] = "text";

	expect_ok(mq_unlink("/tactus-small"));
	expect_errno(mq_receive(other, text, 4, NULL), EAGAIN);
	expect_errno(mq_timedreceive(other, text, 4, NULL, &late), EAGAIN);
	expect_errno(mq_receive(queue, text, 3, NULL), EMSGSIZE);
	expect_errno(mq_timedreceive(queue, text, 3, NULL, &late), EMSGSIZE);
	expect_errno(mq_timedreceive(queue, text, 4, NULL, &bad), EINVAL);
	expect_errno(mq_timedreceive(queue, text, 4, NULL, &late), ETIMEDOUT);
	expect_errno(mq_send(queue, text, 5, 0), EMSGSIZE);
	expect_errno(mq_timedsend(queue, text, 5, 0, &late), EMSGSIZE);
	expect_ok(mq_send(queue, text, 4, 0));
	expect_errno(mq_send(other, text, 4, 0), EAGAIN);
	expect_errno(mq_timedsend(other, text, 4, 0, &late), EAGAIN);
	expect_errno(mq_timedsend(queue, text, 4, 0, &bad), EINVAL);
	expect_errno(mq_timedsend(queue, text, 4, 0, &late), ETIMEDOUT);
	expect_errno(mq_notify(queue, &to_nobody), EINVAL);
	expect_ok(mq_notify(queue, &none));
	expect_errno(mq_notify(queue, &none), EBUSY);
	expect_ok(mq_close(other));
	expect_ok(mq_close(queue));
	expect_errno(mq_close(queue), EBADF);
	expect_errno(mq_getattr(queue, &small), EBADF);
	expect_errno(mq_setattr(queue, &small, NULL), EBADF);
	expect_errno(mq_send(queue, text, 4, 0), EBADF);
	expect_errno(mq_timedsend(queue, text, 4, 0, &late), EBADF);
	expect_errno(mq_receive(queue, text, 4, NULL), EBADF);
	expect_errno(mq_timedreceive(queue, text, 4, NULL, &late), EBADF);
	expect_errno(mq_notify(queue, NULL), EBADF);
	return unused;
}

static void *timers(void *unused)
{
	struct itimerspec wrong = {.it_value = {0, 1000000000}};
	struct sigevent to_nobody = {.sigev_notify = 77};
	struct itimerspec was;
	timer_t timer;
	int fd;

	expect_errno(timer_create(77, NULL, &timer), EINVAL);
	expect_errno(timer_create(CLOCK_MONOTONIC, &to_nobody, &timer), EINVAL);
	expect_ok(timer_create(CLOCK_MONOTONIC, NULL, &timer));
	expect_errno(timer_settime(timer, 0, &wrong, NULL), EINVAL);
	expect_ok(timer_delete(timer));
	expect_errno(timer_delete(timer), EINVAL);
	expect_errno(timer_settime(timer, 0, &wrong, NULL), EINVAL);
	expect_errno(timer_gettime(timer, &was), EINVAL);
	expect_errno(timer_getoverrun(timer), EINVAL);
	expect_errno(timerfd_create(77, 0), EINVAL);
	fd = timerfd_create(CLOCK_MONOTONIC, 0);
	expect_errno(timerfd_settime(fd, 0, &wrong, NULL), EINVAL);
	expect_ok(close(fd));
	was = (struct itimerspec){0};
	expect_errno(timerfd_settime(fd, 0, &was, NULL), EBADF);
	expect_errno(timerfd_gettime(fd, &was), EBADF);
	return unused;
}

static void *clocks(void *unused)
{
	struct timespec now;

	expect_errno(clock_getres(77, &now), EINVAL);
	expect_errno(clock_gettime(77, &now), EINVAL);
	expect_errno(clock_settime(77, &bad), EINVAL);
	expect_errno(clock_settime(CLOCK_REALTIME, &bad), EINVAL);
	expect_eq(clock_nanosleep(77, 0, &now, NULL), EINVAL);
	expect_eq(clock_nanosleep(CLOCK_MONOTONIC, 0, &bad, NULL), EINVAL);
	expect_eq(clock_nanosleep(CLOCK_MONOTONIC_RAW, 0, &(struct timespec){0, 1}, NULL), ENOTSUP);
	expect_errno(nanosleep(&bad, NULL), EINVAL);
	return unused;
}

static void *signals(void *unused)
{
	union sigval value = {0};
	sigset_t set;
	int gone = fcntl(0, F_DUPFD, 900);
	fd_set files;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	expect_errno(sigtimedwait(&set, NULL, &bad), EINVAL);
	expect_errno(sigtimedwait(&set, NULL, &(struct timespec){0, 1000}), EAGAIN);
	expect_errno(kill(getpid(), 77), EINVAL);
	expect_errno(kill(NOBODY, 0), ESRCH);
	expect_errno(sigqueue(getpid(), 77, value), EINVAL);
	expect_errno(sigqueue(NOBODY, 0, value), ESRCH);
	expect_eq(pthread_kill(pthread_self(), 77), EINVAL);
	expect_ok(close(gone));
	FD_ZERO(&files);
	FD_SET(gone, &files);
	expect_errno(select(gone + 1, &files, NULL, NULL, NULL), EBADF);
	expect_errno(select(-1, NULL, NULL, NULL, NULL), EINVAL);
	return unused;
}

static void in_both(void *(*entry)(void *))
{
	(void)entry(NULL);
	in_task(entry, NULL);
}
#define BOTH(name)                      \
	static void refuse_##name(void) \
	{                               \
		in_both(name);          \
	}
BOTH(mutexes)
BOTH(conditions)
BOTH(semaphores)
BOTH(queue_names)
BOTH(queues)
BOTH(timers)
BOTH(clocks)
BOTH(signals)

static void refuse_bad_dates(void)
{
	taken = mutex_of(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT);
	expect_ok(pthread_mutex_lock(&taken));
	in_task(bad_dates, NULL);
	expect_ok(pthread_mutex_unlock(&taken));
	expect_ok(pthread_mutex_destroy(&taken));
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(refuse_mutexes),    CASE(refuse_bad_dates),   CASE(refuse_conditions),
		CASE(refuse_semaphores), CASE(refuse_queue_names), CASE(refuse_queues),
		CASE(refuse_timers),     CASE(refuse_clocks),      CASE(refuse_signals),
	};

	memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[0] = '/';
	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
