/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints the binary interface between programs and tools as JSON: sizes and offsets in the
 * layout of this compiler, and values of constants. Tools in other languages read this, never
 * the headers.
 */
#include <stddef.h>
#include <stdio.h>

#include <tactus/sched.h>
#include <tactus/task.h>

#include "abi/status.h"
#include "abi/trace.h"

static const char *separator = "";

static void begin(const char *name)
{
	printf("%s\n    \"%s\": {", separator, name);
	separator = "";
}

static void end(const char *next)
{
	printf("\n    }");
	separator = next;
}

static void number(const char *name, unsigned long long value)
{
	printf("%s\n      \"%s\": %llu", separator, name, value);
	separator = ",";
}

static void field(const char *name, const char *kind, size_t offset, size_t bytes)
{
	printf("%s\n      \"%s\": {\"kind\": \"%s\", \"offset\": %zu, \"bytes\": %zu}", separator,
	       name, kind, offset, bytes);
	separator = ",";
}

#define NUMBER(type, name) \
	field(#name, "number", offsetof(struct type, name), sizeof(((struct type *)0)->name))
#define TEXT(type, name) \
	field(#name, "text", offsetof(struct type, name), sizeof(((struct type *)0)->name))
#define VALUE(name) number(#name, name)

static void print_header(void)
{
	begin("tact_status_header");
	NUMBER(tact_status_header, magic);
	NUMBER(tact_status_header, revision);
	NUMBER(tact_status_header, pid);
	TEXT(tact_status_header, program);
	NUMBER(tact_status_header, start_ns);
	NUMBER(tact_status_header, bytes);
	NUMBER(tact_status_header, cpus);
	NUMBER(tact_status_header, slots_per_cpu);
	NUMBER(tact_status_header, cpu_offset);
	NUMBER(tact_status_header, cpu_stride);
	NUMBER(tact_status_header, slot_offset);
	NUMBER(tact_status_header, slot_stride);
	NUMBER(tact_status_header, trace_offset);
	NUMBER(tact_status_header, trace_stride);
	NUMBER(tact_status_header, trace_events);
	NUMBER(tact_status_header, core);
	NUMBER(tact_status_header, tick_mult);
	NUMBER(tact_status_header, start_ticks);
	end(",");
}

static void print_cpu(void)
{
	begin("tact_status_cpu");
	NUMBER(tact_status_cpu, linux_cpu);
	NUMBER(tact_status_cpu, current_slot);
	NUMBER(tact_status_cpu, switches);
	NUMBER(tact_status_cpu, events);
	NUMBER(tact_status_cpu, shots_early);
	NUMBER(tact_status_cpu, messages);
	NUMBER(tact_status_cpu, idle_ticks);
	NUMBER(tact_status_cpu, spun_ns);
	NUMBER(tact_status_cpu, watchdog_hits);
	NUMBER(tact_status_cpu, faults);
	NUMBER(tact_status_cpu, current_since_ticks);
	NUMBER(tact_status_cpu, tasks);
	NUMBER(tact_status_cpu, page_faults);
	NUMBER(tact_status_cpu, gap_max_ns);
	NUMBER(tact_status_cpu, wake_late_max_ns);
	end(",");
}

static void print_task(void)
{
	begin("tact_status_task");
	NUMBER(tact_status_task, sequence);
	NUMBER(tact_status_task, handle);
	NUMBER(tact_status_task, linux_tid);
	NUMBER(tact_status_task, cpu);
	TEXT(tact_status_task, name);
	NUMBER(tact_status_task, base_priority);
	NUMBER(tact_status_task, priority);
	NUMBER(tact_status_task, sched_class);
	NUMBER(tact_status_task, light);
	NUMBER(tact_status_task, state);
	NUMBER(tact_status_task, waits_for);
	TEXT(tact_status_task, waits_name);
	NUMBER(tact_status_task, switches);
	NUMBER(tact_status_task, mode_switches);
	NUMBER(tact_status_task, overruns);
	NUMBER(tact_status_task, faults);
	NUMBER(tact_status_task, run_ticks);
	NUMBER(tact_status_task, period_ns);
	NUMBER(tact_status_task, context_sp);
	NUMBER(tact_status_task, deadlines_missed);
	end(",");
}

static void print_trace(void)
{
	begin("tact_trace_ring");
	NUMBER(tact_trace_ring, head);
	NUMBER(tact_trace_ring, mask);
	NUMBER(tact_trace_ring, enabled);
	end(",");
	begin("tact_trace_event");
	NUMBER(tact_trace_event, ticks);
	NUMBER(tact_trace_event, kind);
	NUMBER(tact_trace_event, a);
	NUMBER(tact_trace_event, b);
	end("");
}

static void print_sizes(void)
{
	number("tact_status_header", sizeof(struct tact_status_header));
	number("tact_status_cpu", sizeof(struct tact_status_cpu));
	number("tact_status_task", sizeof(struct tact_status_task));
	number("tact_trace_ring", sizeof(struct tact_trace_ring));
	number("tact_trace_event", sizeof(struct tact_trace_event));
}

static void print_constants(void)
{
	VALUE(TACT_STATUS_MAGIC);
	VALUE(TACT_STATUS_REVISION);
	VALUE(TACT_STATUS_CORE_UNKNOWN);
	VALUE(TACT_STATUS_CORE_SIM);
	VALUE(TACT_STATUS_CORE_THREAD);
	VALUE(TACT_STATUS_CORE_BARE);
	VALUE(TACT_TASK_STATE_READY);
	VALUE(TACT_TASK_STATE_DORMANT);
	VALUE(TACT_TASK_STATE_SUSPENDED);
	VALUE(TACT_TASK_STATE_WAITING);
	VALUE(TACT_TASK_STATE_SLEEPING);
	VALUE(TACT_TASK_STATE_RELAXED);
	VALUE(TACT_TASK_STATE_THROTTLED);
	VALUE(TACT_TASK_STATE_ENDED);
	VALUE(TACT_TASK_STATE_FAULTED);
	VALUE(TACT_TASK_STATE_MOVING);
	VALUE(TACT_SCHED_FIFO);
	VALUE(TACT_SCHED_RR);
	VALUE(TACT_SCHED_EDF);
	VALUE(TACT_SCHED_SPORADIC);
	VALUE(TACT_SCHED_PARTITION);
	VALUE(TACT_SCHED_QUOTA);
	VALUE(TACT_SCHED_WEAK);
	VALUE(TACT_SCHED_CBS);
	VALUE(TACT_TRACE_SWITCH);
	VALUE(TACT_TRACE_READY);
	VALUE(TACT_TRACE_WAIT);
	VALUE(TACT_TRACE_WAKE);
	VALUE(TACT_TRACE_TIMER);
	VALUE(TACT_TRACE_RELAX);
	VALUE(TACT_TRACE_HARDEN);
	VALUE(TACT_TRACE_FAULT);
	VALUE(TACT_TRACE_RELEASE);
	VALUE(TACT_TRACE_PRIORITY);
	VALUE(TACT_TRACE_MIGRATE);
	VALUE(TACT_TRACE_TASK_NEW);
	VALUE(TACT_TRACE_TASK_END);
	VALUE(TACT_TRACE_MARK);
	VALUE(TACT_TRACE_PAGE_FAULT);
}

int main(void)
{
	printf("{\n  \"structures\": {");
	print_header();
	print_cpu();
	print_task();
	print_trace();
	printf("\n  },\n  \"sizes\": {");
	separator = "";
	print_sizes();
	printf("\n  },\n  \"constants\": {");
	separator = "";
	print_constants();
	printf("\n  }\n}\n");
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
