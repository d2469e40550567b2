/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the store of gravity. If one line of the file is not as docs/spec/gravity.md says, no line
 * is used, and the program is told. It is no error if there is no such file, or no line for this
 * CPU.
 */
#define _GNU_SOURCE

#include "gravity.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "hal/hal.h"
#include "reason.h"

#define HEADER       "tactus-gravity 1"
#define SYSTEM_FILE  "/var/lib/tactus/gravity"
#define LINE_BYTES   512u
#define PATH_BYTES   300u
#define VALUE_MAX_NS 1000000u
#define VALUES       5u

/* To what the values of a line apply. */
struct key {
	uint32_t cpu;
	char kernel[128];
	char model[128];
};

static void read_model(char *model, size_t capacity)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[LINE_BYTES];

	snprintf(model, capacity, "unknown");
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		char *value = strchr(line, ':');

		if (strncmp(line, "model name", 10) || !value)
			continue;
		value += 1 + strspn(value + 1, " \t");
		value[strcspn(value, "\n")] = 0;
		for (size_t end = strlen(value); end && value[end - 1] == ' ';)
			value[--end] = 0;
		if (*value)
			snprintf(model, capacity, "%.*s", (int)capacity - 1, value);
		break;
	}
	fclose(file);
}

/* A whole number up to limit, and one blank after it. */
static bool take_number(char **text, uint32_t limit, uint32_t *value)
{
	uint64_t number = 0;
	char *at = *text;

	while (*at >= '0' && *at <= '9' && number <= limit)
		number = number * 10 + (uint64_t)(*at++ - '0');
	if (at == *text || number > limit || *at != ' ')
		return false;
	*text = at + 1;
	*value = (uint32_t)number;
	return true;
}

static bool parse_line(char *line, struct hal_gravity *gravity, struct key *key)
{
	uint32_t *const values[VALUES] = {&gravity->handler_ns, &gravity->light_ns,
					  &gravity->task_ns, &gravity->idle_ns,
					  &gravity->preempt_ns};
	char *kernel;

	for (unsigned i = 0; i < VALUES; i++)
		if (!take_number(&line, VALUE_MAX_NS, values[i]) || !*values[i])
			return false;
	if (!take_number(&line, CPU_SETSIZE - 1, &key->cpu))
		return false;
	kernel = strsep(&line, " ");
	if (!line || !*kernel || !*line || strlen(kernel) >= sizeof(key->kernel) ||
	    strlen(line) >= sizeof(key->model))
		return false;
	strcpy(key->kernel, kernel);
	strcpy(key->model, line);
	return true;
}

/* Reads all lines; returns 0 or the number of the first bad one. */
static unsigned scan(FILE *file, const struct key *wanted, struct hal_gravity *gravity)
{
	char line[LINE_BYTES];
	unsigned number = 0;

	while (fgets(line, sizeof(line), file)) {
		struct hal_gravity values;
		struct key key;
		size_t length = strcspn(line, "\n");

		number++;
		if (line[length] != '\n')
			return number;
		line[length] = 0;
		if (number == 1) {
			if (strcmp(line, HEADER))
				return number;
			continue;
		}
		if (!parse_line(line, &values, &key))
			return number;
		if (key.cpu == wanted->cpu && !strcmp(key.kernel, wanted->kernel) &&
		    !strcmp(key.model, wanted->model))
			*gravity = values;
	}
	return number ? 0 : 1;
}

static bool read_file(const char *path, const struct key *wanted, struct hal_gravity *gravity,
		      char reason[HAL_REASON_BYTES])
{
	FILE *file = fopen(path, "re");
	unsigned bad;

	if (!file) {
		if (errno == ENOENT || errno == ENOTDIR || errno == EACCES)
			return true;
		linux_notice(reason, "cannot read %s (%s): built-in gravity is used. ", path,
			     strerror(errno));
		return false;
	}
	bad = scan(file, wanted, gravity);
	fclose(file);
	if (!bad)
		return true;
	memset(gravity, 0, sizeof(*gravity));
	linux_notice(
		reason,
		"%s is damaged in line %u: built-in gravity is used. Run ./tactus tune --reset. ",
		path, bad);
	return false;
}

/* Source: XDG Base Directory Specification. */
static bool own_file(char path[PATH_BYTES])
{
	const char *base = secure_getenv("XDG_CONFIG_HOME");
	const char *home = secure_getenv("HOME");
	int length;

	if (base && *base == '/')
		length = snprintf(path, PATH_BYTES, "%s/tactus/gravity", base);
	else if (home && *home == '/')
		length = snprintf(path, PATH_BYTES, "%s/.config/tactus/gravity", home);
	else
		return false;
	return length < (int)PATH_BYTES;
}

bool thread_gravity_read(const char *file, uint32_t linux_cpu, struct hal_gravity *gravity,
			 char reason[HAL_REASON_BYTES])
{
	struct key wanted = {.cpu = linux_cpu};
	char path[PATH_BYTES];
	struct utsname name;

	memset(gravity, 0, sizeof(*gravity));
	uname(&name);
	snprintf(wanted.kernel, sizeof(wanted.kernel), "%s", name.release);
	read_model(wanted.model, sizeof(wanted.model));
	if (*file)
		return read_file(file, &wanted, gravity, reason);
	if (geteuid() && own_file(path)) {
		if (!read_file(path, &wanted, gravity, reason))
			return false;
		if (gravity->task_ns)
			return true;
	}
	return read_file(SYSTEM_FILE, &wanted, gravity, reason);
}
