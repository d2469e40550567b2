/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Faults and the host watchdog. A synchronous signal in a task's code becomes an upcall on a stack
 * beside the task's. A fault of the nucleus, or in code of no task, is printed, and then has the
 * effect that it has without this back end. A task that computes on the host and never reaches a
 * scheduling point stops virtual time for all. After the configured seconds of host CPU time the
 * watchdog names it and ends the run.
 */
#define _GNU_SOURCE
#include "fault.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "arch/context.h"
#include "base/error.h"
#include "cpu.h"
#include "panic.h"
#include "stack.h"
#include "state.h"
#include "trace.h"

#define ALTERNATE_BYTES   65536u
#define FAULT_STACK_BYTES 65536u
#define NS_PER_S          1000000000ull

static const int fault_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
#define FAULT_SIGNALS (sizeof(fault_signals) / sizeof(fault_signals[0]))

static struct {
	struct sigaction old_fault[FAULT_SIGNALS];
	struct sigaction old_timer;
	stack_t old_stack;
	void *alternate;
	timer_t timer;
	bool timed;
	/* The fault that is being passed on; the diverted flow copies it before anything else
	 * runs. */
	struct hal_fault fault;
	int signal;
	/* What the watchdog saw last. */
	uint64_t heartbeat;
	unsigned strikes;
	bool noticed;
} state;

/* As in linux/fault_cause.c, which knows more of an address: both follow the signals of Linux. */
static enum hal_fault_cause cause_of(int number, const struct sim_entity *entity, uintptr_t address)
{
	switch (number) {
	case SIGFPE:
		return HAL_FAULT_ARITHMETIC;
	case SIGILL:
		return HAL_FAULT_INSTRUCTION;
	case SIGTRAP:
		return HAL_FAULT_BREAKPOINT;
	case SIGBUS:
		return HAL_FAULT_ALIGNMENT;
	default:
		break;
	}
	if (entity->context && sim_stack_in_guard(entity->context->stack_base, address))
		return HAL_FAULT_STACK;
	return HAL_FAULT_MEMORY;
}

static void print_fatal(const struct hal_fault *fault, int number)
{
	char where[160];
	char line[400];
	int length;

	if (!hal_symbol(fault->ip, where, sizeof(where)))
		where[0] = '\0';
	length = snprintf(
		line, sizeof(line),
		"tactus: %s at %#lx %s touching %#lx, in %s on %s: the program ends\n",
		strsignal(number), (unsigned long)fault->ip, where, (unsigned long)fault->address,
		hal_stalled() ? "the nucleus" : "code of no task", sim_engine.current->name);
	hal_print(line, (size_t)length < sizeof(line) ? (size_t)length : sizeof(line) - 1);
	sim_trace_stop();
}

static void upcall_task(void *arg)
{
	struct hal_fault fault = state.fault;
	int number = state.signal;
	struct sim_cpu *cpu = sim_cpu_stall();

	(void)arg;
	nuc_upcall_fault(cpu->hal, &fault);
	print_fatal(&fault, number);
	signal(number, SIG_DFL);
	raise(number);
	abort();
}

static void upcall_shadow(void *arg)
{
	struct hal_fault fault = state.fault;

	(void)arg;
	nuc_upcall_shadow_fault(hal_shadow_owner(), &fault);
	hal_panic("nuc_upcall_shadow_fault() returned");
}

static void on_fault(int number, siginfo_t *info, void *ucontext)
{
	struct sim_entity *self = sim_engine.current;
	struct hal_arch_frame frame;
	bool on_cpu = self->kind == SIM_CPU && !self->cpu->hal->self.stalled;
	bool on_shadow = self->kind == SIM_SHADOW;

	if (info->si_code > 0 && hal_arch_frame_mend(ucontext))
		return;
	hal_arch_frame_read(ucontext, &frame);
	state.signal = number;
	state.fault = (struct hal_fault){
		.cause = cause_of(number, self, (uintptr_t)info->si_addr),
		.address = (uintptr_t)info->si_addr,
		.ip = frame.ip,
		.sp = frame.sp,
		.fp = frame.fp,
	};
	/* A signal sent by kill() belongs to no instruction. */
	if (sim_foreign() || info->si_code <= 0 || (!on_cpu && !on_shadow) ||
	    (!self->fault_stack.base && sim_stack_map(FAULT_STACK_BYTES, &self->fault_stack))) {
		print_fatal(&state.fault, number);
		signal(number, SIG_DFL);
		if (info->si_code <= 0)
			raise(number);
		return; /* to the same instruction, which now ends the program with the right frame
			 */
	}
	hal_arch_stack_clean(self->fault_stack.base, self->fault_stack.bytes);
	hal_arch_frame_divert(ucontext, (uintptr_t)self->fault_stack.base + self->fault_stack.bytes,
			      on_cpu ? upcall_task : upcall_shadow, NULL);
}

int hal_sim_fault(enum hal_fault_cause cause, uintptr_t address)
{
	struct hal_fault fault = {
		.cause = cause,
		.address = address,
		.ip = (uintptr_t)__builtin_return_address(0),
		.sp = (uintptr_t)__builtin_frame_address(0),
		.fp = *(uintptr_t *)__builtin_frame_address(0),
	};
	struct sim_cpu *cpu;
	int status;

	if (hal_shadow_owner()) {
		nuc_upcall_shadow_fault(hal_shadow_owner(), &fault);
		return -TACT_EPERM;
	}
	cpu = sim_cpu_stall();
	if (!cpu)
		return -TACT_EPERM;
	status = nuc_upcall_fault(cpu->hal, &fault);
	sim_cpu_unstall();
	return status;
}

int hal_copy(void *to, const void *from, size_t bytes)
{
	return state.alternate ? hal_arch_copy(to, from, bytes) : -TACT_EPERM;
}

/* Handlers that a program installs after the start replace those of this file. */
int hal_program_action(int signal, const struct hal_action *action, struct hal_action *former)
{
	(void)action;
	(void)former;
	for (unsigned i = 0; i < FAULT_SIGNALS; i++)
		if (fault_signals[i] == signal)
			return -TACT_EPERM;
	return -TACT_EINVAL;
}

static void on_timer(int number, siginfo_t *info, void *ucontext)
{
	struct sim_entity *self = sim_engine.current;
	struct hal_arch_frame frame;
	char where[160];

	(void)number;
	(void)info;
	if (state.heartbeat != sim_engine.heartbeat) {
		state.heartbeat = sim_engine.heartbeat;
		state.strikes = 0;
		return;
	}
	if (++state.strikes < 2)
		return;
	hal_arch_frame_read(ucontext, &frame);
	if (!hal_symbol(frame.ip, where, sizeof(where)))
		snprintf(where, sizeof(where), "%#lx", (unsigned long)frame.ip);
	if (self->kind == SIM_CPU || self->kind == SIM_SHADOW)
		sim_panicf(
			"stuck loop: %s on %s has computed for %u s of host time at %s "
			"without "
			"a call that lets virtual time pass; let it call hal_compute() through its "
			"API, or raise the option watchdog",
			hal_stalled() ? "the nucleus" : "the task", self->name,
			sim_run.options.watchdog_s, where);
	/* A Linux thread may compute as long as it likes. But if it polls for a task, this message
	 * tells why the task does not run. */
	if (state.noticed)
		return;
	state.noticed = true;
	fprintf(stderr,
		"tactus: %s has computed for %u s at %s; virtual time stands still until it calls "
		"in\n",
		self->name, sim_run.options.watchdog_s, where);
}

static int start_timer(uint32_t watchdog_s)
{
	/* CPU time of this thread, so that a busy machine or a stopped program does not count. */
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGVTALRM};
	uint64_t half_ns = watchdog_s * NS_PER_S / 2;
	struct timespec half = {(time_t)(half_ns / NS_PER_S), (long)(half_ns % NS_PER_S)};
	struct itimerspec period = {half, half};
	struct sigaction action = {.sa_sigaction = on_timer,
				   .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};

	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &state.timer))
		return -TACT_ENOMEM; /* the user's limit of queued signals, or memory */
	sigaction(SIGVTALRM, &action, &state.old_timer);
	timer_settime(state.timer, 0, &period, NULL);
	state.timed = true;
	return 0;
}

int sim_fault_start(uint32_t watchdog_s)
{
	struct sigaction action = {.sa_sigaction = on_fault,
				   .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
	stack_t stack = {.ss_size = ALTERNATE_BYTES};

	memset(&state, 0, sizeof(state));
	state.alternate = malloc(ALTERNATE_BYTES);
	if (!state.alternate)
		return -TACT_ENOMEM;
	stack.ss_sp = state.alternate;
	sigaltstack(&stack, &state.old_stack);
	for (unsigned i = 0; i < FAULT_SIGNALS; i++)
		sigaction(fault_signals[i], &action, &state.old_fault[i]);
	return watchdog_s ? start_timer(watchdog_s) : 0;
}

void sim_fault_stop(void)
{
	/* Not started: no handler of the program was replaced. */
	if (!state.alternate)
		return;
	if (state.timed) {
		timer_delete(state.timer);
		sigaction(SIGVTALRM, &state.old_timer, NULL);
	}
	for (unsigned i = 0; i < FAULT_SIGNALS; i++)
		sigaction(fault_signals[i], &state.old_fault[i], NULL);
	sigaltstack(&state.old_stack, NULL);
	free(state.alternate);
	memset(&state, 0, sizeof(state));
}
