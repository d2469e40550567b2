/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ring 0 of a core that is a thread. An interrupt is a signal. The handler does what the module
 * does at an interrupt (abi/bare.h), on the registers in the signal's frame. System calls trap
 * (Syscall User Dispatch). It keeps all promises of the module about upcalls.
 */
#define _GNU_SOURCE
#include "standin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/core.h"
#include "arch/self.h"
#include "call.h"
#include "light.h"
#include "rseq.h"

#define INTERRUPT 50

extern const char standin_begin[], standin_end[];
long standin_call(long number, long a, long b, long c, long d);
void standin_restorer(void);
__asm__(".text\n"
	".globl standin_begin\nstandin_begin:\n"
	".globl standin_call\nstandin_call:\n"
	"	movq %rdi, %rax\n	movq %rsi, %rdi\n	movq %rdx, %rsi\n"
	"	movq %rcx, %rdx\n	movq %r8, %r10\n	xorl %r8d, %r8d\n	"
	"syscall\n	ret\n"
	".globl standin_restorer\nstandin_restorer:\n"
	"	movl $15, %eax\n	syscall\n	ud2\n"
	".globl standin_end\nstandin_end:\n");

/* A core is found without thread-local storage, because the handler runs with that of a task. */
static struct standin *standin_here(void)
{
	struct hal_self *self = hal_arch_self();
	uint32_t tid;

	if (!self || self->kind != HAL_SELF_CPU)
		return NULL;
	tid = (uint32_t)standin_call(SYS_gettid, 0, 0, 0, 0);
	for (unsigned i = 0; i < standins_taken; i++)
		if (standins[i]->tid == tid)
			return standins[i];
	return NULL;
}

static void upcall(struct standin *core, enum tact_bare_kind kind, ucontext_t *at, uint64_t cause)
{
	struct tact_bare_frame *frame = &core->user->frame[kind];
	greg_t *registers = at->uc_mcontext.gregs;

	if (kind != TACT_BARE_UP_EVENT && frame->busy)
		abort();
	*frame = (struct tact_bare_frame){
		.ip = (uint64_t)registers[REG_RIP],
		.sp = (uint64_t)registers[REG_RSP],
		.flags = (uint64_t)registers[REG_EFL],
		.cause = cause,
		.error = (uint64_t)registers[REG_ERR],
		.address = (uint64_t)registers[REG_CR2],
		.masked = core->user->masked,
		.busy = kind != TACT_BARE_UP_EVENT,
	};
	core->user->masked = 1;
	registers[REG_RIP] = (greg_t)core->start.entry[kind];
	registers[REG_RSP] = (greg_t)core->start.stack[kind];
	registers[REG_EFL] &= ~0x40500; /* alignment check, direction, trap */
}

/* Linux's clock and this one drift apart, so the timer is set to the time that is left. */
static void arm(struct standin *core, uint64_t ticks)
{
	struct itimerspec shot = {{0, 0}, {0, 0}};
	uint64_t now = hal_arch_ticks(), ns = 1;

	core->armed_ticks = ticks;
	if (ticks > now)
		ns += (uint64_t)(((unsigned __int128)(ticks - now) * standin_clock->mult) >>
				 standin_clock->shift);
	if (ticks)
		shot.it_value = call_timespec(ns);
	standin_call(SYS_timer_settime, core->timer, 0, (long)&shot, 0);
}

static void log_event(struct standin *core, const siginfo_t *info)
{
	uint32_t event = TACT_BARE_EVENT_KICK;

	if (info->si_code == SI_TIMER) {
		if (!core->armed_ticks)
			return;
		if (hal_arch_ticks() < core->armed_ticks) {
			arm(core, core->armed_ticks);
			return;
		}
		event = TACT_BARE_EVENT_TIMER;
		core->user->deadline = core->armed_ticks;
		core->armed_ticks = 0;
	}
	__atomic_fetch_or(&core->user->events, event, __ATOMIC_SEQ_CST);
}

static void interrupt(int signal, siginfo_t *info, void *ucontext)
{
	struct standin *core = standin_here();

	(void)signal;
	if (!core)
		return;
	log_event(core, info);
	if (!core->user->masked && core->user->events)
		upcall(core, TACT_BARE_UP_EVENT, ucontext, core->user->events);
}

/* Signals are blocked here, and are taken from the queue. */
static long halt(struct standin *core)
{
	const uint64_t interrupts = LINUX_BIT(INTERRUPT);

	if (!core->user->masked)
		return -EINVAL;
	while (!core->user->events) {
		siginfo_t info;

		if (standin_call(SYS_rt_sigtimedwait, (long)&interrupts, (long)&info, 0, 8) ==
		    INTERRUPT)
			log_event(core, &info);
	}
	return (long)core->user->events;
}

static void system_call(int signal, siginfo_t *info, void *ucontext)
{
	struct standin *core = standin_here();
	greg_t *registers = ((ucontext_t *)ucontext)->uc_mcontext.gregs;
	uint64_t argument = (uint64_t)registers[REG_RDI];
	const uint64_t bit = core ? 1ull << core->core->index : 0;

	(void)signal;
	if (!core)
		abort();
	switch (info->si_syscall) {
	case TACT_BARE_CALL_ARM:
		arm(core, argument);
		registers[REG_RAX] = 0;
		break;
	case TACT_BARE_CALL_HALT:
		registers[REG_RAX] = halt(core);
		break;
	case TACT_BARE_CALL_KICK:
		standin_call(SYS_tgkill, linux_program.pid, (long)standins[argument]->tid,
			     INTERRUPT, 0);
		registers[REG_RAX] = 0;
		break;
	case TACT_BARE_CALL_DOORBELL:
		standin_call(SYS_write, bare_program.device, (long)&bit, sizeof(bit), 0);
		registers[REG_RAX] = 0;
		break;
	case TACT_BARE_CALL_LEAVE:
		core->run.reason = TACT_BARE_LEFT;
		core->run.cause = argument;
		standin_call(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, 0, 0, 0);
		hal_arch_tls_set(core->fs_base);
		longjmp(core->left, 1);
	default:
		registers[REG_RCX] = registers[REG_RIP];
		registers[REG_R11] = registers[REG_EFL];
		registers[REG_RAX] = info->si_syscall;
		upcall(core, TACT_BARE_UP_CALL, ucontext, (uint64_t)info->si_syscall);
	}
}

/* The program's own handlers, of shadows and plain threads. */
static struct kernel_sigaction former[65];

static void exception(int signal, siginfo_t *info, void *ucontext)
{
	struct standin *core;
	const greg_t *registers;

	/* Linux leaves the alignment check on, and this may be its fault. */
	hal_arch_flags_clean();
	core = standin_here();
	registers = ((ucontext_t *)ucontext)->uc_mcontext.gregs;
	if (core) {
		upcall(core, TACT_BARE_UP_FAULT, ucontext, (uint64_t)registers[REG_TRAPNO]);
		return;
	}
	/* The program's handler runs as if it had got the signal directly, without signals blocked
	 * by this one. */
	call_sigmask(SIG_SETMASK, (const uint64_t *)&((ucontext_t *)ucontext)->uc_sigmask, NULL);
	((void (*)(int, siginfo_t *, void *))former[signal].handler)(signal, info, ucontext);
}

static void handle(int signal, void (*handler)(int, siginfo_t *, void *))
{
	const struct kernel_sigaction action = {
		.handler = (void *)handler,
		.flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | 0x04000000,
		.restorer = standin_restorer,
		.mask = ~0ull,
	};

	call_sigaction(signal, &action, &former[signal]);
}

void standin_handlers_install(void)
{
	const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

	handle(INTERRUPT, interrupt);
	handle(SIGSYS, system_call);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		handle(faults[i], exception);
}

void standin_kick(const struct standin *standin)
{
	if (standin->tid)
		call_tgkill(linux_program.pid, standin->tid, INTERRUPT);
}

/* No signal of the program comes to a core, because no Linux thread runs there. But a core waits
 * for the C library's own signals, by which all threads change their user. */
static const uint64_t closed = ~(LINUX_BIT(INTERRUPT) | LINUX_BIT(SIGSYS) | LINUX_BIT(SIGSEGV) |
				 LINUX_BIT(SIGBUS) | LINUX_BIT(SIGFPE) | LINUX_BIT(SIGILL) |
				 LINUX_BIT(SIGTRAP) | LINUX_BIT(LINUX_SIGNAL_SETXID));

static __attribute__((noreturn)) void enter(struct standin *standin)
{
	struct bare_core *core = standin->core;

	call_sigmask(SIG_SETMASK, &closed, NULL);
	hal_arch_self_set(&core->port.cpu->self);
	standin_call(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, 1, (long)standin_begin,
		     standin_end - standin_begin);
	hal_arch_tls_set(linux_light_base());
	__asm__ volatile("movq %0, %%rsp\n\tjmp *%1"
			 :
			 : "r"((char *)core->stack.base + core->stack.bytes),
			   "r"(hal_arch_core_start), "D"(core->port.cpu)
			 : "memory");
	__builtin_unreachable();
}

void standin_ring3(struct standin *standin)
{
	const stack_t stack = {.ss_sp = standin->alternate, .ss_size = STANDIN_ALTERNATE_BYTES};
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = INTERRUPT};
	const uint64_t all = ~0ull;

	standin->tid = call_gettid();
	standin->user->masked = 1;
	standin->fs_base = hal_arch_tls();
	event._sigev_un._tid = (int)standin->tid;
	call3(SYS_timer_create, CLOCK_MONOTONIC, (long)&event, (long)&standin->timer);
	call_sigaltstack(&stack, NULL);
	linux_rseq_leave();
	if (!setjmp(standin->left))
		enter(standin);
	hal_arch_self_set(NULL);
	call_sigmask(SIG_SETMASK, &all, NULL);
	call3(SYS_timer_delete, standin->timer, 0, 0);
}
