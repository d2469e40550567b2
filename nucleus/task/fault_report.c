/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A report is one text written at once, so that two of them never mix:
 *
 *   tactus: task "axis" (0x40003) on CPU 0 stopped: memory fault at 0x0, ip 0x55d…
 *   tactus:   #0 0x55d… program(function+0x1f)
 */
#include "task/fault_report.h"

#include "base/string.h"
#include "kernel/trace.h"
#include "task/server.h"

bool nuc_fault_stops_program;

#define REPORT_BYTES 2048
#define FRAMES       16

static const char *const cause_names[] = {
	[HAL_FAULT_MEMORY] = "memory fault at",
	[HAL_FAULT_ARITHMETIC] = "arithmetic fault at",
	[HAL_FAULT_INSTRUCTION] = "illegal instruction at",
	[HAL_FAULT_ALIGNMENT] = "alignment fault at",
	[HAL_FAULT_BREAKPOINT] = "breakpoint at",
	[HAL_FAULT_STACK] = "stack overrun at",
	[HAL_FAULT_TLS] = "thread-local storage used by a light task at",
	[HAL_FAULT_LINUX_CALL] = "Linux call not allowed, number",
	[HAL_FAULT_WATCHDOG] = "kept its CPU too long",
	[HAL_FAULT_BACKING] = "memory without backing at",
};

struct report {
	char text[REPORT_BYTES];
	size_t bytes;
};

static void add(struct report *report, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct report *report, const char *format, ...)
{
	size_t room = REPORT_BYTES - report->bytes;
	va_list arguments;
	size_t wanted;

	va_start(arguments, format);
	wanted = base_format(report->text + report->bytes, room, format, arguments);
	va_end(arguments);
	report->bytes += wanted < room ? wanted : room - 1;
}

struct bounds {
	uintptr_t low;
	uintptr_t high;
};

/* The stack of an attached thread is not known: a wrong frame pointer must not lead far away. */
static struct bounds stack_of(const struct nuc_task *task, uintptr_t sp)
{
	uintptr_t base = (uintptr_t)task->stack.base;

	if (!base)
		return (struct bounds){sp, sp + HAL_STACK_DEFAULT};
	return (struct bounds){base, base + task->stack.bytes};
}

static void add_cause(struct report *report, const char *how, const struct hal_fault *fault)
{
	add(report, " stopped%s: %s", how, cause_names[fault->cause]);
	if (fault->cause != HAL_FAULT_WATCHDOG)
		add(report, " 0x%llx", (unsigned long long)fault->address);
	add(report, ", ip %p\n", (void *)fault->ip);
}

static void add_backtrace(struct report *report, const struct nuc_task *task,
			  const struct hal_fault *fault)
{
	struct bounds stack = stack_of(task, fault->sp);
	uintptr_t address[FRAMES];
	size_t frames = hal_backtrace(fault->ip, fault->fp, stack.low, stack.high, address, FRAMES);

	for (size_t i = 0; i < frames; i++) {
		char symbol[128];

		symbol[0] = '\0';
		(void)hal_symbol(address[i], symbol, sizeof(symbol));
		add(report, "tactus:   #%zu %p %s\n", i, (void *)address[i], symbol);
	}
}

static void name_task(struct report *report, const struct nuc_task *task)
{
	const struct nuc_cpu *cpu = &nuc_cpus[task->status->cpu];

	/* The handler is stopped, not the server, which continues with the next handler. */
	if (task->server && cpu->server.serving) {
		const struct nuc_object *owner = cpu->server.serving->owner;

		add(report, "tactus: handler of \"%s\" (0x%x) on CPU %u", owner->name,
		    owner->handle, task->status->cpu);
		return;
	}
	add(report, "tactus: task \"%s\" (0x%x) on CPU %u", task->status->name, task->object.handle,
	    task->status->cpu);
}

void nuc_fault_place(const struct nuc_task *task, struct hal_fault *fault)
{
	uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
	struct bounds stack = stack_of(task, frame);

	if (hal_interrupted(frame, stack.low, stack.high, fault))
		return;
	/* The task made a call itself: its frames lead back to its code. */
	fault->ip = (uintptr_t)__builtin_return_address(0);
	fault->sp = frame;
	fault->fp = *(uintptr_t *)frame;
}

void nuc_fault_report_stop(const struct nuc_task *task, const char *how,
			   const struct hal_fault *fault)
{
	struct report report = {.bytes = 0};

	name_task(&report, task);
	add_cause(&report, how, fault);
	add_backtrace(&report, task, fault);
	if (nuc_fault_stops_program)
		hal_end_program(report.text, fault->cause);
	hal_print(report.text, report.bytes);
}

void nuc_fault_count(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t cause)
{
	cpu->status->faults++;
	task->status->faults++;
	nuc_trace(cpu, TACT_TRACE_FAULT, task->object.handle, cause);
}

void nuc_fault_report_demoted(const struct nuc_task *task, const struct hal_fault *fault)
{
	struct report report = {.bytes = 0};

	name_task(&report, task);
	add(&report, " continues in secondary mode: %s, ip %p\n", cause_names[fault->cause],
	    (void *)fault->ip);
	add_backtrace(&report, task, fault);
	hal_print(report.text, report.bytes);
}

void nuc_fault_report_relax(const struct nuc_task *task, long number, uintptr_t ip)
{
	struct report report = {.bytes = 0};
	struct hal_fault here = {
		.ip = ip,
		.sp = (uintptr_t)__builtin_frame_address(0),
		.fp = (uintptr_t)__builtin_frame_address(0),
	};

	name_task(&report, task);
	if (number < 0)
		add(&report, " left primary mode on request\n");
	else
		add(&report, " left primary mode by Linux call %lu\n", (unsigned long)number);
	add_backtrace(&report, task, &here);
	hal_print(report.text, report.bytes);
}
