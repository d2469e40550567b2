/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Filters of calls (seccomp) that the program sets. They are Linux's as they are; but one that
 * names what the program needs up to its exit does not name what Tactus would do there. Where it
 * ends the thread alone, as libseccomp's usual one does, the process would stay.
 * Source: seccomp(2), prctl(2).
 */
#define _GNU_SOURCE
#include "filter.h"

#include <stdarg.h>
#include <stdatomic.h>

#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "real.h"
#include "summary.h"
#include "thread.h"
#include "trace.h"

static _Atomic bool is_set;

bool posix_filter_is_set(void)
{
	return atomic_load_explicit(&is_set, memory_order_relaxed);
}

/* Before, because words may be refused after. */
static void tell(void)
{
	if (posix_summary_wanted || posix_trace_wanted())
		posix_say("a filter of calls (seccomp) is set: no summary and no trace is written");
}

long posix_seccomp(unsigned operation, unsigned flags, void *argument)
{
	const bool sets =
		operation == SECCOMP_SET_MODE_STRICT || operation == SECCOMP_SET_MODE_FILTER;
	long result;

	if (sets)
		tell();
	result = posix_real.syscall(SYS_seccomp, operation, flags, argument);
	/* More than 0 is a thread that could not have it, too. */
	if (sets && result >= 0)
		atomic_store_explicit(&is_set, true, memory_order_relaxed);
	return result;
}

/* As it is called: with up to four words more. */
int prctl(int option, ...)
{
	unsigned long word[4];
	va_list list;
	int result;

	va_start(list, option);
	for (int i = 0; i < 4; i++)
		word[i] = va_arg(list, unsigned long);
	va_end(list);
	if (option == PR_SET_SECCOMP)
		tell();
	result = posix_real.prctl(option, word[0], word[1], word[2], word[3]);
	if (option == PR_SET_SECCOMP && !result)
		atomic_store_explicit(&is_set, true, memory_order_relaxed);
	return result;
}
