/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads from birth to death. Linux makes them, with the policy that was asked for, so that what
 * it refuses is refused; a real-time one then makes itself a task before its entry begins, and is a
 * plain thread again before its thread-local data is destroyed.
 */
#define _GNU_SOURCE
/*
 * Cleanups by the C library's list, which reaches them wherever a thread was cancelled. Those that
 * exceptions serve are skipped where a frame of the program below has no unwind table.
 */
#undef __EXCEPTIONS
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "affinity.h"
#include "layout.h"
#include "real.h"
#include "thread.h"
#include "wait.h"

/* How often, and after what, a thread is told again that it was cancelled. */
#define NAPS        1000
#define NAP_NS      50000
#define STACK_BYTES (160u * 1024u) /* at least: what adoption wants, and the thread's own */

struct birth {
	void *(*entry)(void *argument);
	void *argument;
	bool reset; /* its creator hands on no real-time policy */
	struct posix_newcomer newcomer;
};

/*
 * The last thread of a program ends it. The C library counts those of the real-time half, too, and
 * would wait for ever: so the program's own are counted here, each as late as can be, in the last
 * round of destructors of thread-local data.
 */
static _Atomic uint32_t living = 1;
static pthread_key_t life;

static void lived(void *rounds)
{
	uintptr_t left = (uintptr_t)rounds - 1;

	if (left)
		pthread_setspecific(life, (void *)left);
	else if (atomic_fetch_sub(&living, 1) == 1)
		exit(0);
}

static void live(void)
{
	pthread_setspecific(life, (void *)(uintptr_t)PTHREAD_DESTRUCTOR_ITERATIONS);
}

/* The first key is the program's, as it is elsewhere. */
void posix_lives_begin(void)
{
	pthread_key_t first;
	bool taken = !pthread_key_create(&first, NULL);

	pthread_key_create(&life, lived);
	live();
	if (taken)
		pthread_key_delete(first);
}

void posix_lives_forked(void)
{
	atomic_store(&living, 1);
}

static void end(void *unused)
{
	(void)unused;
	posix_thread_leave();
}

/*
 * One made by a task inherits its shadow's policy and priority, which are not quite the task's.
 * What another thread gives it meanwhile comes last.
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
	const bool reset = birth->reset;
	void *result;
	int cancel;

	if (posix_thread_enter(&birth->newcomer))
		free(birth);
	live();
	pthread_cleanup_push(end, NULL);
	if (reset || atomic_load_explicit(&posix_me.state, memory_order_relaxed) != POSIX_PLAIN)
		tell_linux();
	(void)posix_is_task();
	result = entry(given);
	/* What it has returned stands, whoever cancelled it meanwhile. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_cleanup_pop(1);
	pthread_setcancelstate(cancel, NULL);
	return result;
}

/* False: the program gave no affinity. One that was never set has every bit. */
static bool affinity_of(const pthread_attr_t *attributes, cpu_set_t *cpus)
{
	return !pthread_attr_getaffinity_np(attributes, sizeof(*cpus), cpus) && CPU_COUNT(cpus) &&
	       CPU_COUNT(cpus) < CPU_SETSIZE;
}

/* What of its creator's does it get? Asked for explicitly, it gets what the attributes do not name.
 */
static bool inherits(const pthread_attr_t *attributes, int *policy, struct sched_param *parameter)
{
	int how = PTHREAD_INHERIT_SCHED;
	int set;

	if (attributes)
		pthread_attr_getinheritsched(attributes, &how);
	set = how == PTHREAD_EXPLICIT_SCHED ? posix_attr_flags(attributes) : 0;
	if (!(set & (POSIX_ATTR_POLICY_SET | POSIX_ATTR_PRIORITY_SET)))
		return true;
	*policy &= ~SCHED_RESET_ON_FORK;
	if (set & POSIX_ATTR_POLICY_SET)
		pthread_attr_getschedpolicy(attributes, policy);
	if (set & POSIX_ATTR_PRIORITY_SET)
		pthread_attr_getschedparam(attributes, parameter);
	return false;
}

/* With what policy and affinity will it be born? */
static void foresee(const pthread_attr_t *attributes, struct birth *birth)
{
	struct posix_thread *record = &birth->newcomer.record;
	int policy = posix_me.policy;
	struct sched_param parameter = {.sched_priority = posix_me.priority};
	cpu_set_t cpus;

	record->confined = posix_me.confined;
	record->affinity = posix_me.affinity;
	if (attributes && affinity_of(attributes, &cpus)) {
		record->confined = true;
		record->affinity = cpus;
	}
	if (inherits(attributes, &policy, &parameter) && policy & SCHED_RESET_ON_FORK) {
		policy = SCHED_OTHER;
		parameter.sched_priority = 0;
		birth->reset = true;
	}
	posix_thread_set_policy(record, policy, parameter.sched_priority);
}

/* One that the program supplies; the C library tells of none by an address that wraps around. */
static bool has_own_stack(const pthread_attr_t *asked)
{
	void *stack = NULL;
	size_t bytes;

	return !pthread_attr_getstack(asked, &stack, &bytes) && (uintptr_t)stack + bytes;
}

static void copy_stack(const pthread_attr_t *asked, pthread_attr_t *revised, bool too_small)
{
	size_t bytes;
	void *stack;

	if (too_small)
		pthread_attr_setstacksize(revised, STACK_BYTES);
	else if (has_own_stack(asked) && !pthread_attr_getstack(asked, &stack, &bytes))
		pthread_attr_setstack(revised, stack, bytes);
	else if (!pthread_attr_getstacksize(asked, &bytes))
		pthread_attr_setstacksize(revised, bytes);
}

/*
 * What a thread is made with where that is not what was asked for: a stack with room for a task's
 * frames (cyclictest asks for 16 KiB, before it asks for a policy), in place of one that may be the
 * program's own memory; and no real-time CPU, on which it would not begin while a task computes
 * there. False: what was asked for will do.
 */
static bool revise(const pthread_attr_t *asked, struct birth *birth, bool placed,
		   pthread_attr_t *revised)
{
	struct sched_param parameter;
	bool too_small;
	size_t bytes, guard;
	cpu_set_t cpus;
	int value;

	if (!asked || pthread_attr_getstacksize(asked, &bytes))
		return false;
	placed = placed && affinity_of(asked, &cpus) && posix_started();
	too_small = bytes < STACK_BYTES;
	if ((!too_small && !placed) || pthread_attr_init(revised))
		return false;
	if (too_small && !has_own_stack(asked))
		birth->newcomer.record.stack_bytes = bytes;
	copy_stack(asked, revised, too_small);
	if (!pthread_attr_getguardsize(asked, &guard))
		pthread_attr_setguardsize(revised, guard);
	pthread_attr_getdetachstate(asked, &value);
	pthread_attr_setdetachstate(revised, value);
	pthread_attr_getscope(asked, &value);
	pthread_attr_setscope(revised, value);
	pthread_attr_getinheritsched(asked, &value);
	pthread_attr_setinheritsched(revised, value);
	/* Only what was set: what is set, if to what it is by default, is asked for. */
	pthread_attr_getschedpolicy(asked, &value);
	if (posix_attr_flags(asked) & POSIX_ATTR_POLICY_SET)
		pthread_attr_setschedpolicy(revised, value);
	pthread_attr_getschedparam(asked, &parameter);
	if (posix_attr_flags(asked) & POSIX_ATTR_PRIORITY_SET)
		pthread_attr_setschedparam(revised, &parameter);
	if (placed)
		posix_affinity_without_tasks(&cpus);
	if (placed || affinity_of(asked, &cpus))
		pthread_attr_setaffinity_np(revised, sizeof(cpus), &cpus);
	return true;
}

/* PLACED: away from the real-time CPUs. */
static int create(pthread_t *thread, const pthread_attr_t *attributes, struct birth *birth,
		  bool placed)
{
	pthread_attr_t revised;
	bool is_revised = revise(attributes, birth, placed, &revised);
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
	int error;

	if (posix_from_tactus(__builtin_return_address(0)))
		return posix_real.pthread_create(thread, attributes, entry, argument);
	/* Linux refuses it to a thread of this policy, whatever the new one is to have. */
	if (posix_me.policy == SCHED_DEADLINE)
		return EAGAIN;
	birth = calloc(1, sizeof(*birth));
	if (!birth)
		return EAGAIN;
	birth->entry = entry;
	birth->argument = argument;
	foresee(attributes, birth);
	real_time = posix_policy_is_real_time(birth->newcomer.record.policy);
	atomic_fetch_add(&living, 1);
	posix_newcomer_expect(&birth->newcomer);
	error = create(thread, attributes, birth, real_time);
	/* It named but CPUs that Linux has parted with. */
	if (error == EINVAL && !real_time)
		error = create(thread, attributes, birth, true);
	if (error) {
		atomic_fetch_sub(&living, 1);
		posix_newcomer_forget(&birth->newcomer);
	}
	if (error || !posix_newcomer_made(&birth->newcomer, thread))
		free(birth);
	/* It may spin until the new one lives, which begins where tasks in secondary mode are. */
	if (posix_is_task())
		(void)tact_task_harden();
	return error;
}

/* True: it is about to begin a wait that can be broken only then. */
static bool must_be_told_again(pthread_t pthread)
{
	struct posix_thread *thread;
	bool again = false;

	posix_threads_lock();
	thread = posix_thread_of_pthread(pthread);
	if (thread && posix_thread_is_task(thread)) {
		posix_wait_nudge(thread);
		again = atomic_load(&thread->waits_natively) &&
			tact_task_unblock(thread->task) == -TACT_EAGAIN;
	}
	posix_threads_unlock();
	return again;
}

/* No cancellation point. */
static void nap(void)
{
	const struct timespec time = {.tv_nsec = NAP_NS};

	if (posix_is_task())
		(void)tact_task_sleep(NAP_NS);
	else
		(void)posix_real.syscall(SYS_nanosleep, &time, NULL);
}

/* A task in primary mode gets no signal for it: it is told to look. */
int pthread_cancel(pthread_t pthread)
{
	int error = posix_real.pthread_cancel(pthread);

	if (error || !posix_started())
		return error;
	for (int i = 0; i < NAPS && must_be_told_again(pthread); i++)
		nap();
	return 0;
}

/* Of a stack that was made larger, its upper part is what was asked for. */
static void show_stack(pthread_attr_t *attributes, size_t asked)
{
	size_t bytes;
	void *stack;

	if (pthread_attr_getstack(attributes, &stack, &bytes) || asked >= bytes)
		return;
	pthread_attr_setstack(attributes, (char *)stack + (bytes - asked), asked);
}

int pthread_getattr_np(pthread_t pthread, pthread_attr_t *attributes)
{
	int error = posix_real.pthread_getattr_np(pthread, attributes);
	const struct posix_thread *thread;
	size_t asked = 0;
	cpu_set_t cpus;

	if (error || posix_from_tactus(__builtin_return_address(0)))
		return error;
	if (posix_affinity_told(pthread, &cpus))
		error = pthread_attr_setaffinity_np(attributes, sizeof(cpus), &cpus);
	posix_threads_lock();
	thread = posix_thread_of_pthread(pthread);
	if (thread)
		asked = thread->stack_bytes;
	posix_threads_unlock();
	if (asked)
		show_stack(attributes, asked);
	return error;
}
