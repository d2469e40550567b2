/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "storm_weather.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define GROUP "/sys/fs/cgroup/storm"

static uint32_t weather_cpu;

static void tell(const char *path, const char *what)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);

	if (file >= 0 && write(file, what, strlen(what)) < 0)
		errno = 0;
	close(file);
}

void storm_weather_prepare(uint32_t cpu)
{
	weather_cpu = cpu;
	tell("/proc/sys/vm/nr_hugepages", "8");
	tell("/proc/sys/vm/unprivileged_userfaultfd", "1");
	if (!mount("none", "/sys/fs/cgroup", "cgroup2", 0, NULL))
		mkdir(GROUP, 0700);
}

/* Actions of an administrator and of Linux itself meanwhile. */
void storm_weather_do(struct chance *chance, pid_t child)
{
	static const char *const freezes[] = {"1", "0"};
	char path[64], text[16];

	switch (chance_below(chance, 6)) {
	case 0:
		tell("/proc/sys/vm/compact_memory", "1");
		break;
	case 1:
		tell("/proc/sys/vm/drop_caches", "3");
		break;
	case 2:
		tell("/sys/kernel/mm/ksm/run", chance_below(chance, 2) ? "1" : "2");
		break;
	case 3:
		snprintf(text, sizeof(text), "%d", child);
		tell(GROUP "/cgroup.procs", text);
		for (int i = 0; i < 2; i++) {
			tell(GROUP "/cgroup.freeze", freezes[i]);
			usleep(3000);
		}
		break;
	case 4:
		tell("/sys/kernel/mm/transparent_hugepage/enabled",
		     chance_below(chance, 2) ? "always" : "madvise");
		break;
	default:
		if (!weather_cpu)
			break;
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", weather_cpu);
		tell(path, "0");
		tell(path, "1");
	}
}

/* Both counts of Linux never decrease. */
bool storm_weather_is_calm(void *data)
{
	FILE *file = fopen("/proc/vmstat", "r");
	char name[64];
	long value, *pinned = data;

	*pinned = 0;
	while (file && fscanf(file, "%63s %ld", name, &value) == 2) {
		if (strcmp(name, "nr_foll_pin_acquired") == 0)
			*pinned += value;
		else if (strcmp(name, "nr_foll_pin_released") == 0)
			*pinned -= value;
	}
	if (file)
		fclose(file);
	return *pinned == 0;
}
