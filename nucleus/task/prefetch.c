/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Prefetching the lines to which the frames of a stack lead: see prefetch.h. */
#include "task/prefetch.h"

/* Enough for the frames from the hold to the caller's code, through a wait of the POSIX skin. */
#define WORDS      160u
#define LINE_BYTES 64u
#define PAGE_BYTES 4096u

/* If the stack is not the task's own, but that of an attached thread or of a signal handler, only
 * the rest of this page is known to exist. */
static uintptr_t end_of_stack(const struct nuc_task *task, uintptr_t sp)
{
	uintptr_t base = (uintptr_t)task->stack.base;

	if (base && sp - base < task->stack.bytes)
		return base + task->stack.bytes;
	return (sp | (PAGE_BYTES - 1)) + 1;
}

/* The words belong to other functions. */
__attribute__((no_sanitize("address", "undefined"), noinline)) void nuc_task_prefetch(
	const struct nuc_task *task)
{
	const uintptr_t *word = __builtin_frame_address(0);
	uintptr_t end = end_of_stack(task, (uintptr_t)word);

	for (unsigned i = 0; i < WORDS && (uintptr_t)word < end; i++, word++) {
		__builtin_prefetch((const void *)*word);
		__builtin_prefetch((const void *)(*word + LINE_BYTES));
	}
}
