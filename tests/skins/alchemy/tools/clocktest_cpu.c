/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Before the C library: clocktest's own threads may not go to CPU 0. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <string.h>

int sched_setaffinity(pid_t pid, size_t bytes, const cpu_set_t *set)
{
	int (*real)(pid_t pid, size_t bytes, const cpu_set_t *set);
	const char *name;
	Dl_info caller;

	if (dladdr(__builtin_return_address(0), &caller) && CPU_ISSET(0, set)) {
		name = strrchr(caller.dli_fname, '/');
		if (!strcmp(name ? name + 1 : caller.dli_fname, "clocktest")) {
			errno = EINVAL;
			return -1;
		}
	}
	*(void **)&real = dlsym(RTLD_NEXT, "sched_setaffinity");
	return real(pid, bytes, set);
}
