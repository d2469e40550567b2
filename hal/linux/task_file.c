/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What Linux reports about the threads of this program, in files of /proc/self/task. */
#define _GNU_SOURCE

#include "task_file.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "call.h"

#define ROOM 128u /* for the first values of a file */

static bool read_file(uint32_t tid, const char *name, char *text, size_t room)
{
	char path[64];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%u/%s", tid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = read(fd, text, room - 1);
	close(fd);
	text[got > 0 ? got : 0] = 0;
	return got > 0;
}

bool linux_task_is_ready(uint32_t tid)
{
	char text[ROOM];
	const char *state = read_file(tid, "stat", text, sizeof(text)) ? strrchr(text, ')') : NULL;

	return state && !strncmp(state, ") R", 3);
}

bool linux_task_times(uint32_t tid, unsigned long long *ran_ns, unsigned long long *waited_ns)
{
	char text[ROOM];

	return read_file(tid, "schedstat", text, sizeof(text)) &&
	       sscanf(text, "%llu %llu", ran_ns, waited_ns) == 2;
}

int linux_tasks_open(void)
{
	return open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Source: getdents(2). */
struct record {
	uint64_t inode;
	int64_t next; /* position of the record behind this one */
	uint16_t bytes;
	uint8_t type;
	char name[];
};

uint32_t linux_tasks_next(int tasks, off_t *behind)
{
	/* The kernel gives whole records. There is room for a few, and the first one that is a
	 * number counts. */
	_Alignas(struct record) char room[256];
	uint32_t tid = 0;
	long got;

	lseek(tasks, *behind, SEEK_SET);
	got = syscall(SYS_getdents64, tasks, room, sizeof(room));
	for (long at = 0; at < got && !tid;) {
		const struct record *record = (const struct record *)(room + at);

		*behind = record->next;
		tid = (uint32_t)strtoul(record->name, NULL, 10);
		at += record->bytes;
	}
	return tid;
}
