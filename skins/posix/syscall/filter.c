/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Filters of calls (seccomp) that the program sets. They are passed to Linux unchanged. But a
 * filter that allows what the program needs up to its exit does not allow what Tactus would do
 * there. If it ends only the thread, as libseccomp's usual one does, the process would remain.
 * Source: seccomp(2), prctl(2).
 */
#define _GNU_SOURCE
#include "posix/syscall/filter.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <tactus/skin.h>

#include "posix/libc/real.h"
#include "posix/report/ends.h"
#include "posix/report/trace.h"
#include "posix/signal/dispatch.h"
#include "posix/state/identity.h"
#include "posix/state/options.h"
#include "posix/state/record.h"
#include "posix/state/say.h"
#include "posix/state/vfork_child.h"
#include "posix/thread/thread.h"

/* Said before, because a write may be refused afterwards. */
static void tell(void)
{
	static _Atomic bool told;

	if ((!posix_summary_wanted && !posix_trace_wanted()) || atomic_exchange(&told, true))
		return;
	posix_ends_leave();
	posix_say("a filter of system calls (seccomp) is set: no summary and no trace is written");
}

/* A query for filters sets none. A vfork's child has its parent's memory. */
static bool may_set(unsigned long how, const void *filter)
{
	return (how == SECCOMP_MODE_STRICT || filter) && posix_identity_is_own();
}

long posix_seccomp(unsigned operation, unsigned flags, void *argument)
{
	const bool filters = operation == SECCOMP_SET_MODE_FILTER;
	const bool sets = (filters || (operation == SECCOMP_SET_MODE_STRICT && !flags)) &&
			  may_set(filters ? SECCOMP_MODE_FILTER : SECCOMP_MODE_STRICT, argument);
	long result;

	if (sets)
		tell();
	result = posix_real.syscall(SYS_seccomp, operation, flags, argument);
	/* A result above 0 is a descriptor, or a thread that could not get the filter: then there
	 * is none. */
	if (sets && (!result || (result > 0 && flags & SECCOMP_FILTER_FLAG_NEW_LISTENER)))
		tact_exit_as_killed();
	return result;
}

/* A thread that may not read the processor's clock is not a task meanwhile. */
static int set_clock(const unsigned long word[4])
{
	const bool was = posix_me.follow.unfit & POSIX_CLOCKLESS;
	int result;

	if (word[0] == PR_TSC_SIGSEGV && !posix_thread_set_unfit(POSIX_CLOCKLESS, true)) {
		(void)posix_thread_set_unfit(POSIX_CLOCKLESS, false);
		return posix_fail(EPERM);
	}
	result = posix_real.prctl(PR_SET_TSC, word[0], word[1], word[2], word[3]);
	(void)posix_thread_set_unfit(POSIX_CLOCKLESS, result ? was : word[0] == PR_TSC_SIGSEGV);
	return result;
}

/* Called with up to four further words. */
int prctl(int option, ...)
{
	unsigned long word[4];
	va_list list;
	int result;
	bool sets;

	va_start(list, option);
	for (int i = 0; i < 4; i++)
		word[i] = va_arg(list, unsigned long);
	va_end(list);
	if (option == PR_SET_TSC && !posix_is_vfork_child())
		return set_clock(word);
	if (option == PR_SET_SYSCALL_USER_DISPATCH && !posix_is_vfork_child())
		return posix_dispatch_set(word);
	sets = option == PR_SET_SECCOMP && may_set(word[0], (const void *)word[1]);
	if (sets)
		tell();
	result = posix_real.prctl(option, word[0], word[1], word[2], word[3]);
	if (sets && !result)
		tact_exit_as_killed();
	return result;
}
