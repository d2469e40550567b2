/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A CPU with its SMT sibling: siblings CPU SIBLING. CPU 0 and 1 are also siblings. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cases.h"

static bool starts(uint32_t cpu)
{
	char path[64];
	int file;
	bool done;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	file = open(path, O_WRONLY);
	done = write(file, "1", 1) == 1;
	close(file);
	return done;
}

static void check_first(int file)
{
	struct tact_bare_take take = {.cpu = 1, .flags = TACT_BARE_TAKE_SIBLINGS};
	int result = ioctl(file, TACT_BARE_TAKE, &take) ? -errno : 0;

	check(result < 0 && take.reason[0] && cpu_is_online(1),
	      "siblings: CPU 1 does not go with CPU 0 (%s): %s", strerror(-result), take.reason);
}

int case_siblings(int count, char **words)
{
	const uint32_t cpu = count > 1 ? (uint32_t)atoi(words[1]) : 2;
	const uint32_t other = count > 2 ? (uint32_t)atoi(words[2]) : 3;
	struct tact_bare_take take = {.cpu = cpu, .flags = TACT_BARE_TAKE_SIBLINGS};
	int file = ring3_open(), second = ring3_open();
	struct ring3 *self;
	int result;

	check_first(file);
	result = ioctl(file, TACT_BARE_TAKE, &take) ? -errno : 0;
	check(!result && !cpu_is_online(cpu) && !cpu_is_online(other),
	      "siblings: both are taken (%s) %s", strerror(-result), take.reason);
	check(!starts(other), "siblings: Linux does not start the sibling");
	take.cpu = other;
	result = ioctl(second, TACT_BARE_TAKE, &take) ? -errno : 0;
	check(result == -EBUSY, "siblings: another program does not get it: %s", take.reason);
	close(file);
	check(cpu_is_online(cpu) && cpu_is_online(other), "siblings: both are back");
	self = ring3_take(second, cpu);
	check(cpu_is_online(other), "siblings: without the flag it stays with Linux");
	ring3_give(self);
	close(second);
	return checks_failed();
}
