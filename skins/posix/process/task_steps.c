/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The steps of this skin's parts, in this order, when a thread becomes a task, and when it is a
 * task no longer. The steps of an end come before its waiter becomes another task's, because
 * signals are noted by waiter.
 */
#define _GNU_SOURCE
#include "posix/thread/upcall.h"

#include "posix/fd/watches.h"
#include "posix/report/summary.h"
#include "posix/report/trace.h"
#include "posix/signal/sigwait.h"
#include "posix/state/record.h"
#include "posix/sync/mutex.h"
#include "posix/timer/timers.h"

void posix_task_begins(void)
{
	posix_trace_name(&posix_me);
}

void posix_task_gives_up(void)
{
	posix_inherit_give_up();
}

void posix_task_ends(const struct tact_task_info *last)
{
	posix_summary_take(&posix_me, last);
	posix_timers_leave();
	posix_signals_leave();
	posix_watches_leave();
}
