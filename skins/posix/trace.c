/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The trace rings of the program's own status segment as a file of JSON, in the form that
 * chrome://tracing and ui.perfetto.dev read: a row for each real-time CPU with the stays of its
 * tasks, and instants for what happened in them. Source: the document "Trace Event Format".
 */
#define _GNU_SOURCE
#include "trace.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/status.h"
#include "abi/trace.h"
#include "real.h"

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

/* Of a program that the one that was run has started: its own, beside. */
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
		names[named].handle = thread->task;
		names[named].tid = thread->tid;
		pthread_getname_np(thread->pthread, names[named].name, sizeof(names[0].name));
		named++;
	}
	posix_real.pthread_mutex_unlock(&mutex);
}

void posix_trace_forked(void)
{
	pthread_mutex_init(&mutex, NULL);
	named = 0;
}

/* By the name that it has among the program's mappings. */
static const struct tact_status_header *find_segment(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned long begin = 0;
	char line[512];

	while (maps && !begin && fgets(line, sizeof(line), maps))
		if (strstr(line, "memfd:tactus-status"))
			begin = strtoul(line, NULL, 16);
	if (maps)
		fclose(maps);
	return (const void *)begin;
}

struct output {
	FILE *file;
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
	fputs(output->begun ? ",\n" : "\n", output->file);
	output->begun = true;
}

/* Names are any bytes but zero. */
static void put_text(FILE *file, const char *text)
{
	for (; *text; text++)
		fputc(*text < ' ' || *text == '"' || *text == '\\' || *text == 127 ? '_' : *text,
		      file);
}

static void put_task(FILE *file, uint32_t handle)
{
	for (unsigned i = named; i-- > 0;)
		if (names[i].handle == handle) {
			put_text(file, names[i].name);
			fprintf(file, " %d", names[i].tid);
			return;
		}
	fprintf(file, handle ? "task %x" : "idle", handle);
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
	fprintf(output->file,
		"{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%.3f,\"dur\":%.3f,\"name\":\"",
		output->header->pid, cpu, begin_us, microseconds(output->header, to) - begin_us);
	put_task(output->file, handle);
	fputs("\"}", output->file);
}

static void put_instant(struct output *output, uint32_t cpu, const struct tact_trace_event *event)
{
	begin(output);
	fprintf(output->file,
		"{\"ph\":\"i\",\"s\":\"t\",\"pid\":%u,\"tid\":%u,\"ts\":%.3f,\"name\":\"%s",
		output->header->pid, cpu, microseconds(output->header, event->ticks),
		kind_name(event->kind));
	if (event->kind == TACT_TRACE_RELAX && (int64_t)event->b >= 0)
		fprintf(output->file, ": call %lld", (long long)event->b);
	fputs("\",\"args\":{\"task\":\"", output->file);
	if (event->kind == TACT_TRACE_TIMER || event->kind == TACT_TRACE_MARK)
		fprintf(output->file, "\",\"a\":%u,\"b\":%llu}}", event->a,
			(unsigned long long)event->b);
	else {
		put_task(output->file, event->a);
		fprintf(output->file, "\",\"value\":%lld}}", (long long)event->b);
	}
}

static void put_cpu(struct output *output, uint32_t cpu)
{
	const struct tact_status_header *header = output->header;
	const char *base = (const char *)header;
	const struct tact_status_cpu *status =
		(const void *)(base + header->cpu_offset + (size_t)header->cpu_stride * cpu);
	const struct tact_trace_ring *ring =
		(const void *)(base + header->trace_offset + header->trace_stride * cpu);
	uint64_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
	/* The oldest may be overwritten while it is read. */
	uint64_t at = head > ring->mask ? head - ring->mask + 64 : 0;
	uint64_t since = 0;

	begin(output);
	fprintf(output->file,
		"{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\","
		"\"args\":{\"name\":\"real-time CPU %u (Linux %u)\"}}",
		header->pid, cpu, cpu, status->linux_cpu);
	for (; at < head; at++) {
		const struct tact_trace_event *event = &ring->event[at & ring->mask];

		if (event->kind != TACT_TRACE_SWITCH) {
			put_instant(output, cpu, event);
			continue;
		}
		if (event->a && since)
			put_stay(output, cpu, event->a, since, event->ticks);
		since = event->ticks;
	}
}

void posix_trace_write(void)
{
	struct output output = {.header = find_segment()};
	char path[PATH_MAX], text[256];
	bool broken;

	if (!posix_trace_wanted() || !output.header)
		return;
	find_name(path);
	output.file = fopen(path, "we");
	if (output.file) {
		fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", output.file);
		begin(&output);
		fprintf(output.file,
			"{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\",\"args\":{\"name\":\"",
			output.header->pid);
		put_text(output.file, output.header->program);
		fputs("\"}}", output.file);
		for (uint32_t cpu = 0; cpu < output.header->cpus; cpu++)
			put_cpu(&output, cpu);
		fputs("\n]}\n", output.file);
		broken = ferror(output.file);
		if (!fclose(output.file) && !broken)
			return;
	}
	snprintf(text, sizeof(text), "no trace in %.200s: %s", path, strerror(errno));
	posix_say(text);
}
