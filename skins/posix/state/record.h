/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The record of a thread, in its thread-local storage; one with a real-time policy is a task by
 * attachment. One word of it tells an interposed call what to do. If it is 0, the thread is a plain
 * Linux thread, and the call goes straight on to the C library.
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

/* What a thread has asked of Linux that a task cannot have. */
enum posix_unfit {
	/* It may not read the processor's clock, which tasks read all the time.
	 * PR_SET_TSC(2const). */
	POSIX_CLOCKLESS = 1u << 0,
	/* Linux hands its calls back to it, while those of a task go to Tactus.
	 * PR_SET_SYSCALL_USER_DISPATCH(2const). */
	POSIX_DISPATCHES = 1u << 1,
};

/* How many signal handlers have run in a thread, and how many of these were without SA_RESTART. */
struct posix_handlers_count {
	uint64_t run, ending;
};

struct posix_thread {
	_Atomic uint32_t state; /* enum posix_state, or-ed; it alone sets POSIX_TASK */
	_Atomic bool known;     /* it is in the list */
	bool named;     /* its pthread is known, which it is not while the thread is being made */
	bool settles;   /* it is adapting to its policy at this moment */
	bool stays;     /* a task that is to cease to be one, and cannot yet */
	uint32_t unfit; /* enum posix_unfit, or-ed: why it is not a task now; own use */
	bool inherited; /* its policy is from its creator, or from outside the program */
	_Atomic bool waits_first; /* it is counted among those that have not been tasks: stay.c */
	_Atomic bool reported;    /* the C library has stored its policy: create.c */
	pid_t tid;                /* 0: it has not begun yet */
	pthread_t pthread;
	tact_task_t task;
	tact_sem_t parking; /* at which it waits: wait.h */
	size_t stack_bytes; /* the requested size, if it has more; or 0 */
	int ceiling;        /* the highest one of the mutexes that it has locked as a task; or 0 */
	uint32_t waiter;    /* the number of its waiter: waiter.h */
	bool has_waiter;    /* it has one */
	/* If the task must not wait now, it calls this instead, and the wait ends as by a signal.
	 * NULL: it may wait. */
	void (*waits_not)(void);
	/* Its calls by syscall() go to Linux, because it wants to be told of its mode switches. */
	bool queries_linux;
	struct posix_mask_cell *mask; /* the mask that it set last: masks.c */
	/* What the program sees as its policy and priority; under posix_threads_lock(). */
	union {
		struct {
			int policy; /* with SCHED_RESET_ON_FORK if that was requested */
			int priority;
		};
		_Atomic uint64_t packed; /* both, for its own reads without the lock */
	};
	/* Its affinity, if that was set. affinity_calls.c says which threads may read it, and
	 * how. */
	_Atomic uint32_t affinity_sequence; /* odd: it is being written */
	bool confined;
	bool placed; /* it was made without a real-time CPU, and has not been a task so far */
	cpu_set_t affinity;
	struct posix_edf edf;              /* if policy is SCHED_DEADLINE */
	struct posix_thread *next, **link; /* in the list; the pointer to it there */
	/* Its processor time: cputime.c; own use. */
	struct {
		uint64_t ran_ns;   /* on real-time CPUs, as former tasks */
		uint64_t linux_ns; /* of its shadow, after this number of mode switches: */
		uint64_t switches;
	} time;
	uint32_t locks;              /* how many mutexes it has locked as a task: mutex.c */
	_Atomic bool waits_natively; /* it waits in the nucleus, or is about to: see wait.h */
	/* How many waits by its waiter are nested: more than one if a handler waits. */
	uint32_t waits;
	uint64_t wait_breaks; /* the wait that handlers of signals end, or 0: wait.c */
	/* Of the handlers that interrupted it last: actions.c */
	bool signals_restart, signals_taken;
	/* Own use: of its handlers, now and at the beginning of the present call: call.h */
	struct posix_handlers_count handlers, call;
	uint64_t handled; /* signals whose handlers have run in it, a bit for each */
	/* Signals that end its waits even with SA_RESTART, a bit for each: for a skin on this
	 * one. */
	uint64_t signals_end;
	/* Own use, for its stays in Linux (stay.c): how often it went there without a wait between;
	 * until when it stays, and the length of its next stay. */
	uint32_t switches_in_row;
	uint64_t stay_until_ns, stay_ns;
	/* For the summary; own use. */
	uint32_t stayed;
	int last_policy, last_priority; /* of real time */
	atomic_bool summed;      /* by the thread itself or by the one that ends the program */
	unsigned summary_number; /* its number among all threads that were tasks; 0: none yet */
	uint64_t sleeps, late_sum_ns, late_max_ns;
	uint64_t overruns; /* sleeps to an instant that had passed */
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

	return atomic_load_explicit(&thread->known, memory_order_acquire) ? thread : NULL;
}

#define POSIX_PRIORITY_DEADLINE 100 /* above all others */

/* The priority at which it runs, without inheritance. */
static inline int posix_priority(const struct posix_thread *thread)
{
	if ((thread->policy & ~SCHED_RESET_ON_FORK) == SCHED_DEADLINE)
		return POSIX_PRIORITY_DEADLINE;
	return thread->ceiling > thread->priority ? thread->ceiling : thread->priority;
}

/* From POSIX's 1 … 99 to the nucleus's levels; EDF comes first in the highest level. */
static inline uint32_t posix_level(int priority)
{
	if (priority == POSIX_PRIORITY_DEADLINE)
		return TACT_PRIO_MAX;
	return 1u + ((uint32_t)priority - 1u) * 254u / 98u;
}

#endif
