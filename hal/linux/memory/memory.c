/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Locked memory for the nucleus's pools. */
#define _GNU_SOURCE

#include <sys/mman.h>

#include "back_end.h"
#include "program.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

#define PAGE 4096u

static size_t whole_pages(size_t bytes)
{
	return (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
}

/* Populate all of it before it is used. Kernels before 5.14 have no call for that. */
static void populate(char *memory, size_t bytes)
{
	if (!madvise(memory, bytes, MADV_POPULATE_WRITE))
		return;
	for (size_t at = 0; at < bytes; at += PAGE)
		*(volatile char *)(memory + at) = 0;
}

/* Huge pages if Linux has them at hand: they are populated sooner, and cause fewer TLB misses
 * later. */
void *hal_memory_get(size_t bytes)
{
	void *memory;

	if (!bytes || bytes > SIZE_MAX - PAGE)
		return NULL;
	memory = mmap(NULL, whole_pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	madvise(memory, whole_pages(bytes), MADV_HUGEPAGE);
	populate(memory, whole_pages(bytes));
	madvise(memory, whole_pages(bytes), MADV_DONTFORK);
	if (linux_program.options.lock)
		backend_memory_lock(memory, whole_pages(bytes));
	return memory;
}

void hal_memory_put(void *memory, size_t bytes)
{
	if (memory)
		munmap(memory, whole_pages(bytes));
}
