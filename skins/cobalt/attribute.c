/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Attributes of threads with the additional policies, and creation with them. */
#include "cobalt_internal.h"

#include <pthread.h>
#include <stdlib.h>

int pthread_attr_init_ex(pthread_attr_ex_t *attr_ex)
{
	*attr_ex = (pthread_attr_ex_t){.nonstd = {.sched_policy = SCHED_OTHER}};
	return pthread_attr_init(&attr_ex->std);
}

int pthread_attr_destroy_ex(pthread_attr_ex_t *attr_ex)
{
	return pthread_attr_destroy(&attr_ex->std);
}

int pthread_attr_setschedpolicy_ex(pthread_attr_ex_t *attr_ex, int policy)
{
	if (cobalt_priority_min(policy) < 0)
		return EINVAL;
	attr_ex->nonstd.sched_policy = policy;
	return 0;
}

int pthread_attr_getschedpolicy_ex(const pthread_attr_ex_t *attr_ex, int *policy)
{
	*policy = attr_ex->nonstd.sched_policy;
	return 0;
}

int pthread_attr_setschedparam_ex(pthread_attr_ex_t *attr_ex, const struct sched_param_ex *param_ex)
{
	attr_ex->nonstd.sched_param = *param_ex;
	return 0;
}

int pthread_attr_getschedparam_ex(const pthread_attr_ex_t *attr_ex, struct sched_param_ex *param_ex)
{
	*param_ex = attr_ex->nonstd.sched_param;
	return 0;
}

int pthread_attr_setinheritsched_ex(pthread_attr_ex_t *attr_ex, int inheritsched)
{
	return pthread_attr_setinheritsched(&attr_ex->std, inheritsched);
}

int pthread_attr_getinheritsched_ex(const pthread_attr_ex_t *attr_ex, int *inheritsched)
{
	return pthread_attr_getinheritsched(&attr_ex->std, inheritsched);
}

int pthread_attr_setdetachstate_ex(pthread_attr_ex_t *attr_ex, int detachstate)
{
	return pthread_attr_setdetachstate(&attr_ex->std, detachstate);
}

int pthread_attr_getdetachstate_ex(const pthread_attr_ex_t *attr_ex, int *detachstate)
{
	return pthread_attr_getdetachstate(&attr_ex->std, detachstate);
}

int pthread_attr_setstacksize_ex(pthread_attr_ex_t *attr_ex, size_t stacksize)
{
	return pthread_attr_setstacksize(&attr_ex->std, stacksize);
}

int pthread_attr_getstacksize_ex(const pthread_attr_ex_t *attr_ex, size_t *stacksize)
{
	return pthread_attr_getstacksize(&attr_ex->std, stacksize);
}

int pthread_attr_setscope_ex(pthread_attr_ex_t *attr_ex, int scope)
{
	return pthread_attr_setscope(&attr_ex->std, scope);
}

int pthread_attr_getscope_ex(const pthread_attr_ex_t *attr_ex, int *scope)
{
	return pthread_attr_getscope(&attr_ex->std, scope);
}

int pthread_attr_setpersonality_ex(pthread_attr_ex_t *attr_ex, int personality)
{
	attr_ex->nonstd.personality = personality;
	return 0;
}

int pthread_attr_getpersonality_ex(const pthread_attr_ex_t *attr_ex, int *personality)
{
	*personality = attr_ex->nonstd.personality;
	return 0;
}

struct birth {
	void *(*start)(void *);
	void *arg;
	int policy;
	struct sched_param_ex param;
	sem_t began;
	sem_t go;
	int error;
};

/* If the class of its policy may keep the thread from running, the thread has SCHED_FIFO until its
 * creator has set that policy. */
static void *begin(void *arg)
{
	struct birth *birth = arg;
	void *(*start)(void *) = birth->start;
	void *start_arg = birth->arg;
	int error;

	birth->error = pthread_setschedparam_ex(
		pthread_self(), cobalt_has_class(birth->policy) ? SCHED_FIFO : birth->policy,
		&birth->param);
	(void)sem_post(&birth->began);
	while (sem_wait(&birth->go))
		;
	error = birth->error;
	free(birth);
	cobalt_thread_harden();
	return error ? NULL : start(start_arg);
}

/* After `go` was posted, the birth belongs to the thread, which frees it. */
static int create_with(pthread_t *ptid_r, const pthread_attr_t *attr, struct birth *birth)
{
	pthread_t thread;
	int detached = PTHREAD_CREATE_JOINABLE;
	int error;

	(void)sem_init(&birth->began, 0, 0);
	(void)sem_init(&birth->go, 0, 0);
	error = __wrap_pthread_create(&thread, attr, begin, birth);
	if (error) {
		free(birth);
		return error;
	}
	while (sem_wait(&birth->began))
		;
	if (!birth->error && cobalt_has_class(birth->policy))
		birth->error = pthread_setschedparam_ex(thread, birth->policy, &birth->param);
	error = birth->error;
	(void)sem_post(&birth->go);
	(void)pthread_attr_getdetachstate(attr, &detached);
	if (error && detached == PTHREAD_CREATE_JOINABLE)
		(void)pthread_join(thread, NULL);
	if (!error)
		*ptid_r = thread;
	return error;
}

int pthread_create_ex(pthread_t *ptid_r, const pthread_attr_ex_t *attr_ex, void *(*start)(void *),
		      void *arg)
{
	int inherits = PTHREAD_INHERIT_SCHED;
	const struct sched_param other = {0};
	struct birth *birth;
	pthread_attr_t attr;

	if (!attr_ex)
		return __wrap_pthread_create(ptid_r, NULL, start, arg);
	(void)pthread_attr_getinheritsched(&attr_ex->std, &inherits);
	if (inherits == PTHREAD_INHERIT_SCHED)
		return __wrap_pthread_create(ptid_r, &attr_ex->std, start, arg);
	birth = calloc(1, sizeof(*birth));
	if (!birth)
		return EAGAIN;
	birth->start = start;
	birth->arg = arg;
	birth->policy = cobalt_policy_meant(attr_ex->nonstd.sched_policy,
					    &attr_ex->nonstd.sched_param, &birth->param);
	/* What it points to need not be copied, as it is not changed. */
	attr = attr_ex->std;
	(void)pthread_attr_setschedpolicy(&attr, SCHED_OTHER);
	(void)pthread_attr_setschedparam(&attr, &other);
	return create_with(ptid_r, &attr, birth);
}
