/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The program's memory when its first task begins: all present memory is populated for good, and
 * locked. Of the stack of the thread that begins it, as much is held as of the stack of each task
 * (attach.c), and not the 8 MiB that a thread may have: every fork would copy the page table of
 * these, and write-protect them.
 */
#define _GNU_SOURCE

#include "memory/heap_hold.h"

#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "maps.h"
#include "program.h"
#include "reason.h"

#ifndef MCL_ONFAULT
#define MCL_ONFAULT 4
#endif

struct range {
	uintptr_t begin, end;
};

static struct range own_stack(void)
{
	struct range stack = {0};
	pthread_attr_t attributes;
	size_t bytes;
	void *base;

	if (pthread_getattr_np(pthread_self(), &attributes))
		return stack;
	pthread_attr_getstack(&attributes, &base, &bytes);
	pthread_attr_destroy(&attributes);
	stack.begin = (uintptr_t)base;
	stack.end = stack.begin + bytes;
	return stack;
}

/* Linux refuses memory without access rights, which does no harm. */
static void hold(uintptr_t begin, uintptr_t end)
{
	if (begin < end)
		(void)mlock((void *)begin, end - begin);
}

/* The memory is locked already; now it is populated, too. False: Linux does not list the
 * mappings. */
static bool populate_but(struct range left_out)
{
	struct mapping mapping;
	struct maps maps;

	if (!maps_open(&maps))
		return false;
	while (maps_next(&maps, &mapping)) {
		if (mapping.end <= left_out.begin || mapping.begin >= left_out.end) {
			hold(mapping.begin, mapping.end);
			continue;
		}
		hold(mapping.begin, left_out.begin);
		hold(left_out.end, mapping.end);
	}
	maps_close(&maps);
	return true;
}

/* Of the stack, only the present pages are locked. */
static bool lock_all(void)
{
	return !mlockall(MCL_CURRENT | MCL_ONFAULT) &&
	       (populate_but(own_stack()) || !mlockall(MCL_CURRENT));
}

/*
 * No heap memory goes back to Linux, so memory that was locked and touched once does not come anew.
 * No MCL_FUTURE: it would lock the whole stack of every thread. Later memory is locked where it
 * matters.
 */
void linux_heap_hold(char reason[HAL_REASON_BYTES])
{
	mallopt(M_TRIM_THRESHOLD, -1);
	mallopt(M_MMAP_MAX, 0);
	if (linux_program.options.lock && !lock_all()) {
		struct rlimit limit = {0};

		getrlimit(RLIMIT_MEMLOCK, &limit);
		linux_notice(
			reason,
			"memory is not locked, the limit is %lu KiB: raise 'ulimit -l' or allow "
			"'memlock' in /etc/security/limits.conf. ",
			(unsigned long)limit.rlim_cur / 1024);
		linux_program.options.lock = false;
	}
}
