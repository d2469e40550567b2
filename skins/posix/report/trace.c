/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writes the trace rings of the program's own status segment to a file of JSON, in the form that
 * chrome://tracing and ui.perfetto.dev read: a row for each real-time CPU with the stays of its
 * tasks, and instants for what happened in them. Source: the document "Trace Event Format".
 */
#define _GNU_SOURCE
#include "posix/report/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/status.h"
#include "abi/trace.h"
#include "posix/libc/print.h"
#include "posix/libc/real.h"
#include "posix/state/say.h"

#define NAMES 1024u

static struct {
	uint32_t handle;
	pid_t tid;
	char name[16];
} names[NAMES];
static unsigned named;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

bool posix_trace_wanted(void)
{
	const char *name = getenv("TACTUS_RUN_TRACE");

	return name && *name;
}

/* A program that the launched program has started writes a file of its own beside the first one. */
static void find_name(char path[PATH_MAX])
{
	const char *first = getenv("TACTUS_RUN_TRACE_PID");

	if (!first || atoi(first) == getpid())
		snprintf(path, PATH_MAX, "%s", getenv("TACTUS_RUN_TRACE"));
	else
		snprintf(path, PATH_MAX, "%s.%d", getenv("TACTUS_RUN_TRACE"), (int)getpid());
}

void posix_trace_name(const struct posix_thread *thread)
{
	if (!posix_trace_wanted())
		return;
	posix_real.pthread_mutex_lock(&mutex);
	if (named < NAMES) {
		names[named].handle = thread->task.id;
		names[named].tid = thread->tid;
		pthread_getname_np(thread->pthread, names[named].name, sizeof(names[0].name));
		named++;
	}
	posix_real.pthread_mutex_unlock(&mutex);
}

void posix_trace_forked(void)
{
	posix_lock_forked(&mutex);
	if (named)
		named = 0;
}

/* Found by its name among the program's mappings. */
static const struct tact_status_header *find_segment(void)
{
	static char text[2 * PATH_MAX];
	const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	unsigned long begin = 0;
	size_t have = 0;
	ssize_t got;

	while (maps >= 0 && !begin &&
	       (got = posix_real.read(maps, text + have, sizeof(text) - 1 - have)) > 0) {
		char *line = text, *end;

		text[have + (size_t)got] = '\0';
		while (!begin && (end = strchr(line, '\n'))) {
			*end = '\0';
			if (strstr(line, "memfd:tactus-status"))
				begin = strtoul(line, NULL, 16);
			line = end + 1;
		}
		have = strlen(line);
		memmove(text, line, have);
	}
	if (maps >= 0)
		posix_real.close(maps);
	return (const void *)begin;
}

struct output {
	struct posix_print print;
	const struct tact_status_header *header;
	bool begun;
};

static double microseconds(const struct tact_status_header *header, uint64_t ticks)
{
	__extension__ typedef unsigned __int128 wide;
	uint64_t since = ticks - header->start_ticks;

	return (double)(uint64_t)((wide)since * header->tick_mult >> 32) / 1000.0;
}

static void begin(struct output *output)
{
	posix_print(&output->print, output->begun ? ",\n" : "\n");
	output->begun = true;
}

/* Names may contain any bytes except zero. */
static void put_text(struct posix_print *to, const char *text)
{
	char clean[TACT_NAME_BYTES];
	size_t length = 0;

	for (; *text && length < sizeof(clean) - 1; text++)
		clean[length++] =
			*text < ' ' || *text == '"' || *text == '\\' || *text == 127 ? '_' : *text;
	clean[length] = '\0';
	posix_print(to, "%s", clean);
}

static void put_task(struct posix_print *to, uint32_t handle)
{
	for (unsigned i = named; i-- > 0;)
		if (names[i].handle == handle) {
			put_text(to, names[i].name);
			posix_print(to, " %d", names[i].tid);
			return;
		}
	if (handle)
		posix_print(to, "task %x", handle);
	else
		posix_print(to, "idle");
}

static const char *kind_name(uint32_t kind)
{
	static const char *const kinds[] = {
		[TACT_TRACE_READY] = "ready",       [TACT_TRACE_WAIT] = "waits",
		[TACT_TRACE_WAKE] = "woken",        [TACT_TRACE_TIMER] = "timer",
		[TACT_TRACE_RELAX] = "to Linux",    [TACT_TRACE_HARDEN] = "from Linux",
		[TACT_TRACE_FAULT] = "fault",       [TACT_TRACE_RELEASE] = "release",
		[TACT_TRACE_PRIORITY] = "priority", [TACT_TRACE_MIGRATE] = "migrates",
		[TACT_TRACE_TASK_NEW] = "begins",   [TACT_TRACE_TASK_END] = "ends",
		[TACT_TRACE_MARK] = "mark",         [TACT_TRACE_PAGE_FAULT] = "page faults",
	};

	return kind < sizeof(kinds) / sizeof(kinds[0]) && kinds[kind] ? kinds[kind] : "event";
}

static void put_stay(struct output *output, uint32_t cpu, uint32_t handle, uint64_t from,
		     uint64_t to)
{
	double begin_us = microseconds(output->header, from);

	begin(output);
	posix_print(&output->print,
		    "{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%.3f,\"dur\":%.3f,\"name\":\"",
		    output->header->pid, cpu, begin_us,
		    microseconds(output->header, to) - begin_us);
	put_task(&output->print, handle);
	posix_print(&output->print, "\"}");
}

static void put_instant(struct output *output, uint32_t cpu, const struct tact_trace_event *event)
{
	struct posix_print *to = &output->print;

	begin(output);
	posix_print(to, "{\"ph\":\"i\",\"s\":\"t\",\"pid\":%u,\"tid\":%u,\"ts\":%.3f,\"name\":\"%s",
		    output->header->pid, cpu, microseconds(output->header, event->ticks),
		    kind_name(event->kind));
	if (event->kind == TACT_TRACE_RELAX && (int64_t)event->b >= 0)
		posix_print(to, ": call %lld", (long long)event->b);
	posix_print(to, "\",\"args\":{\"task\":\"");
	if (event->kind == TACT_TRACE_TIMER || event->kind == TACT_TRACE_MARK)
		posix_print(to, "\",\"a\":%u,\"b\":%llu}}", event->a, (unsigned long long)event->b);
	else {
		put_task(to, event->a);
		posix_print(to, "\",\"value\":%lld}}", (long long)event->b);
	}
}

/* The number of events so far: an event more than mask behind may be overwritten. */
static uint64_t head_of(const struct tact_trace_ring *ring)
{
	return __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
}

/* False: it was overwritten meanwhile. */
static bool copy_event(const struct tact_trace_ring *ring, uint64_t at,
		       struct tact_trace_event *event)
{
	memcpy(event, &ring->event[at & ring->mask], sizeof(*event));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return head_of(ring) - at <= ring->mask;
}

/* The tasks continue and fill the ring, maybe faster than the file can be written. */
static void put_events(struct output *output, uint32_t cpu, const struct tact_trace_ring *ring)
{
	const uint64_t end = head_of(ring);
	uint64_t at = end > ring->mask ? end - ring->mask : 0;
	uint64_t since = 0;

	for (; at < end; at++) {
		struct tact_trace_event event;

		if (!copy_event(ring, at, &event)) {
			since = 0;
			continue;
		}
		if (event.kind != TACT_TRACE_SWITCH) {
			put_instant(output, cpu, &event);
			continue;
		}
		if (event.a && since)
			put_stay(output, cpu, event.a, since, event.ticks);
		since = event.ticks;
	}
}

static void put_cpu(struct output *output, uint32_t cpu)
{
	const struct tact_status_header *header = output->header;
	const char *base = (const char *)header;
	const struct tact_status_cpu *status =
		(const void *)(base + header->cpu_offset + (size_t)header->cpu_stride * cpu);

	begin(output);
	posix_print(&output->print,
		    "{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\","
		    "\"args\":{\"name\":\"real-time CPU %u (Linux %u)\"}}",
		    header->pid, cpu, cpu, status->linux_cpu);
	put_events(output, cpu,
		   (const void *)(base + header->trace_offset + header->trace_stride * cpu));
}

static void put_all(struct output *output)
{
	struct posix_print *to = &output->print;

	posix_print(to, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	begin(output);
	posix_print(to, "{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\",\"args\":{\"name\":\"",
		    output->header->pid);
	put_text(to, output->header->program);
	posix_print(to, "\"}}");
	for (uint32_t cpu = 0; cpu < output->header->cpus; cpu++)
		put_cpu(output, cpu);
	posix_print(to, "\n]}\n");
}

void posix_trace_write(void)
{
	static struct output output;
	char path[PATH_MAX], text[256];
	int error;

	if (!posix_trace_wanted())
		return;
	output.header = find_segment();
	if (!output.header)
		return;
	find_name(path);
	output.print.fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (output.print.fd >= 0) {
		put_all(&output);
		error = posix_print_end(&output.print);
		if (posix_real.close(output.print.fd) && !error)
			error = errno;
		if (!error)
			return;
		errno = error;
	}
	snprintf(text, sizeof(text), "no trace is written to %.200s: %s", path, strerror(errno));
	posix_say(text);
}
