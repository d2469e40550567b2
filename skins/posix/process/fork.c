/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Forks: what the child has, and which threads may fork. Linux refuses a fork of a thread with the
 * policy SCHED_DEADLINE that passes on its policy; the shadow of such a task has another policy.
 * Source: sched(7), sched_setattr(2), clone(2), POSIX.1-2017, fork().
 */
#define _GNU_SOURCE
#include "posix/process/fork.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <unistd.h>

#include "posix/fd/epoll.h"
#include "posix/fd/files.h"
#include "posix/fd/queue_registry.h"
#include "posix/libc/real.h"
#include "posix/report/ends.h"
#include "posix/report/summary.h"
#include "posix/report/trace.h"
#include "posix/state/half.h"
#include "posix/state/internal_fds.h"
#include "posix/state/record.h"
#include "posix/state/vfork_child.h"
#include "posix/sync/shared_sem.h"
#include "posix/thread/lives.h"
#include "posix/thread/thread.h"
#include "posix/timer/timers.h"

/* The child of vfork() continues in its caller's frame, on the same stack, so this function must
 * have no frame of its own. */
#ifdef __clang__
#define LEAVES_BY_A_JUMP
#define AS_A_JUMP __attribute__((musttail))
#else
#define LEAVES_BY_A_JUMP __attribute__((optimize("O2")))
#define AS_A_JUMP
#endif

bool posix_fork_refused(void)
{
	return posix_me.policy == SCHED_DEADLINE;
}

pid_t fork(void)
{
	return posix_fork_refused() ? posix_fail(EAGAIN) : posix_real.fork();
}

/* The child of a program with tasks needs the same steps as after fork(). */
pid_t _Fork(void)
{
	pid_t child;

	if (posix_started())
		return fork();
	/* In case a real-time half starts later. */
	posix_files_share_all();
	child = posix_real._Fork();
	if (!child)
		posix_thread_forked_alone();
	return child;
}

/* A child that shares nothing is treated as a fork's child. */
int clone(int (*entry)(void *), void *stack, int flags, void *argument, ...)
{
	pid_t *parent_tid, *child_tid;
	va_list list;
	void *tls;

	if (flags == SIGCHLD && entry && stack) {
		pid_t child = fork();

		if (!child)
			_exit(entry(argument));
		return child;
	}
	/* It has its parent's memory, but descriptors of its own. */
	if ((flags & (CLONE_VM | CLONE_THREAD | CLONE_FILES)) == CLONE_VM)
		posix_vfork_begins(flags & CLONE_VFORK);
	va_start(list, argument);
	parent_tid = va_arg(list, pid_t *);
	tls = va_arg(list, void *);
	child_tid = va_arg(list, pid_t *);
	va_end(list);
	return posix_real.clone(entry, stack, flags, argument, parent_tid, tls, child_tid);
}

LEAVES_BY_A_JUMP pid_t vfork(void)
{
	if (posix_fork_refused())
		return posix_fail(EAGAIN);
	posix_vfork_begins(true);
	AS_A_JUMP return posix_real.vfork();
}

/*
 * No handler runs in a child before its C library is ready again. A program with one thread may
 * call anything in its handlers, and does not know of this library's threads.
 */
static __thread struct {
	sigset_t mask;
	bool blocked;
} before_fork __attribute__((tls_model("initial-exec")));

static void before(void)
{
	sigset_t all;

	posix_files_share_all();
	sigfillset(&all);
	before_fork.blocked =
		posix_started() && !posix_real.sigprocmask(SIG_SETMASK, &all, &before_fork.mask);
}

static void after(void)
{
	if (before_fork.blocked)
		posix_real.sigprocmask(SIG_SETMASK, &before_fork.mask, NULL);
}

static void in_child(void)
{
	const bool begins = posix_half_forked();

	posix_internal_fds_forked();
	posix_files_forked();
	posix_epolls_forked();
	posix_shared_sem_forked();
	posix_queues_forked();
	posix_ends_forked();
	posix_summary_forked();
	posix_trace_forked();
	posix_thread_forked();
	posix_timers_forget();
	if (begins)
		posix_thread_look();
	posix_lives_forked();
	after();
}

void posix_fork_begin(void)
{
	pthread_atfork(before, after, in_child);
}
