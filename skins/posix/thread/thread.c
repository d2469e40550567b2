/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A thread follows its policy: it is a task, or a plain thread. */
#define _GNU_SOURCE
#include "posix/thread/thread.h"

#include <errno.h>
#include <pthread.h>

#include "posix/libc/real.h"
#include "posix/park/waiter.h"
#include "posix/park/slots.h"
#include "posix/park/wait.h"
#include "posix/state/half.h"
#include "posix/state/identity.h"
#include "posix/state/linux_call.h"
#include "posix/state/say.h"
#include "posix/state/stay.h"
#include "posix/thread/attach.h"
#include "posix/thread/affinity.h"
#include "posix/thread/cputime.h"
#include "posix/thread/edf.h"
#include "posix/thread/records.h"

/* As in Linux: a thread whose priority is lowered comes before its new equals, by whichever call,
 * and one that keeps its policy and priority keeps its place. */
static void change_task(const struct posix_thread *thread)
{
	struct tact_sched_param sched = posix_sched_of(thread);
	struct tact_sched_param now = {0};

	(void)tact_task_set_priority(thread->task, posix_level(posix_priority(thread)),
				     TACT_PRIORITY_AHEAD, NULL);
	if ((thread->policy & ~SCHED_RESET_ON_FORK) == SCHED_DEADLINE ||
	    tact_task_get_sched(thread->task, &now) || now.sched_class != sched.sched_class)
		(void)tact_task_set_sched(thread->task, &sched);
}

/* A task that is to cease to be one, and cannot yet, gets the lowest priority. It tries again at
 * its next call. */
static void weaken(tact_task_t task)
{
	const struct tact_sched_param plain = {.sched_class = TACT_SCHED_FIFO};

	(void)tact_task_set_priority(task, TACT_PRIORITY_MIN, 0, NULL);
	(void)tact_task_set_sched(task, &plain);
}

static void stay_weak(void)
{
	posix_me.follow.stays = true;
	weaken(posix_me.task);
}

/* Make the caller a task, or a plain thread, as its policy requires. */
static void follow_policy(void)
{
	bool is_task = posix_thread_is_task(&posix_me);
	bool may = posix_policy_is_real_time(posix_me.policy) && !posix_given_up() &&
		   !posix_me.follow.unfit;
	bool stays =
		may && atomic_load_explicit(&posix_me.state, memory_order_relaxed) & POSIX_STAYS;
	bool wanted = may && !stays;

	posix_me.follow.stays = false;
	if (!wanted && is_task) {
		posix_me.summary.stayed += stays;
		if (!posix_task_end(false)) {
			posix_me.summary.stayed -= stays;
			if (stays)
				posix_stay_cannot();
			else
				stay_weak();
			return;
		}
		/* The end of the task has restored the policy that the thread had at its
		 * attachment. */
		posix_policy_to_linux();
		posix_affinity_return();
		/* Tasks that wait for its mutexes look again, as it now unlocks as a Linux
		 * thread. */
		posix_wait_wake_all();
		/* It may also use the real-time CPUs while there is no task. */
		if (stays && posix_stay_begins())
			posix_affinity_restore();
	} else if (!wanted) {
		return;
	} else if (is_task) {
		change_task(&posix_me);
	} else {
		posix_task_begin();
	}
}

/* Functions that are called to make it a task may come here again; they find it as it is. */
bool posix_thread_settle(void)
{
	/* The parent does this when it continues. */
	if (posix_is_vfork_child())
		return false;
	if (!posix_me.follow.settles) {
		int cancel;

		/* The thread may be cancellable at any point, and must not be here, where it takes
		 * locks. */
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
		posix_me.follow.settles = true;
		while (atomic_fetch_and_explicit(&posix_me.state, ~(uint32_t)POSIX_POLICY_CHANGED,
						 memory_order_acquire) &
		       POSIX_POLICY_CHANGED)
			follow_policy();
		if (posix_me.follow.stays)
			atomic_fetch_or_explicit(&posix_me.state, POSIX_POLICY_CHANGED,
						 memory_order_relaxed);
		if (posix_vfork_child_always)
			atomic_fetch_or_explicit(&posix_me.state, POSIX_DOUBTS,
						 memory_order_relaxed);
		posix_me.follow.settles = false;
		pthread_setcancelstate(cancel, NULL);
	}
	return posix_thread_is_task(&posix_me);
}

bool posix_thread_set_unfit(enum posix_unfit why, bool unfit)
{
	const uint32_t now =
		unfit ? posix_me.follow.unfit | why : posix_me.follow.unfit & ~(uint32_t)why;

	if (posix_me.follow.unfit == now)
		return true;
	posix_me.follow.unfit = now;
	atomic_fetch_or_explicit(&posix_me.state, POSIX_POLICY_CHANGED, memory_order_relaxed);
	return posix_thread_settle() ? !unfit : true;
}

/*
 * Linux has the policy, but the thread may be at its beginning, and have set its former policy in
 * Linux meanwhile. POSIX_POLICY_CHANGED is not enough, as it may never make an interposed call.
 */
static void tell_again(const struct posix_thread *thread)
{
	const struct sched_param parameter = {.sched_priority = thread->priority};
	bool denied = posix_linux_begin();

	(void)posix_real.sched_setscheduler(thread->tid, thread->policy, &parameter);
	posix_linux_end(denied);
}

static uint64_t pack(int policy, int priority)
{
	const union {
		int each[2];
		uint64_t packed;
	} both = {{policy, priority}};

	return both.packed;
}

void posix_thread_set_policy(struct posix_thread *thread, int policy, int priority)
{
	bool was_real_time = posix_policy_is_real_time(thread->policy);

	posix_stay_chosen(thread);
	if ((policy & ~SCHED_RESET_ON_FORK) != SCHED_DEADLINE)
		posix_edf_leave(thread);
	atomic_store_explicit(&thread->packed, pack(policy, priority), memory_order_relaxed);
	if (posix_policy_is_real_time(policy)) {
		thread->summary.last_policy = policy & ~SCHED_RESET_ON_FORK;
		thread->summary.last_priority = priority;
	}
	if (thread == &posix_me) {
		if (!posix_policy_is_real_time(policy) &&
		    atomic_load_explicit(&posix_me.state, memory_order_relaxed) == POSIX_PLAIN)
			return;
		atomic_fetch_or_explicit(&posix_me.state, POSIX_POLICY_CHANGED,
					 memory_order_relaxed);
		(void)posix_thread_settle();
		return;
	}
	/* Also a task that was weakened, and has made no call since. */
	if (posix_policy_is_real_time(policy) && thread->task.id)
		change_task(thread);
	if (posix_policy_is_real_time(policy) ? !was_real_time || !thread->task.id : was_real_time)
		atomic_fetch_or_explicit(&thread->state, POSIX_POLICY_CHANGED,
					 memory_order_release);
	/* It may compute for long before its next call, and other tasks are more urgent from now
	 * on. */
	if (!posix_policy_is_real_time(policy) && thread->task.id)
		weaken(thread->task);
	if (!posix_policy_is_real_time(policy) && was_real_time && thread->tid && !thread->task.id)
		tell_again(thread);
}

void posix_thread_leave(void)
{
	if (posix_thread_is_task(&posix_me))
		(void)posix_task_end(true);
	else if (posix_me.wait.has_waiter)
		posix_waiter_release(&posix_me);
	atomic_store_explicit(&posix_me.state, POSIX_PLAIN, memory_order_relaxed);
	posix_edf_leave(&posix_me);
	posix_records_leave();
}

void posix_thread_pause(void)
{
	int cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	if (posix_task_end(false))
		posix_policy_to_linux();
	pthread_setcancelstate(cancel, NULL);
}

void posix_thread_resume(void)
{
	const bool inherited = posix_me.stay.inherited;

	posix_thread_set_policy(&posix_me, posix_me.policy, posix_me.priority);
	posix_me.stay.inherited = inherited;
}

/* The thread becomes a task later, when the program runs: the real-time half needs the whole C
 * library. */
void posix_thread_look(void)
{
	int policy = posix_real.sched_getscheduler(0);
	struct sched_param parameter;

	/* If it begins with SCHED_DEADLINE, it remains a Linux thread. */
	if (!posix_policy_is_real_time(policy) ||
	    (policy & ~SCHED_RESET_ON_FORK) == SCHED_DEADLINE ||
	    posix_real.sched_getparam(0, &parameter))
		return;
	posix_me.policy = policy;
	posix_me.summary.last_policy = policy & ~SCHED_RESET_ON_FORK;
	posix_me.priority = posix_me.summary.last_priority = parameter.sched_priority;
	atomic_fetch_or_explicit(&posix_me.state, POSIX_POLICY_CHANGED, memory_order_relaxed);
	posix_stay_inherit(&posix_me);
}

/* fork() passes on the policy of the shadow, which is not exactly that of the task, and has no
 * reset. */
static int policy_of_child(struct sched_param *parameter)
{
	parameter->sched_priority = posix_me.priority;
	/* Linux does not let a thread with SCHED_DEADLINE fork, except with the reset. By another
	 * call than those in fork.c a task can fork nevertheless, because its shadow may. */
	if (posix_me.policy & SCHED_RESET_ON_FORK || posix_me.policy == SCHED_DEADLINE)
		return parameter->sched_priority = SCHED_OTHER;
	return posix_me.policy;
}

static void inherit_policy(void)
{
	struct sched_param parameter;

	posix_me.policy = policy_of_child(&parameter);
	posix_me.priority = parameter.sched_priority;
	posix_real.sched_setscheduler(0, posix_me.policy, &parameter);
}

void posix_vfork_child_inherit(void)
{
	struct sched_param parameter;

	if (!posix_vfork_child_inherits_now() || !posix_thread_is_task(&posix_me))
		return;
	posix_real.sched_setscheduler(0, policy_of_child(&parameter), &parameter);
	posix_affinity_restore();
}

void posix_thread_forked_alone(void)
{
	posix_vfork_child_always = false;
	posix_me.follow.unfit &= ~(uint32_t)POSIX_DISPATCHES;
	posix_records_forked();
	posix_identity_look();
}

void posix_thread_forked(void)
{
	if (posix_thread_is_task(&posix_me))
		inherit_policy();
	posix_vfork_child_always = false;
	posix_me.follow.unfit &= ~(uint32_t)POSIX_DISPATCHES;
	atomic_store_explicit(&posix_me.state, POSIX_PLAIN, memory_order_relaxed);
	posix_me.task.id = 0;
	posix_records_forked();
	posix_cputime_forked();
	posix_stay_forked();
	posix_affinity_restore();
	posix_waiters_forget();
	posix_slots_forget();
	posix_identity_look();
}

void posix_give_up(const char *why)
{
	if (!posix_half_give_up() || !posix_started())
		return;
	posix_say_plain(why);
	posix_threads_policy_changed();
}
