/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fork(). The child has the program's memory but none of its real-time CPUs: every call of it is
 * refused, and what only the parent may hold is closed. In the parent every private page is
 * write-protected after a fork, and the first write to each would fault on a real-time CPU; so the
 * pages that are there are made its own again at once, by the thread that forked.
 */
#define _GNU_SOURCE
#include "thread.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/self.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

#define PAGE    4096u
#define PRESENT (1ull << 63)
#define BATCH   512u

/* PAGEMAP_SCAN of <linux/fs.h>, Linux 6.7, which the headers of older systems do not have. */
struct scan {
	uint64_t size, flags, begin, end, walk_end, regions, region_count, max_pages;
	uint64_t inverted, all_of, any_of, returned;
};
struct region {
	uint64_t begin, end, categories;
};
#define SCAN         _IOWR('f', 16, struct scan)
#define SCAN_PRESENT (1u << 3)

static void unshare_region(uintptr_t begin, uintptr_t end)
{
	madvise((void *)begin, end - begin, MADV_POPULATE_WRITE);
}

/*
 * Only what is there: populating the rest would take memory that nobody asked for. Holes cost
 * nothing; programs reserve terabytes of them. False: this kernel cannot.
 */
static bool scan_range(int pagemap, uintptr_t begin, uintptr_t end)
{
	struct region regions[BATCH / 3];
	struct scan scan = {.size = sizeof(scan),
			    .end = end,
			    .regions = (uintptr_t)regions,
			    .region_count = BATCH / 3,
			    .all_of = SCAN_PRESENT,
			    .returned = SCAN_PRESENT};

	while (begin < end) {
		int found;

		scan.begin = begin;
		found = ioctl(pagemap, SCAN, &scan);
		if (found < 0)
			return false;
		for (int i = 0; i < found; i++)
			unshare_region(regions[i].begin, regions[i].end);
		begin = scan.walk_end;
	}
	return true;
}

/* The same, page by page: about a second for each terabyte. */
static void read_range(int pagemap, uintptr_t begin, uintptr_t end)
{
	uint64_t entries[BATCH];

	while (begin < end) {
		size_t pages = (end - begin) / PAGE < BATCH ? (end - begin) / PAGE : BATCH;
		ssize_t got = pread(pagemap, entries, pages * 8, (off_t)(begin / PAGE * 8));
		size_t run = 0;

		if (got <= 0)
			return;
		pages = (size_t)got / 8;
		for (size_t i = 0; i <= pages; i++) {
			if (i < pages && entries[i] & PRESENT) {
				run++;
				continue;
			}
			if (run)
				unshare_region(begin + (i - run) * PAGE, begin + i * PAGE);
			run = 0;
		}
		begin += pages * PAGE;
	}
}

static void unshare_all(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	unsigned long begin, end;
	char line[512], rights[8];

	while (maps && pagemap >= 0 && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %7s", &begin, &end, rights) == 3 && rights[1] == 'w' &&
		    rights[3] == 'p' && !scan_range(pagemap, begin, end))
			read_range(pagemap, begin, end);
	if (pagemap >= 0)
		close(pagemap);
	if (maps)
		fclose(maps);
}

/* Stacks are not inherited, but a task that forks is the child's only thread. */
static void before(void)
{
	thread_stacks_inherit(true);
}

/* fork() is no cancellation point: others have something to do here, too. */
static void in_parent(void)
{
	int cancel;

	thread_stacks_inherit(false);
	if (!thread_program.holds || atomic_load(&thread_program.forked))
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	unshare_all();
	pthread_setcancelstate(cancel, NULL);
}

static void in_child(void)
{
	int cancel;

	if (!thread_program.holds)
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	hal_arch_self_set(NULL);
	atomic_store(&thread_program.forked, true);
	thread_leases_drop();
	thread_status_close();
	thread_settings_forget();
	pthread_setcancelstate(cancel, NULL);
}

void thread_fork_start(void)
{
	static bool done;

	if (!done)
		done = !pthread_atfork(before, in_parent, in_child);
}
