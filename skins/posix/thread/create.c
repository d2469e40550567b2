/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads from birth to death. Linux makes them, with the requested policy, so that it can refuse
 * the request. A real-time thread then makes itself a task before its entry begins, and is a plain
 * thread again before its thread-local data are destroyed.
 */
#define _GNU_SOURCE
/*
 * The cleanups use the C library's list, which works wherever a thread was cancelled. Cleanups by
 * exceptions are skipped if a frame of the program below has no unwind table.
 */
#undef __EXCEPTIONS
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "posix/libc/layout.h"
#include "posix/libc/real.h"
#include "posix/state/record.h"
#include "posix/state/stay.h"
#include "posix/thread/attributes.h"
#include "posix/thread/lives.h"
#include "posix/thread/records.h"
#include "posix/thread/thread.h"

#define POLICY_SET (POSIX_ATTR_POLICY_SET | POSIX_ATTR_PRIORITY_SET)

struct birth {
	void *(*entry)(void *argument);
	void *argument;
	bool reset; /* its creator passes on no real-time policy */
	bool given; /* its attributes set all: the C library sets it in Linux before the thread runs
		     */
	struct posix_thread_init thread_init;
};

static void end(void *unused)
{
	(void)unused;
	posix_thread_leave();
}

/*
 * A thread made by a task inherits the policy and priority of the shadow, which are not exactly
 * those of the task. What another thread sets for it meanwhile comes last.
 */
static void tell_linux(void)
{
	struct sched_param parameter;
	int policy;
	bool stands;

	do {
		posix_threads_lock();
		policy = posix_me.policy;
		parameter.sched_priority = posix_me.priority;
		posix_threads_unlock();
		posix_real.sched_setscheduler(0, policy, &parameter);
		posix_threads_lock();
		stands = policy == posix_me.policy && parameter.sched_priority == posix_me.priority;
		posix_threads_unlock();
	} while (!stands);
}

static void *begin(void *argument)
{
	struct birth *birth = argument;
	void *(*const entry)(void *) = birth->entry;
	void *const given = birth->argument;
	const bool reset = birth->reset, told = birth->given;
	void *result;
	int cancel;

	if (posix_thread_enter(&birth->thread_init))
		free(birth);
	posix_life_begins();
	pthread_cleanup_push(end, NULL);
	if (reset ||
	    (!told && atomic_load_explicit(&posix_me.state, memory_order_relaxed) != POSIX_PLAIN))
		tell_linux();
	(void)posix_is_task();
	result = entry(given);
	/* The returned value stands, even if the thread was cancelled meanwhile. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_cleanup_pop(1);
	pthread_setcancelstate(cancel, NULL);
	return result;
}

/*
 * What does a thread get from its creator? With explicit scheduling it gets what the attributes do
 * not name. If they name nothing, it gets this only if the C library has stored the creator's
 * policy, because the C library has set it, has reported it, or made the creator with attributes
 * that name it. Otherwise the C library takes the default for it.
 */
static bool inherits(const pthread_attr_t *attributes, int *policy, struct sched_param *parameter)
{
	int how = PTHREAD_INHERIT_SCHED;
	int set;

	if (attributes)
		pthread_attr_getinheritsched(attributes, &how);
	set = how == PTHREAD_EXPLICIT_SCHED ? posix_attr_flags(attributes) : 0;
	if (how == PTHREAD_EXPLICIT_SCHED &&
	    !(set & (POSIX_ATTR_POLICY_SET | POSIX_ATTR_PRIORITY_SET)) &&
	    !atomic_load_explicit(&posix_me.made.reported, memory_order_relaxed)) {
		*policy = SCHED_OTHER;
		parameter->sched_priority = 0;
		return false;
	}
	if (!(set & (POSIX_ATTR_POLICY_SET | POSIX_ATTR_PRIORITY_SET)))
		return true;
	*policy &= ~SCHED_RESET_ON_FORK;
	if (set & POSIX_ATTR_POLICY_SET)
		pthread_attr_getschedpolicy(attributes, policy);
	if (set & POSIX_ATTR_PRIORITY_SET)
		pthread_attr_getschedparam(attributes, parameter);
	return false;
}

/* Which of policy and priority are requested explicitly. */
static int names(const pthread_attr_t *attributes)
{
	int how = PTHREAD_INHERIT_SCHED;

	if (attributes)
		pthread_attr_getinheritsched(attributes, &how);
	return how == PTHREAD_EXPLICIT_SCHED ? posix_attr_flags(attributes) & POLICY_SET : 0;
}

/* The policy and the affinity with which the thread will begin. */
static void foresee(const pthread_attr_t *attributes, struct birth *birth)
{
	struct posix_thread *record = &birth->thread_init.record;
	int policy = posix_me.policy;
	struct sched_param parameter = {.sched_priority = posix_me.priority};
	cpu_set_t cpus;
	bool inherited;

	record->affinity.confined = posix_me.affinity.confined;
	record->affinity.set = posix_me.affinity.set;
	record->follow.unfit = posix_me.follow.unfit & POSIX_CLOCKLESS;
	if (attributes && posix_attributes_affinity(attributes, &cpus)) {
		record->affinity.confined = true;
		record->affinity.set = cpus;
	}
	inherited = inherits(attributes, &policy, &parameter);
	if (inherited && policy & SCHED_RESET_ON_FORK) {
		policy = SCHED_OTHER;
		parameter.sched_priority = 0;
		birth->reset = true;
	}
	atomic_store_explicit(&record->made.reported,
			      atomic_load_explicit(&posix_me.made.reported, memory_order_relaxed) ||
				      names(attributes),
			      memory_order_relaxed);
	birth->given = names(attributes) == POLICY_SET;
	posix_thread_set_policy(record, policy, parameter.sched_priority);
	if (inherited && posix_me.stay.inherited)
		posix_stay_inherit(record);
}

/* PLACED: away from the real-time CPUs. */
static int create(pthread_t *thread, const pthread_attr_t *attributes, struct birth *birth,
		  bool placed)
{
	pthread_attr_t revised;
	bool is_revised =
		posix_attributes_revise(attributes, &birth->thread_init.record, placed, &revised);
	int error =
		posix_real.pthread_create(thread, is_revised ? &revised : attributes, begin, birth);

	if (is_revised)
		pthread_attr_destroy(&revised);
	return error;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*entry)(void *),
		   void *argument)
{
	struct birth *birth;
	bool real_time;
	sigset_t mask;
	int error;

	if (posix_from_tactus(__builtin_return_address(0)))
		return posix_real.pthread_create(thread, attributes, entry, argument);
	/* Linux refuses this to a thread with this policy, whichever policy the new one is to
	 * have. */
	if (posix_me.policy == SCHED_DEADLINE)
		return EAGAIN;
	birth = calloc(1, sizeof(*birth));
	if (!birth)
		return EAGAIN;
	birth->entry = entry;
	birth->argument = argument;
	foresee(attributes, birth);
	real_time = posix_policy_is_real_time(birth->thread_init.record.policy) &&
		    !birth->thread_init.record.stay.waits_first;
	if (!posix_thread_init_begin(&birth->thread_init,
				     posix_attributes_mask(attributes, &mask) ? &mask : NULL)) {
		posix_stay_chosen(&birth->thread_init.record);
		free(birth);
		return EAGAIN;
	}
	posix_life_expect();
	error = create(thread, attributes, birth, real_time);
	/* The attributes name only CPUs that Linux has given up. */
	if (error == EINVAL && !real_time)
		error = create(thread, attributes, birth, true);
	if (error) {
		posix_life_forget();
		posix_stay_chosen(&birth->thread_init.record);
		posix_thread_init_cancel(&birth->thread_init);
	}
	if (error || !posix_thread_init_created(&birth->thread_init, thread))
		free(birth);
	/* The caller may spin until the new thread runs, which begins on the CPUs of secondary
	 * mode. So the caller leaves these. */
	if (posix_is_task())
		(void)tact_task_harden();
	return error;
}
