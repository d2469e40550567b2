/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The list of --cpu: numbers with commas, each of an available CPU. A wrong list is refused before
 * the program begins, because a program that starts no task would otherwise end with its own
 * status.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tactus/start.h>

#include "posix/process/launcher.h"

#define FOLDER "/sys/devices/system/cpu/"

void launcher_check_cpus(const char *list)
{
	const char *at = list;
	unsigned count = 0;

	do {
		size_t digits = strspn(at, "0123456789");

		if (!digits || digits > 4 || (at[digits] && at[digits] != ','))
			launcher_quit(USAGE_STATUS,
				      "--cpu %s: give numbers with commas, as 2 or 2,3", list);
		at += digits;
		count++;
	} while (*at++);
	if (count > TACT_CPU_MAX)
		launcher_quit(USAGE_STATUS, "--cpu: %u CPUs are given, but the maximum is %u",
			      count, (unsigned)TACT_CPU_MAX);
}

/* Does a list in Linux's form (0-3,8) name the CPU? */
static int names(const char *list, unsigned long cpu)
{
	char *end;

	while (*list >= '0' && *list <= '9') {
		unsigned long first = strtoul(list, &end, 10);
		unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;

		if (cpu >= first && cpu <= last)
			return 1;
		list = *end == ',' ? end + 1 : end;
	}
	return 0;
}

void launcher_find_cpus(const char *list, int may_be_offline)
{
	const char *which = may_be_offline ? "present" : "online";
	char path[64], there[4096];
	FILE *file;

	snprintf(path, sizeof(path), FOLDER "%s", which);
	file = fopen(path, "re");
	if (!file)
		return;
	if (!fgets(there, sizeof(there), file))
		there[0] = 0;
	fclose(file);
	there[strcspn(there, "\n")] = 0;
	if (!there[0])
		return;
	for (char *end;; list = end + 1) {
		unsigned long cpu = strtoul(list, &end, 10);

		if (!names(there, cpu))
			launcher_quit(USAGE_STATUS,
				      "--cpu %lu: there is no such CPU %s; choose from %s", cpu,
				      which, there);
		if (*end != ',')
			return;
	}
}
