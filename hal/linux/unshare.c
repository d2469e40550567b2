/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The parent's pages after a fork. Linux write-protects each private page. The first write to it
 * would fault on a real-time CPU, and copy the page if the child still has it. So a Linux thread
 * makes the present pages the program's own again, a moment later: by then most children have ended
 * or executed another program, and their pages need no copy. The thread that forks does not wait
 * for this.
 */
#define _GNU_SOURCE

#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/self.h"
#include "call.h"
#include "fork.h"
#include "maps.h"
#include "policy.h"
#include "program.h"
#include "sanitized.h"
#include "tls.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

#define PAGE    4096u
#define PRESENT (1ull << 63)
#define BATCH   512u

#define PIECE_BYTES 65536u
#define SETTLE_NS   1000000 /* by then a child has mostly ended or executed another program */

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

/* In pieces: each piece delays threads that fork or map memory, for as long as it takes. */
static void unshare_region(uintptr_t begin, uintptr_t end)
{
	while (begin < end) {
		const uintptr_t left = end - begin;
		const uintptr_t piece = left < PIECE_BYTES ? left : PIECE_BYTES;

		madvise((void *)begin, piece, MADV_POPULATE_WRITE);
		begin += piece;
	}
}

/*
 * Only present pages: populating the rest would take memory that the program has not used. Holes
 * cost nothing; programs reserve terabytes of them. False: this kernel cannot do it.
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
	int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	struct mapping one;
	struct maps maps;

	if (pagemap < 0)
		return;
	if (maps_open(&maps)) {
		while (maps_next(&maps, &one))
			if (one.rights[1] == 'w' && one.rights[3] == 'p' &&
			    !scan_range(pagemap, one.begin, one.end))
				read_range(pagemap, one.begin, one.end);
		maps_close(&maps);
	}
	close(pagemap);
}

/* What the thread is asked for. If it is asked again while it works, it works once more. */
enum { UNSHARE_NOTHING, UNSHARE_PAGES, UNSHARE_END };

static struct {
	_Atomic uint32_t asked;
	_Atomic bool runs;
	pthread_t thread;
} unsharer;

static void *work(void *unused)
{
	const struct timespec settle = {.tv_nsec = SETTLE_NS};
	uint32_t asked;

	for (;;) {
		while (atomic_load(&unsharer.asked) == UNSHARE_NOTHING)
			call_futex_wait(&unsharer.asked, UNSHARE_NOTHING, NULL);
		hal_arch_syscall(SYS_nanosleep, (long)&settle, 0, 0, 0, 0, 0);
		asked = UNSHARE_PAGES;
		if (!atomic_compare_exchange_strong(&unsharer.asked, &asked, UNSHARE_NOTHING))
			break;
		unshare_all();
	}
	linux_ends();
	return unused;
}

/* The first fork calls this. False: no thread can be made. */
static bool begin(void)
{
	uint64_t all = ~LINUX_BIT(LINUX_SIGNAL_SETXID), former;
	const struct sched_param none = {0};
	pthread_attr_t attributes;
	int error;

	pthread_attr_init(&attributes);
	linux_set_stack(&attributes, 256u * 1024u);
	pthread_attr_setaffinity_np(&attributes, sizeof(cpu_set_t), &linux_program.other_cpus);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
	pthread_attr_setschedparam(&attributes, &none);
	call_sigmask(SIG_SETMASK, &all, &former);
	error = linux_birth(&unsharer.thread, &attributes, work, NULL);
	call_sigmask(SIG_SETMASK, &former, NULL);
	pthread_attr_destroy(&attributes);
	if (!error)
		pthread_setname_np(unsharer.thread, "tactus-unshare");
	return !error;
}

/* Two threads may fork at once. One of them starts the thread, which then serves the pages of
 * both. */
void linux_unshare(void)
{
	if (!atomic_exchange(&unsharer.runs, true) && !begin()) {
		atomic_store(&unsharer.runs, false);
		unshare_all();
		return;
	}
	if (atomic_exchange(&unsharer.asked, UNSHARE_PAGES) == UNSHARE_NOTHING)
		call_futex_wake(&unsharer.asked, 1);
}

/* No task can fork any more. */
void linux_unshare_stop(void)
{
	if (!atomic_load(&unsharer.runs))
		return;
	atomic_store(&unsharer.asked, UNSHARE_END);
	call_futex_wake(&unsharer.asked, 1);
	pthread_join(unsharer.thread, NULL);
	atomic_store(&unsharer.asked, UNSHARE_NOTHING);
	atomic_store(&unsharer.runs, false);
}
