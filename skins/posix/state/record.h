/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The record of a thread, in its thread-local storage; one with a real-time policy is a task by
 * attachment. One word of it tells an interposed call what to do. If it is 0, the thread is a plain
 * Linux thread, and the call goes straight on to the C library. Each part that works on the record
 * has a structure of its own in it. `record_` and a folder is the header of what the folder owns.
 */
#ifndef POSIX_RECORD_H
#define POSIX_RECORD_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <tactus/tact.h>

#include "posix/state/deadline.h"
#include "posix/state/record_calls.h"
#include "posix/state/record_park.h"
#include "posix/state/record_report.h"
#include "posix/state/record_skin.h"
#include "posix/state/record_stay.h"
#include "posix/state/record_sync.h"
#include "posix/state/record_thread.h"

#define POSIX_WAITERS   1024u /* tasks at a time */
#define POSIX_NO_WAITER UINT32_MAX

struct posix_mask_cell;

enum posix_state {
	POSIX_PLAIN = 0,
	POSIX_TASK = 1u << 0,
	POSIX_POLICY_CHANGED =
		1u << 1, /* its policy, or whether it stays, has changed: settle that first */
	POSIX_DOUBTS = 1u << 2, /* the caller may be a vfork's child of it, on its storage */
	POSIX_STAYS = 1u << 3,  /* it is not to be a task before it waits: stay.h */
};

struct posix_thread {
	_Atomic uint32_t state; /* enum posix_state, or-ed; it alone sets POSIX_TASK */
	pid_t tid;              /* 0: it has not begun yet */
	pthread_t pthread;
	tact_task_t task;
	/* What the program sees as its policy and priority; under posix_threads_lock(). */
	union {
		struct {
			int policy; /* with SCHED_RESET_ON_FORK if that was requested */
			int priority;
		};
		_Atomic uint64_t packed; /* both, for its own reads without the lock */
	};
	struct posix_mask_cell *mask; /* the mask that it set last: masks.c */
	/* Of the parts that work on it. Calls and waits use the first ones. */
	struct posix_thread_wait wait;
	struct posix_thread_call call;
	struct posix_thread_stay stay;
	struct posix_thread_locks locks;
	struct posix_thread_skin skin;
	struct posix_thread_lateness late;
	struct posix_thread_listed list;
	struct posix_thread_follow follow;
	struct posix_thread_made made;
	struct posix_thread_cputime time;
	struct posix_thread_summary summary;
	struct posix_edf edf; /* if policy is SCHED_DEADLINE */
	struct posix_thread_affinity affinity;
};

extern __thread struct posix_thread posix_me __attribute__((tls_model("initial-exec")));

static inline bool posix_policy_is_real_time(int policy)
{
	policy &= ~SCHED_RESET_ON_FORK;
	return policy == SCHED_FIFO || policy == SCHED_RR || policy == SCHED_DEADLINE;
}

/* The present state: another thread may have requested a change, which posix_is_task() settles. */
static inline bool posix_thread_is_task(const struct posix_thread *thread)
{
	return atomic_load_explicit(&thread->state, memory_order_relaxed) & POSIX_TASK;
}

/* An upcall, thread/thread.c: slow part of posix_is_task(). */
bool posix_thread_settle(void);

/* Is the caller a task, whose calls the nucleus serves? Cost: one load for a plain thread. */
static inline bool posix_is_task(void)
{
	uint32_t state = atomic_load_explicit(&posix_me.state, memory_order_relaxed);

	if (__builtin_expect(state == POSIX_PLAIN, 1))
		return false;
	return state == POSIX_TASK || (state != POSIX_STAYS && posix_thread_settle());
}

/*
 * The record of a thread that the caller may name, without the list: glibc identifies a thread by
 * its thread pointer, from which the record has a fixed distance. NULL: the thread is not in the
 * list yet, or not any more.
 */
static inline const struct posix_thread *posix_thread_beside(pthread_t pthread)
{
	const uintptr_t distance = (uintptr_t)&posix_me - (uintptr_t)pthread_self();
	const struct posix_thread *thread =
		(const struct posix_thread *)((uintptr_t)pthread + distance);

	return atomic_load_explicit(&thread->list.known, memory_order_acquire) ? thread : NULL;
}

#define POSIX_PRIORITY_DEADLINE 100 /* above all others */

/* The priority at which it runs, without inheritance. */
static inline int posix_priority(const struct posix_thread *thread)
{
	if ((thread->policy & ~SCHED_RESET_ON_FORK) == SCHED_DEADLINE)
		return POSIX_PRIORITY_DEADLINE;
	return thread->locks.ceiling > thread->priority ? thread->locks.ceiling : thread->priority;
}

/* From POSIX's 1 … 99 to the nucleus's levels 1 … 255. SCHED_DEADLINE has level 256 of its own. */
static inline uint32_t posix_level(int priority)
{
	if (priority == POSIX_PRIORITY_DEADLINE)
		return TACT_PRIORITY_MAX;
	return 1u + ((uint32_t)priority - 1u) * 254u / 98u;
}

#endif
