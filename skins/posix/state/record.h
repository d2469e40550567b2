/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The record of a thread, in its thread-local storage; one with a real-time policy is a task by
 * adoption. One word of it tells an interposed call what to do: 0, a plain Linux thread, goes
 * straight on to the C library.
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
		1u << 1,        /* another thread has changed its policy: settle that first */
	POSIX_DOUBTS = 1u << 2, /* a child of its own may be on its storage: who calls? */
	POSIX_STAYS = 1u << 3,  /* it is to be none before it waits: stay.h */
};

/* What a thread has asked of Linux that a task cannot have. */
enum posix_unfit {
	/* It may not read the processor's clock, as tasks do all the time. PR_SET_TSC(2const). */
	POSIX_CLOCKLESS = 1u << 0,
	/* Its calls are handed back to it; a task's are to Tactus.
	 * PR_SET_SYSCALL_USER_DISPATCH(2const). */
	POSIX_DISPATCHES = 1u << 1,
};

/* How many handlers of signals have run in a thread, and how many of these were without SA_RESTART.
 */
struct posix_handlers_count {
	uint64_t run, ending;
};

struct posix_thread {
	_Atomic uint32_t state;   /* enum posix_state, or-ed; TASK by itself, ASKED by others */
	_Atomic bool known;       /* it is in the list */
	bool named;               /* its pthread is known: not while it is being made */
	bool settles;             /* it follows its policy just now */
	bool stays;               /* a task that is to be none, and cannot go yet */
	uint32_t unfit;           /* enum posix_unfit, or-ed: why it is no task now; by itself */
	bool inherited;           /* its policy is from who made it, or executed the program */
	_Atomic bool waits_first; /* it is counted among those that have not been tasks: stay.c */
	_Atomic bool reported;    /* the C library has its policy by heart: create.c */
	pid_t tid;                /* 0: it has not begun yet */
	pthread_t pthread;
	tact_task_t task;
	tact_sem_t parking; /* where it waits: wait.h */
	size_t stack_bytes; /* that it was asked to have, where it has more; or 0 */
	int ceiling;        /* of the mutexes that it has locked as a task, the highest; or 0 */
	uint32_t waiter;    /* its place among the waiters: waiter.h */
	bool has_waiter;    /* it has one */
	/* A task that must not wait now: called by itself instead, and the wait ends by a signal.
	 * NULL: it may. */
	void (*waits_not)(void);
	/* Its calls by syscall() are Linux's, for it wants to hear of them. */
	bool queries_linux;
	struct posix_mask_cell *mask; /* the signals that it set last: masks.c */
	/* What the program was told it has; under posix_threads_lock(). */
	union {
		struct {
			int policy; /* with SCHED_RESET_ON_FORK where it was asked for */
			int priority;
		};
		_Atomic uint64_t packed; /* both, for who looks without the lock: itself */
	};
	/* What its affinity was set to, if it was: affinity_calls.c tells who may look, and how. */
	_Atomic uint32_t affinity_sequence; /* odd: it is being written */
	bool confined;
	bool placed; /* since its birth it has no real-time CPU, so far without being a task */
	cpu_set_t affinity;
	struct posix_edf edf;              /* where policy is SCHED_DEADLINE */
	struct posix_thread *next, **link; /* of the list; what points to it there */
	/* Its processor time: cputime.c; by itself. */
	struct {
		uint64_t ran_ns;   /* on real-time CPUs, as tasks that it is no more */
		uint64_t linux_ns; /* of its shadow, when it had been in Linux so often: */
		uint64_t switches;
	} time;
	uint32_t locks;              /* of mutexes, as a task: mutex.c */
	_Atomic bool waits_natively; /* or is about to: see wait.h */
	/* How deep it is in waits by its waiter: in a handler that waits, more than one. */
	uint32_t waits;
	uint64_t wait_breaks; /* the wait that handlers of signals end, or 0: wait.c */
	/* Of the handlers that have interrupted it last: actions.c */
	bool signals_restart, signals_taken;
	/* By itself: of its handlers, and as they were when it began the call that it is in:
	 * call.h */
	struct posix_handlers_count handlers, call;
	uint64_t handled; /* whose handlers have run in it, if any has: a bit each */
	/* Which end its waits whatever their handlers want, a bit each: for a skin on this one. */
	uint64_t signals_end;
	/* By itself, of its stays in Linux (stay.c): how often it has gone there without a wait
	 * between; until when it stays, and how long it will the next time. */
	uint32_t switches_in_row;
	uint64_t stay_until_ns, stay_ns;
	/* For the summary; by itself. */
	uint32_t stayed;
	int last_policy, last_priority; /* of real time */
	atomic_bool summed;             /* by itself, or who ends the program: whoever is first */
	unsigned summary_number;        /* which of all that were tasks; 0: none yet */
	uint64_t sleeps, late_sum_ns, late_max_ns;
	uint64_t overruns; /* sleeps to an instant that had passed */
};

extern __thread struct posix_thread posix_me __attribute__((tls_model("initial-exec")));

static inline bool posix_policy_is_real_time(int policy)
{
	policy &= ~SCHED_RESET_ON_FORK;
	return policy == SCHED_FIFO || policy == SCHED_RR || policy == SCHED_DEADLINE;
}

/* As it stands: another thread may just have asked it to change, which posix_is_task() settles. */
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
 * The record of a thread that the caller may name, without the list: glibc names a thread by its
 * thread pointer, and the record is as far from each. NULL: it has not entered, or left.
 */
static inline const struct posix_thread *posix_thread_beside(pthread_t pthread)
{
	const uintptr_t distance = (uintptr_t)&posix_me - (uintptr_t)pthread_self();
	const struct posix_thread *thread =
		(const struct posix_thread *)((uintptr_t)pthread + distance);

	return atomic_load_explicit(&thread->known, memory_order_acquire) ? thread : NULL;
}

#define POSIX_PRIORITY_DEADLINE 100 /* above all others */

/* What it runs at, but for inheritance. */
static inline int posix_priority(const struct posix_thread *thread)
{
	if ((thread->policy & ~SCHED_RESET_ON_FORK) == SCHED_DEADLINE)
		return POSIX_PRIORITY_DEADLINE;
	return thread->ceiling > thread->priority ? thread->ceiling : thread->priority;
}

/* POSIX's 1 … 99 onto the nucleus's; EDF goes first in the highest level. */
static inline uint32_t posix_level(int priority)
{
	if (priority == POSIX_PRIORITY_DEADLINE)
		return TACT_PRIO_MAX;
	return 1u + ((uint32_t)priority - 1u) * 254u / 98u;
}

#endif
