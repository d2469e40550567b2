/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads to which Linux hands back their calls, as SIGSYS. Tactus uses the same mechanism for
 * tasks, and a thread has it only once. So a thread that has requested it is no task. On the way to
 * its handler no call of Linux is made unless the thread's settings let it through: the back end
 * passes the signal on without a call, and the mask is set here. Source: Linux
 * Documentation/admin-guide/syscall-user-dispatch.rst.
 */
#define _GNU_SOURCE
#include "posix/signal/dispatch.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "posix/libc/real.h"
#include "posix/state/record.h"
#include "posix/thread/thread.h"

#ifndef SYS_USER_DISPATCH
#define SYS_USER_DISPATCH 2
#endif
#define DISPATCH_OFF   0
#define SELECTOR_ALLOW 0

/* The last request of the thread. */
static __thread struct {
	uintptr_t begin, bytes;  /* of the code whose calls are never handed back */
	volatile char *selector; /* NULL: all other calls are handed back */
} dispatch __attribute__((tls_model("initial-exec")));

int posix_dispatch_set(const unsigned long word[4])
{
	const bool was = posix_me.follow.unfit & POSIX_DISPATCHES;
	int result;

	if (word[0] != DISPATCH_OFF && !posix_thread_set_unfit(POSIX_DISPATCHES, true)) {
		(void)posix_thread_set_unfit(POSIX_DISPATCHES, was);
		return posix_fail(EPERM);
	}
	result = posix_real.prctl(PR_SET_SYSCALL_USER_DISPATCH, word[0], word[1], word[2], word[3]);
	if (!result) {
		dispatch.begin = word[1];
		dispatch.bytes = word[2];
		dispatch.selector = (volatile char *)word[3];
	}
	(void)posix_thread_set_unfit(POSIX_DISPATCHES, result ? was : word[0] != DISPATCH_OFF);
	return result;
}

static void set_mask(uint64_t mask)
{
	(void)posix_real.syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof(mask));
}

/* If neither the C library's calls pass nor a selector exists, no call can be made, and only SIGSYS
 * and the C library's own signal are blocked. */
void posix_dispatch_begin(const siginfo_t *info, const void *context, uint64_t mask)
{
	const ucontext_t *interrupted = context;
	uint64_t had;

	if (!(posix_me.follow.unfit & POSIX_DISPATCHES) || info->si_code != SYS_USER_DISPATCH)
		return;
	/* The kernel's frame has 64 signals, and the C library's sigset_t is larger. */
	memcpy(&had, &interrupted->uc_sigmask, sizeof(had));
	if ((uintptr_t)posix_real.syscall - dispatch.begin < dispatch.bytes) {
		set_mask(had | mask);
	} else if (dispatch.selector) {
		const char selected = *dispatch.selector;

		*dispatch.selector = SELECTOR_ALLOW;
		set_mask(had | mask);
		*dispatch.selector = selected;
	}
}
