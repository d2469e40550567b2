/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Linux in virtual time, for programs that are linked with the simulation: threads that are made by
 * pthread_create() are in it, and sleeps take virtual time. The linker puts these functions in
 * place of Linux's in the program's own object files only (--wrap). A user at the terminal takes
 * ten seconds to type.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <rtai_lxrt.h>

#include "linux_poll.h"

#define TYPING_NS 10000000000ll
#define LONG_NS   ((RTIME)1 << 60)

int __real_getchar(void);
int __real_getc(FILE *file);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
			  void *arg);
int __wrap_pthread_join(pthread_t thread, void **result);
int __wrap_pthread_detach(pthread_t thread);
int __wrap_pthread_cancel(pthread_t thread);
int __wrap_pthread_kill(pthread_t thread, int signal);
int __wrap_pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *param);
int __wrap_pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *param);
unsigned int __wrap_sleep(unsigned int seconds);
int __wrap_usleep(useconds_t us);
int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left);
int __wrap_pause(void);
int __wrap_getchar(void);
int __wrap_getc(FILE *file);

struct thread {
	void *(*start)(void *);
	void *arg;
	void *result;
	long number;
};

static void *run(void *arg)
{
	struct thread *self = arg;

	self->result = self->start(self->arg);
	return NULL;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
			  void *arg)
{
	struct thread *made = malloc(sizeof(*made));
	size_t stack_bytes = 0;

	if (!made)
		return EAGAIN;
	*made = (struct thread){.start = start, .arg = arg};
	if (attr)
		(void)pthread_attr_getstacksize(attr, &stack_bytes);
	*thread = (pthread_t)made;
	made->number = rt_thread_create((void *)run, made, (int)stack_bytes);
	if (made->number)
		return 0;
	free(made);
	return EAGAIN;
}

int __wrap_pthread_join(pthread_t thread, void **result)
{
	struct thread *joined = (struct thread *)thread;
	int error = rt_thread_join(joined->number);

	if (error)
		return error;
	if (result)
		*result = joined->result;
	free(joined);
	return 0;
}

/* The id is not one of the C library's, which would take it for an address of its own. */
int __wrap_pthread_detach(pthread_t thread)
{
	(void)thread; /* its 32 bytes stay */
	return 0;
}

int __wrap_pthread_cancel(pthread_t thread)
{
	(void)thread;
	return ENOSYS;
}

int __wrap_pthread_kill(pthread_t thread, int signal)
{
	(void)thread;
	(void)signal;
	return ENOSYS;
}

int __wrap_pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *param)
{
	(void)thread;
	(void)policy;
	(void)param;
	return ENOSYS;
}

int __wrap_pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *param)
{
	(void)thread;
	(void)policy;
	(void)param;
	return ENOSYS;
}

unsigned int __wrap_sleep(unsigned int seconds)
{
	(void)rt_sleep((RTIME)seconds * 1000000000);
	return 0;
}

int __wrap_usleep(useconds_t us)
{
	(void)rt_sleep((RTIME)us * 1000);
	return 0;
}

int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left)
{
	if (!wanted) {
		errno = EFAULT;
		return -1;
	}
	if (wanted->tv_sec < 0 || wanted->tv_nsec < 0 || wanted->tv_nsec >= 1000000000) {
		errno = EINVAL;
		return -1;
	}
	(void)rt_sleep((RTIME)wanted->tv_sec * 1000000000 + wanted->tv_nsec);
	if (left)
		*left = (struct timespec){0};
	return 0;
}

/* Files are ready or not at this instant; then the time passes. */
int rtai_linux_poll(struct pollfd *fds, nfds_t count, long long ns)
{
	const int ready = count ? __real_poll(fds, count, 0) : 0;

	if (ready || !ns)
		return ready;
	(void)rt_sleep(ns < 0 ? LONG_NS : ns);
	return count ? __real_poll(fds, count, 0) : 0;
}

int __wrap_pause(void)
{
	(void)rt_sleep(LONG_NS);
	errno = EINTR;
	return -1;
}

int __wrap_getchar(void)
{
	(void)rt_sleep(TYPING_NS);
	return __real_getchar();
}

/* What getchar() is with optimization. */
int __wrap_getc(FILE *file)
{
	if (file == stdin)
		(void)rt_sleep(TYPING_NS);
	return __real_getc(file);
}
