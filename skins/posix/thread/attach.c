/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How a thread becomes a task and a plain thread again. */
#define _GNU_SOURCE
#include "posix/thread/attach.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <tactus/skin.h>

#include "posix/libc/real.h"
#include "posix/park/waiter.h"
#include "posix/state/half.h"
#include "posix/state/options.h"
#include "posix/state/say.h"
#include "posix/state/stay.h"
#include "posix/thread/affinity.h"
#include "posix/thread/cputime.h"
#include "posix/thread/edf.h"
#include "posix/thread/lives.h"
#include "posix/thread/upcall.h"

#define RR_QUANTUM_NS 100000000u /* Linux's default, if it cannot be read */

/* A round-robin task keeps the processor as long as Linux would let it. */
static uint64_t quantum_ns(void)
{
	struct tact_sched_limits limits = {0};
	struct timespec interval;

	if (posix_real.sched_rr_get_interval(0, &interval) || interval.tv_sec ||
	    tact_sched_limits(&limits) || (uint64_t)interval.tv_nsec < limits.slice_min_ns)
		return RR_QUANTUM_NS;
	return (uint64_t)interval.tv_nsec;
}

struct tact_sched_param posix_sched_of(const struct posix_thread *thread)
{
	struct tact_sched_param sched = {.sched_class = TACT_SCHED_FIFO};
	int policy = thread->policy & ~SCHED_RESET_ON_FORK;

	if (policy == SCHED_DEADLINE)
		return posix_edf_sched(thread);
	if (policy == SCHED_RR) {
		sched.sched_class = TACT_SCHED_RR;
		sched.quantum_ns = quantum_ns();
	}
	return sched;
}

static void say_refused(int error)
{
	static _Atomic bool said, said_of_stack;
	char text[160];

	if (atomic_exchange(error == ENOSPC ? &said_of_stack : &said, true))
		return;
	if (error == ENOSPC)
		snprintf(text, sizeof(text),
			 "not every real-time thread became a task: a stack that the program "
			 "supplied is too small (32 KiB are enough), or belongs to another thread");
	else
		snprintf(text, sizeof(text),
			 "not every real-time thread became a task: %s (a task needs two file "
			 "descriptors: see ulimit -n)",
			 strerror(error));
	posix_say_plain(text);
}

/*
 * The task was ended by something else than itself. What the thread still does, as cleanups, it
 * does as a plain thread, and it does not become a task again.
 */
static void stopped(void)
{
	posix_me.follow.settles = true;
	(void)posix_task_end(true);
	atomic_store_explicit(&posix_me.state, POSIX_PLAIN, memory_order_relaxed);
	if (posix_me.tid == getpid())
		posix_life_ends();
}

/* If this is refused, the thread remains a Linux thread with its real-time policy. */
static void attach(void)
{
	const struct tact_sched_param sched = posix_sched_of(&posix_me);
	struct tact_task_attr attr = {
		.priority = posix_level(posix_priority(&posix_me)),
		.flags = posix_task_flags(),
		.sched = &sched,
	};
	uint32_t cpu;
	int error;

	if (!posix_start())
		return;
	cpu = posix_affinity_cpu();
	attr.flags |= TACT_ON_CPU(cpu);
	if (posix_waiter_reserve(&posix_me)) {
		say_refused(EAGAIN);
		return;
	}
	if (!posix_me.made.placed || posix_me.affinity.confined)
		posix_affinity_leave_cpus();
	posix_me.made.placed = false;
	/* So far it was a weak task of a skin on top of this one. */
	if (tact_task_self().id)
		(void)tact_task_detach();
	posix_cputime_begin();
	tact_on_stop(stopped);
	error = tact_task_attach(&attr, &posix_me.task);
	/* Done as a task, because a plain thread would have to wait for the CPU once more. */
	if (!error && posix_waiter_init(&posix_me, cpu)) {
		(void)tact_task_detach();
		error = -ENOMEM;
	}
	if (error) {
		posix_affinity_return();
		posix_waiter_leave();
		say_refused(-error);
		return;
	}
	atomic_store_explicit(&posix_me.summary.is_taken, false, memory_order_relaxed);
	posix_me.summary.stayed = 0;
	posix_me.late.sleeps = posix_me.late.sum_ns = posix_me.late.max_ns =
		posix_me.late.overruns = 0;
	posix_task_begins();
	posix_tid_mark(posix_me.tid);
	posix_stay_task_begins();
	atomic_fetch_or_explicit(&posix_me.state, POSIX_TASK, memory_order_relaxed);
}

void posix_task_begin(void)
{
	int before = errno;

	attach();
	errno = before;
}

/* If the task owns something of the nucleus, first give up what belongs to this skin. */
static int go_from_nucleus(void)
{
	int error = tact_task_detach();

	if (error != -TACT_EBUSY)
		return error;
	posix_task_gives_up();
	return tact_task_detach();
}

static void leave_task(const struct tact_task_info *last, bool ends)
{
	posix_cputime_end(last);
	posix_stay_task_ends();
	posix_task_ends(last);
	if (ends)
		posix_waiter_release(&posix_me);
	else
		posix_waiter_leave();
	posix_me.task.id = 0;
}

bool posix_task_end(bool ends)
{
	struct tact_task_info last = {.run_ns = 0};
	int before = errno;
	bool gone;

	/* A thread that was cancelled in a wait does not return to it. */
	if (ends)
		posix_me.wait.nested = 0;
	posix_edf_leave(&posix_me);
	(void)tact_task_inquire(posix_me.task, &last);
	atomic_fetch_and_explicit(&posix_me.state, ~(uint32_t)POSIX_TASK, memory_order_relaxed);
	posix_tid_unmark(posix_me.tid);
	gone = go_from_nucleus() != -TACT_EBUSY;
	if (gone || ends) {
		leave_task(&last, ends);
	} else {
		posix_tid_mark(posix_me.tid);
		atomic_fetch_or_explicit(&posix_me.state, POSIX_TASK, memory_order_relaxed);
	}
	errno = before;
	return gone;
}
