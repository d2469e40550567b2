/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Prefetching what the frames of a stack name. */
#include "task/prefetch.h"

/* From the hold to the frame of the code that called: a wait of the POSIX skin fits in. */
#define WORDS      160u
#define LINE_BYTES 64u
#define PAGE_BYTES 4096u

/* A stack that is not the task's own, an attached thread's or a signal handler's, has the rest of
 * this page for sure. */
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
