/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fork(). The child has the program's memory but none of its real-time CPUs: every call of it is
 * refused, what only the parent may hold is closed, and nothing stands before its signals and
 * calls. What the fork leaves the parent: unshare.c.
 */
#define _GNU_SOURCE
#include "thread.h"

#include <signal.h>

#include "arch/self.h"
#include "call.h"
#include "shadow.h"

/* Stacks are not inherited, but a task that forks is the child's only thread. */
static void before(void)
{
	thread_stacks_inherit(true);
}

/* fork() is no cancellation point: others have something to do here, too. */
static void in_parent(void)
{
	int cancel;

	thread_stacks_inherit(false);
	if (!thread_program.holds || atomic_load(&thread_program.forked))
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	thread_unshare();
	pthread_setcancelstate(cancel, NULL);
}

/* The child's thread is none of a task: it has the signal stack and the area that it had before. */
static void leave_shadow(const struct hal_shadow *shadow)
{
	const stack_t none = {.ss_flags = SS_DISABLE};
	stack_t now;

	call_sigaltstack(NULL, &now);
	if (now.ss_sp == shadow->fault_stack.ss_sp)
		call_sigaltstack(&none, NULL);
	thread_rseq_enter();
}

static void in_child(void)
{
	const struct hal_shadow *shadow;
	int cancel;

	if (!thread_program.holds)
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	shadow = thread_shadow_self();
	if (shadow)
		leave_shadow(shadow);
	hal_arch_self_set(NULL);
	thread_signals_forked();
	atomic_store(&thread_program.forked, true);
	thread_leases_drop();
	thread_status_close();
	thread_settings_forget();
	pthread_setcancelstate(cancel, NULL);
}

void thread_fork_start(void)
{
	static bool done;

	if (!done)
		done = !pthread_atfork(before, in_parent, in_child);
}
