/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory from before the first task is given back to Linux, as allocators and collectors do:
 * afterwards it reads as zeros. If the program has locked all of its memory, the call is
 * refused.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>

#include "check.h"

#define PAGE  4096
#define PAGES 16

static char *memory;

static int give_back(int advice)
{
	memset(memory, 1, (size_t)PAGES * PAGE);
	errno = 0;
	return madvise(memory + PAGE, (size_t)(PAGES - 2) * PAGE, advice) ? errno : 0;
}

static void *gives(void *unused)
{
	SHOW(is_task_if_expected());
	SHOW(give_back(MADV_DONTNEED));
	SHOW(memory[0] + memory[PAGE] + memory[(PAGES - 1) * PAGE]);
	SHOW(give_back(MADV_FREE));
	SHOW(give_back(MADV_DONTNEED));
	SHOW(give_back(-1));
	SHOW(madvise(memory + 1, PAGE, MADV_DONTNEED));
	return unused;
}

int main(void)
{
	memory = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	/* Locks of the program itself are not affected. */
	SHOW(mlock(memory, (size_t)PAGES * PAGE));
	SHOW(give_back(MADV_DONTNEED));
	SHOW(munlock(memory, (size_t)PAGES * PAGE));
	joined(fifo_thread(40, gives, NULL));
	SHOW(give_back(MADV_DONTNEED));
	SHOW(memory[0] + memory[PAGE] + memory[(PAGES - 1) * PAGE]);
	SHOW(mlockall(MCL_CURRENT));
	joined(fifo_thread(40, gives, NULL));
	SHOW(munlockall());
	SHOW(give_back(MADV_DONTNEED));
	return 0;
}
