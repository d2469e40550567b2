/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The note of the former settings of the machine, from before programs changed them: a file of the
 * state folder with lines "path value". Root writes what the note says into the settings. So the
 * note is believed only if the file belongs to this user, and only for the settings that this file
 * knows.
 *
 * This file runs in the guardian, a fork of a program with threads: no heap, no stdio streams.
 */
#define _GNU_SOURCE

#include "settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "state.h"

#define FORMER     "settings.former"
#define FILE_BYTES 8192u
#define PATH_BYTES 300u

static bool read_text(const char *path, char *text, size_t capacity)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, text, capacity - 1);
	close(fd);
	if (got < 0)
		return false;
	text[got] = 0;
	return true;
}

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	size_t length = strlen(text);
	bool done;
	int error;

	if (fd < 0)
		return false;
	done = write(fd, text, length) == (ssize_t)length;
	error = errno;
	done = !close(fd) && done;
	errno = error;
	return done;
}

/* Whatever a note says: no other file is written, and no path with detours is followed. */
static bool is_setting(const char *path)
{
	char fair_server[128];
	unsigned cpu;

	if (!strcmp(path, RT_RUNTIME))
		return true;
	if (sscanf(path, FAIR_SERVER, &cpu) != 1)
		return false;
	snprintf(fair_server, sizeof(fair_server), FAIR_SERVER, cpu);
	return !strcmp(path, fair_server);
}

static bool is_value(const char *text)
{
	return *text && !text[strspn(text, "-0123456789")];
}

/* False: Linux refuses for now. It refuses sched_rt_runtime_us while it has granted more to
 * SCHED_DEADLINE threads. Source: sched(7), sched-deadline. */
static bool put_line_back(char *line)
{
	const char *path = strsep(&line, " ");

	return !line || !is_setting(path) || !is_value(line) || write_text(path, line) ||
	       (errno != EBUSY && errno != EINTR && errno != EAGAIN);
}

int note_put_back(void)
{
	char text[FILE_BYTES], path[PATH_BYTES], *rest = text, *line;
	int note = linux_state_open_own(FORMER, false);
	bool done = true;
	ssize_t got;

	if (note == -ENOENT)
		return 0;
	if (note < 0)
		return -EAGAIN;
	got = pread(note, text, sizeof(text) - 1, 0);
	close(note);
	if (got < 0)
		return -EAGAIN;
	text[got] = 0;
	while ((line = strsep(&rest, "\n")))
		done &= put_line_back(line);
	if (!done || linux_state_path(path, sizeof(path), FORMER) || unlink(path))
		return -EAGAIN;
	return 0;
}

static bool write_down(const char *path, const char *former)
{
	char noted[FILE_BYTES], line[256];
	int file = linux_state_open_own(FORMER, true);
	bool done;
	ssize_t got;

	if (file < 0)
		return false;
	got = pread(file, noted, sizeof(noted) - 1, 0);
	noted[got > 0 ? got : 0] = 0;
	snprintf(line, sizeof(line), "%s %s\n", path, former);
	done = strstr(noted, path) || write(file, line, strlen(line)) == (ssize_t)strlen(line);
	close(file);
	return done;
}

bool note_change(const char *path, const char *value)
{
	char former[64];

	if (!read_text(path, former, sizeof(former)))
		return false;
	former[strcspn(former, "\n")] = 0;
	if (!strcmp(former, value))
		return true;
	return write_down(path, former) && write_text(path, value);
}
