/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the record of a thread holds for the files of `thread`, one structure for each of them. */
#ifndef POSIX_RECORD_THREAD_H
#define POSIX_RECORD_THREAD_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct posix_thread;

/* Its place in the list of threads: records.c, under posix_threads_lock(). */
struct posix_thread_listed {
	_Atomic bool known; /* it is in the list; others read this without the lock */
	bool named; /* its pthread is known, which it is not while the thread is being made */
	struct posix_thread *next, **link; /* the pointer to it in the list */
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

/* How it follows its policy: thread.c; own use. */
struct posix_thread_follow {
	bool settles;   /* it is adapting to its policy at this moment */
	bool stays;     /* a task that is to cease to be one, and cannot yet */
	uint32_t unfit; /* enum posix_unfit, or-ed: why it is not a task now */
};

/* What it was made with: create.c, attributes.c. */
struct posix_thread_made {
	size_t stack_bytes;    /* the requested size, if it has more; or 0 */
	_Atomic bool reported; /* the C library has stored its policy: policy.c */
	bool placed; /* it was made without a real-time CPU, and has not been a task so far */
};

/* Its affinity, if that was set. affinity_calls.c says which threads may read it, and how. */
struct posix_thread_affinity {
	_Atomic uint32_t sequence; /* odd: it is being written */
	bool confined;
	cpu_set_t set;
};

/* Its processor time: cputime.c; own use. */
struct posix_thread_cputime {
	uint64_t ran_ns;   /* on real-time CPUs, as former tasks */
	uint64_t linux_ns; /* of its shadow, after this number of mode switches: */
	uint64_t switches;
};

#endif
