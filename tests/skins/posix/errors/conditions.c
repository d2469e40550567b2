/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Conditions, with mutexes that report their owners. */
#define _GNU_SOURCE
#include "errors.h"

static const struct timespec wrong = {.tv_nsec = -1}, past = {.tv_sec = 1};
static struct timespec far;
static pthread_cond_t cond;
static pthread_mutex_t mutex;

static void make(int type, int protocol, int robust)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type);
	pthread_mutexattr_setprotocol(&attributes, protocol);
	pthread_mutexattr_setrobust(&attributes, robust);
	NEED(!pthread_mutex_init(&mutex, &attributes));
	pthread_mutexattr_destroy(&attributes);
	NEED(!pthread_cond_init(&cond, NULL));
}

static void unmake(void)
{
	NEED(!pthread_cond_destroy(&cond));
	NEED(!pthread_mutex_destroy(&mutex));
}

static void ask(void)
{
	RETURNS(EPERM, pthread_cond_wait(&cond, &mutex));
	RETURNS(EPERM, pthread_cond_timedwait(&cond, &mutex, &far));
	RETURNS(EPERM, pthread_cond_clockwait(&cond, &mutex, CLOCK_REALTIME, &far));
	NEED(!pthread_mutex_lock(&mutex));
	RETURNS(ETIMEDOUT, pthread_cond_timedwait(&cond, &mutex, &past));
	RETURNS(ETIMEDOUT, pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &past));
	RETURNS(EINVAL, pthread_cond_timedwait(&cond, &mutex, &wrong));
	RETURNS(EINVAL, pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &wrong));
	RETURNS(EINVAL, pthread_cond_clockwait(&cond, &mutex, 77, &far));
	NEED(!pthread_mutex_unlock(&mutex));
}

/* It gets the mutex when the other one waits, and ends with it. */
static void *signals_and_ends(void *argument)
{
	(void)pthread_mutex_lock(&mutex);
	(void)pthread_cond_signal(&cond);
	return argument;
}

static void *ends(void *argument)
{
	(void)pthread_mutex_lock(&mutex);
	return argument;
}

/* It unlocks the mutex of an ended owner without making it consistent. */
static void *signals_and_spoils(void *argument)
{
	joined(other_thread(ends, NULL));
	NEED(pthread_mutex_lock(&mutex) == EOWNERDEAD);
	(void)pthread_cond_signal(&cond);
	NEED(!pthread_mutex_unlock(&mutex));
	return argument;
}

static pthread_t with(void *(*who)(void *), int protocol)
{
	make(PTHREAD_MUTEX_NORMAL, protocol, PTHREAD_MUTEX_ROBUST);
	NEED(!pthread_mutex_lock(&mutex));
	return other_thread(who, NULL);
}

static void end(pthread_t thread)
{
	(void)pthread_mutex_unlock(&mutex);
	joined(thread);
	unmake();
}

static void robust(int protocol)
{
	pthread_t thread = with(signals_and_ends, protocol);

	RETURNS(EOWNERDEAD, pthread_cond_wait(&cond, &mutex));
	end(thread);
	thread = with(signals_and_ends, protocol);
	RETURNS(EOWNERDEAD, pthread_cond_timedwait(&cond, &mutex, &far));
	end(thread);
	thread = with(signals_and_ends, protocol);
	RETURNS(EOWNERDEAD, pthread_cond_clockwait(&cond, &mutex, CLOCK_REALTIME, &far));
	end(thread);
	thread = with(signals_and_spoils, protocol);
	RETURNS(ENOTRECOVERABLE, pthread_cond_wait(&cond, &mutex));
	end(thread);
	thread = with(signals_and_spoils, protocol);
	RETURNS(ENOTRECOVERABLE, pthread_cond_timedwait(&cond, &mutex, &far));
	end(thread);
	thread = with(signals_and_spoils, protocol);
	RETURNS(ENOTRECOVERABLE, pthread_cond_clockwait(&cond, &mutex, CLOCK_REALTIME, &far));
	end(thread);
}

static void cases(void)
{
	static const int protocols[] = {PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT};

	far = errors_far(CLOCK_REALTIME);
	for (int i = 0; i < 2; i++) {
		make(PTHREAD_MUTEX_ERRORCHECK, protocols[i], PTHREAD_MUTEX_STALLED);
		ask();
		unmake();
		robust(protocols[i]);
	}
}

int main(void)
{
	return from_every_thread(cases);
}
