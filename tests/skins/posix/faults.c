/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A fault without a handler ends the program by its signal, which a parent or a shell sees: in
 * primary mode, and ("backing") after a call of Linux. usage: faults WHAT */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

static volatile int zero;

static void fault(const char *what)
{
	char *page;

	if (!strcmp(what, "division"))
		zero = 7 / zero;
	if (!strcmp(what, "instruction"))
		__asm__ volatile("ud2");
	if (!strcmp(what, "breakpoint"))
		__asm__ volatile("int3");
	if (!strcmp(what, "backing")) {
		page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, memfd_create("empty", 0), 0);
		zero = *(volatile char *)page;
	}
	if (!strcmp(what, "memory"))
		*(volatile int *)(uintptr_t)zero = 1;
}

static void *entry(void *what)
{
	SHOW(is_task_if_expected());
	usleep(1000); /* back in primary mode */
	fault(what);
	puts("went on");
	return NULL;
}

int main(int count, char **arguments)
{
	const struct rlimit none = {0, 0};

	if (count != 2)
		return 2;
	setrlimit(RLIMIT_CORE, &none);
	joined(fifo_thread(40, entry, arguments[1]));
	return 0;
}
