/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the pages of the kernel's ring buffer, because its text form has no nanoseconds. Format:
 * Linux include/linux/ring_buffer.h and events/header_event; the layout has not changed since
 * 2.6.30. Only the time and the number of an event are used.
 */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/complain.h"

#define TRACING     "/sys/kernel/tracing"
#define INSTANCE    TRACING "/instances/tactus-irq"
#define PATH_BYTES  256
#define PAGE_BYTES  65536 /* the largest page of a ring buffer */
#define PAGE_HEADER 16
#define COMMIT_MASK 0xfffffu
#define KB_MIN      64u
#define KB_MAX      65536u

enum { TYPE_LENGTH_DATA_MAX = 28, TYPE_PADDING, TYPE_TIME_EXTEND, TYPE_TIME_STAMP };

static bool write_text(const struct irq_trace *trace, const char *name, const char *text)
{
	char path[PATH_BYTES];
	bool wrote;
	int fd;

	(void)snprintf(path, sizeof(path), "%s/%s", trace->folder, name);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	wrote = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	if (fd >= 0)
		(void)close(fd);
	return wrote;
}

/* One name for all runs, so that the instance of a killed run is found. An open file prevents the
 * removal of the instance of a live run. */
static int make_instance(struct irq_trace *trace)
{
	char path[PATH_BYTES];

	if (access(TRACING "/instances", W_OK) != 0 &&
	    mount("tracefs", TRACING, "tracefs", 0, NULL) != 0)
		return -1;
	(void)snprintf(trace->folder, sizeof(trace->folder), "%s", INSTANCE);
	if (mkdir(INSTANCE, 0700) == 0 ||
	    (errno == EEXIST && rmdir(INSTANCE) == 0 && mkdir(INSTANCE, 0700) == 0)) {
		(void)snprintf(path, sizeof(path), "%s/trace_clock", INSTANCE);
		trace->hold_fd = open(path, O_RDONLY | O_CLOEXEC);
		return 0;
	}
	trace->folder[0] = '\0';
	return -1;
}

static void remove_instance(struct irq_trace *trace)
{
	if (trace->folder[0] == '\0')
		return;
	if (trace->hold_fd >= 0)
		(void)close(trace->hold_fd);
	(void)rmdir(trace->folder);
	trace->folder[0] = '\0';
}

static bool read_event_id(struct irq_trace *trace, const char *event)
{
	char path[PATH_BYTES];
	bool got;
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/events/%s/id", trace->folder, event);
	file = fopen(path, "re");
	got = file != NULL && fscanf(file, "%u", &trace->event_id) == 1;
	if (file != NULL)
		(void)fclose(file);
	return got;
}

int irq_trace_start(struct irq_trace *trace, const char *event, const char *filter,
		    uint64_t entries, struct notices *notices)
{
	uint64_t kb = KB_MIN + entries / 16;
	char name[PATH_BYTES], size[24];

	*trace = (struct irq_trace){.count = 0};
	if (make_instance(trace) < 0) {
		notices_add(notices,
			    "the handler's time is unknown, because the kernel cannot be traced "
			    "(%s): run as root, where tracefs can be mounted",
			    strerror(errno));
		return 1;
	}
	kb = kb < KB_MAX ? kb : KB_MAX;
	(void)snprintf(size, sizeof(size), "%llu", (unsigned long long)kb);
	(void)snprintf(name, sizeof(name), "events/%s/filter", event);
	if (read_event_id(trace, event) && write_text(trace, "trace_clock", "mono") &&
	    write_text(trace, "buffer_size_kb", size) &&
	    (*filter == '\0' || write_text(trace, name, filter))) {
		(void)snprintf(name, sizeof(name), "events/%s/enable", event);
		if (write_text(trace, name, "1") && write_text(trace, "tracing_on", "1"))
			return 0;
	}
	notices_add(notices,
		    "the handler's time is unknown, because this kernel cannot trace %s (%s)",
		    event, strerror(errno));
	remove_instance(trace);
	return 1;
}

static int add_entry(struct irq_trace *trace, uint64_t time_ns)
{
	/* A power of two of entries means that the room is used up. */
	if ((trace->count & (trace->count - 1)) == 0) {
		const size_t room = trace->count > 0 ? 2 * trace->count : 1;
		uint64_t *entries = realloc(trace->entries_ns, room * sizeof(*entries));

		if (entries == NULL)
			return complain("no memory for %zu trace entries: measure less", room);
		trace->entries_ns = entries;
	}
	trace->entries_ns[trace->count++] = time_ns;
	return 0;
}

static uint32_t word_at(const unsigned char *page, size_t offset)
{
	uint32_t word;

	memcpy(&word, page + offset, sizeof(word));
	return word;
}

/* A word: 5 bits of type or length, 27 bits of time since the event before. */
static int read_page(struct irq_trace *trace, const unsigned char *page, size_t bytes)
{
	uint64_t time_ns, commit;
	size_t at = PAGE_HEADER, end;

	memcpy(&time_ns, page, sizeof(time_ns));
	memcpy(&commit, page + sizeof(time_ns), sizeof(commit));
	end = PAGE_HEADER + (commit & COMMIT_MASK);
	end = end < bytes ? end : bytes;
	while (at + 2 * sizeof(uint32_t) <= end) {
		const uint32_t word = word_at(page, at), next = word_at(page, at + 4);
		const unsigned int type = word & 31;
		const uint32_t delta = word >> 5;

		if (type == TYPE_TIME_STAMP) {
			/* The upper bits are those of the time so far. */
			time_ns =
				(time_ns & ~((1ull << 59) - 1)) | (((uint64_t)next << 27) + delta);
			at += 8;
			continue;
		}
		if (type == TYPE_TIME_EXTEND) {
			time_ns += ((uint64_t)next << 27) + delta;
			at += 8;
			continue;
		}
		if (type == TYPE_PADDING) {
			if (delta == 0)
				return 0;
			time_ns += delta;
			at += 4 + next;
			continue;
		}
		time_ns += delta;
		/* The length of what follows is in the word, or in the word after it. */
		if ((word_at(page, at + (type == 0 ? 8 : 4)) & 0xffff) == trace->event_id &&
		    add_entry(trace, time_ns) < 0)
			return -1;
		at += type == 0 ? 4 + next : 4 + 4 * (size_t)type;
	}
	return 0;
}

static int read_cpu(struct irq_trace *trace, int cpu)
{
	static unsigned char page[PAGE_BYTES];
	char path[PATH_BYTES];
	int fd, error = 0;
	ssize_t got;

	(void)snprintf(path, sizeof(path), "%s/per_cpu/cpu%d/trace_pipe_raw", trace->folder, cpu);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return 1;
	/* A read gives at most one page, whatever its size. */
	while (error == 0 && (got = read(fd, page, sizeof(page))) >= PAGE_HEADER)
		error = read_page(trace, page, (size_t)got);
	(void)close(fd);
	return error;
}

static int compare(const void *left, const void *right)
{
	const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

int irq_trace_stop(struct irq_trace *trace, int only_cpu)
{
	int status = 0;

	if (trace->folder[0] == '\0')
		return 0;
	(void)write_text(trace, "tracing_on", "0");
	for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF) && status >= 0; cpu++)
		if (only_cpu < 0 || cpu == only_cpu)
			status = read_cpu(trace, (int)cpu);
	if (trace->count > 0)
		qsort(trace->entries_ns, trace->count, sizeof(*trace->entries_ns), compare);
	remove_instance(trace);
	return status < 0 ? -1 : 0;
}

void irq_trace_free(struct irq_trace *trace)
{
	remove_instance(trace);
	free(trace->entries_ns);
	*trace = (struct irq_trace){.count = 0};
}
