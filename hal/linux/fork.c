/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fork(). The child has the program's memory but none of its real-time CPUs. Every call of Tactus
 * is refused there, everything that only the parent may hold is closed, and the child's signals and
 * calls reach the program directly. What a fork means for the parent's pages: unshare.c.
 */
#define _GNU_SOURCE

#include "fork.h"

#include <pthread.h>
#include <signal.h>

#include "arch/self.h"
#include "back_end.h"
#include "call.h"
#include "introspect.h"
#include "lease.h"
#include "memory/slab.h"
#include "memory/stack.h"
#include "program.h"
#include "rseq.h"
#include "shadow/record.h"
#include "shadow/shadow.h"

/* Stacks are not inherited, but a task that forks is the child's only thread. */
static void before(void)
{
	linux_stacks_inherit(true);
}

/* fork() is no cancellation point: a cancellation here would skip the other fork handlers. */
static void in_parent(void)
{
	int cancel;

	linux_stacks_inherit(false);
	if (!linux_program.holds || atomic_load(&linux_program.forked))
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	linux_unshare();
	pthread_setcancelstate(cancel, NULL);
}

/* The thread of the child has no task. It gets back the signal stack and the area of restartable
 * sequences that it had before. */
static void leave_shadow(const struct hal_shadow *shadow)
{
	const stack_t none = {.ss_flags = SS_DISABLE};
	stack_t now;

	call_sigaltstack(NULL, &now);
	if (now.ss_sp == shadow->fault_stack.ss_sp)
		call_sigaltstack(&none, NULL);
	linux_rseq_enter();
}

static void in_child(void)
{
	const struct hal_shadow *shadow;
	int cancel;

	if (!linux_program.holds)
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	shadow = linux_shadow_self();
	if (shadow)
		leave_shadow(shadow);
	hal_arch_self_set(NULL);
	backend_signals_forked();
	atomic_store(&linux_program.forked, true);
	linux_leases_drop();
	linux_status_close();
	backend_forked();
	pthread_setcancelstate(cancel, NULL);
}

void linux_fork_start(void)
{
	static bool done;

	if (!done)
		done = !pthread_atfork(before, in_parent, in_child);
}
