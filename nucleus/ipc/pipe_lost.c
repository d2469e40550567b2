/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages that found no room in a pipe whose Linux end was never opened. A program that logs
 * without waiting, and does not check results, would lose its log without notice. So the stop of
 * the program reports it, when that disturbs no task any more.
 */
#include "base/string.h"
#include "ipc/pipe.h"
#include "hal/linux.h"

#define TEXT_BYTES 256u

/* For all such pipes together; name: of the first one. */
static struct {
	_Atomic uint32_t claimed;
	_Atomic uint32_t pipes;
	_Atomic uint64_t messages;
	char name[TACT_NAME_BYTES];
} lost;

void nuc_pipe_lost(const struct nuc_pipe *pipe)
{
	if (pipe->was_open || !pipe->refused)
		return;
	if (!atomic_exchange_explicit(&lost.claimed, 1, memory_order_relaxed))
		base_copy(lost.name, pipe->object.name, sizeof(lost.name));
	atomic_fetch_add_explicit(&lost.messages, pipe->refused, memory_order_relaxed);
	/* Release: a thread that sees the count of pipes sees the name. Pairs with
	 * nuc_pipe_report_lost(). */
	atomic_fetch_add_explicit(&lost.pipes, 1, memory_order_release);
}

void nuc_pipe_report_lost(void)
{
	uint32_t pipes = atomic_exchange_explicit(&lost.pipes, 0, memory_order_acquire);
	uint64_t messages = atomic_exchange_explicit(&lost.messages, 0, memory_order_relaxed);
	char text[TEXT_BYTES];

	if (pipes)
		hal_print(text,
			  base_print(text, sizeof(text),
				     "tactus: %llu messages found no room in pipe \"%s\"%s: its "
				     "Linux end was never opened (tact_pipe_open())\n",
				     (unsigned long long)messages,
				     lost.name[0] ? lost.name : "without a name",
				     pipes > 1 ? " and others" : ""));
	atomic_store_explicit(&lost.claimed, 0, memory_order_relaxed);
}
