/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Random programs: mutexes of all types and protocols, robust and not, and conditions. Threads wait
 * for mutexes in the order of their numbers, so that no circle of owners waits. */
#include "random.h"

static pthread_mutex_t mutexes[MUTEXES];
static pthread_cond_t conditions[MUTEXES];
static int types[MUTEXES], protocols[MUTEXES];
static bool robust[MUTEXES];
static clockid_t clocks[MUTEXES];
static unsigned waiting[MUTEXES], asking[MUTEXES];

static bool holds_from(unsigned number)
{
	for (unsigned i = number; i < MUTEXES; i++)
		if (self->held[i])
			return true;
	return false;
}

static long owned(unsigned number, int error)
{
	if (!error || error == EOWNERDEAD)
		self->held[number]++;
	return error;
}

/* The C library leaves a thread at a ceiling for which it waited in vain. */
static bool may_fail(unsigned number)
{
	return protocols[number] != PTHREAD_PRIO_PROTECT;
}

/* A second lock of a plain mutex never returns. */
static bool may_lock(unsigned number)
{
	return self->held[number] ? types[number] != PTHREAD_MUTEX_NORMAL : !holds_from(number);
}

static long lock(unsigned what, unsigned how)
{
	struct timespec then;
	int error;

	what %= MUTEXES;
	if (!may_lock(what))
		return SKIPPED;
	asking[what]++;
	if (how < 5 || !may_fail(what)) {
		error = pthread_mutex_lock(&mutexes[what]);
	} else if (how < 7) {
		then = soon(CLOCK_REALTIME);
		error = pthread_mutex_timedlock(&mutexes[what], &then);
	} else {
		then = soon(CLOCK_MONOTONIC);
		error = pthread_mutex_clocklock(&mutexes[what], CLOCK_MONOTONIC, &then);
	}
	asking[what]--;
	return owned(what, error);
}

static long try(unsigned what, unsigned how)
{
	(void)how;
	what %= MUTEXES;
	return may_fail(what) ? owned(what, pthread_mutex_trylock(&mutexes[what])) : SKIPPED;
}

static long unlock(unsigned what, unsigned how)
{
	int error;

	(void)how;
	what %= MUTEXES;
	if (!self->held[what] && types[what] == PTHREAD_MUTEX_NORMAL)
		return SKIPPED;
	error = pthread_mutex_unlock(&mutexes[what]);
	if (!error)
		self->held[what]--;
	return error;
}

static long consistent(unsigned what, unsigned how)
{
	(void)how;
	what %= MUTEXES;
	return self->held[what] ? pthread_mutex_consistent(&mutexes[what]) : SKIPPED;
}

static long get_ceiling(unsigned what, unsigned how)
{
	int ceiling = 0;
	int error = pthread_mutex_getprioceiling(&mutexes[what % MUTEXES], &ceiling);

	(void)how;
	return error ? error : 1000 + ceiling;
}

/* This locks the mutex. */
static long set_ceiling(unsigned what, unsigned how)
{
	int old = 0;
	int error;

	if (holds_from(0))
		return SKIPPED;
	error = pthread_mutex_setprioceiling(&mutexes[what % MUTEXES], 70 + (int)how, &old);
	return error ? error : 1000 + old;
}

static long wait_condition(unsigned what, unsigned how)
{
	struct timespec then;
	int error;

	what %= MUTEXES;
	for (unsigned i = 0; i < MUTEXES; i++)
		if (self->held[i] != (i == what))
			return SKIPPED;
	waiting[what]++;
	if (how < 4) {
		error = pthread_cond_wait(&conditions[what], &mutexes[what]);
	} else if (how < 6) {
		then = soon(clocks[what]);
		error = pthread_cond_timedwait(&conditions[what], &mutexes[what], &then);
	} else {
		then = soon(CLOCK_MONOTONIC);
		error = pthread_cond_clockwait(&conditions[what], &mutexes[what], CLOCK_MONOTONIC,
					       &then);
	}
	waiting[what]--;
	if (error == EPERM || error == ENOTRECOVERABLE)
		self->held[what] = 0;
	return error;
}

/* Of several waiters, the C library may choose one that is not the most urgent. */
static long wake(unsigned what, unsigned how)
{
	what %= MUTEXES;
	return how < 4 && waiting[what] < 2 ? pthread_cond_signal(&conditions[what])
					    : pthread_cond_broadcast(&conditions[what]);
}

static const struct operation operations[] = {
	{"lock", "mutex", lock},
	{"lock", "mutex", lock},
	{"trylock", "mutex", try},
	{"unlock", "mutex", unlock},
	{"unlock", "mutex", unlock},
	{"consistent", "mutex", consistent},
	{"ceiling", "mutex", get_ceiling},
	{"set_ceiling", "ceiling", set_ceiling},
	{"cond_wait", "cond", wait_condition},
	{"cond_wait", "cond", wait_condition},
	{"cond_wake", "cond", wake},
};

static void make_mutex(unsigned i)
{
	static const int all_types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ERRORCHECK,
					PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ADAPTIVE_NP};
	pthread_mutexattr_t attributes;
	pthread_condattr_t of_condition;

	pthread_mutexattr_init(&attributes);
	types[i] = all_types[chosen(3)];
	protocols[i] = (int)chosen(3);
	robust[i] = may_be_robust && protocols[i] == PTHREAD_PRIO_NONE && chosen(3) == 0;
	pthread_mutexattr_settype(&attributes, types[i]);
	pthread_mutexattr_setprotocol(&attributes, protocols[i]);
	if (protocols[i] == PTHREAD_PRIO_PROTECT)
		pthread_mutexattr_setprioceiling(&attributes, 60 + (int)i);
	if (robust[i])
		pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&mutexes[i], &attributes);
	clocks[i] = chosen(2) ? CLOCK_MONOTONIC : CLOCK_REALTIME;
	pthread_condattr_init(&of_condition);
	pthread_condattr_setclock(&of_condition, clocks[i]);
	pthread_cond_init(&conditions[i], &of_condition);
	waiting[i] = asking[i] = 0;
}

static void make(void)
{
	for (unsigned i = 0; i < MUTEXES; i++)
		make_mutex(i);
}

static void free_all(unsigned round)
{
	(void)round;
	for (unsigned i = 0; i < MUTEXES; i++)
		pthread_cond_broadcast(&conditions[i]);
}

/* A robust mutex is left to the next thread that wants it. Linux decides when its owner has ended,
 * which takes some time if a thread waits. */
static void leave(void)
{
	for (unsigned i = 0; i < MUTEXES; i++) {
		if (robust[i] && !asking[i] && !waiting[i])
			continue;
		for (; self->held[i]; self->held[i]--)
			note("leave", i, pthread_mutex_unlock(&mutexes[i]));
	}
}

static void destroy(void)
{
	for (unsigned i = 0; i < MUTEXES; i++) {
		note("mutex_destroy", i, pthread_mutex_destroy(&mutexes[i]));
		note("cond_destroy", i, pthread_cond_destroy(&conditions[i]));
	}
}

const struct kind random_locks = {
	operations, sizeof(operations) / sizeof(operations[0]), make, free_all, leave, destroy,
};
