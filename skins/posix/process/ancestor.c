/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Who began this program, and who began that. */
#define _GNU_SOURCE
#include "posix/process/ancestor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of a process that lives; 0: none. Source: proc(5). */
static pid_t parent_of(pid_t pid)
{
	char path[32], text[512] = "";
	const char *after_name;
	pid_t parent;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	(void)!fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	after_name = strrchr(text, ')');
	return after_name && sscanf(after_name, ") %*c %d", &parent) == 1 ? parent : 0;
}

bool posix_names_ancestor(const char *reason)
{
	const char *holder = strstr(reason, "(pid ");
	const pid_t pid = holder ? atoi(holder + strlen("(pid ")) : 0;
	pid_t ancestor = parent_of(getpid());

	while (pid && ancestor && ancestor != pid)
		ancestor = parent_of(ancestor);
	return pid && ancestor;
}
