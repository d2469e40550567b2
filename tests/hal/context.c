/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Contexts: what a switch keeps. */
#include "suite.h"

#include <stdlib.h>

static struct hal_stack stack;
static struct hal_context context, own;
static _Atomic unsigned done;
static int argument;
static struct {
	void *arg;
	bool stalled, on_stack, aligned;
} first;

static void first_code(void *arg)
{
	/* The ABI promises 16-byte alignment to code that uses vectors. */
	_Alignas(16) volatile char local[16];
	uintptr_t here = (uintptr_t)local;

	first.arg = arg;
	first.stalled = hal_stalled();
	first.on_stack = here - (uintptr_t)stack.base < stack.bytes;
	__asm__ volatile("" : "+r"(here));
	first.aligned = (uintptr_t)__builtin_frame_address(0) % 16 == 0;
	hal_context_switch(&context, &own);
	abort();
}

static void switch_once(struct suite_cpu *cpu)
{
	if (!atomic_load(&done)) {
		hal_context_prepare(&context, &stack, NULL, first_code, &argument);
		hal_context_switch(&own, &context);
		hal_context_discard(&context);
		atomic_store(&done, 1);
	}
	hal_idle(&cpu->hal, HAL_NO_DEADLINE, 0);
}

static void entry_runs_stalled_on_its_stack(void)
{
	suite_start(1);
	expect("hal_stack_get", 0, hal_stack_get(hal_stack_minimum(), &stack));
	suite_cpus[0].on_idle = switch_once;
	hal_kick(&suite_cpus[0].hal);
	await("switched", &done, 1);
	suite_stop();
	expect_true("the argument", first.arg == &argument);
	expect_true("stalled", first.stalled);
	expect_true("on its stack", first.on_stack);
	expect_true("frame aligned", first.aligned);
}

static _Atomic bool stop_all;
static _Atomic unsigned rounds;

#ifdef __x86_64__
/* All six callee-saved registers hold a test value over the call, whatever happens inside. */
static uint64_t registers_over(void (*call)(void), uint64_t seed)
{
	uint64_t wrong;

	__asm__ volatile("leaq -128(%%rsp), %%rsp\n\tpushq %%rbp\n\tmovq %%rsp, %%rbp\n\tandq "
			 "$-16, %%rsp\n\t"
			 "pushq %%rbp\n\tpushq %[seed]\n\t"
			 "movq %[seed], %%rbx\n\tleaq 1(%%rbx), %%r12\n\tleaq 2(%%rbx), %%r13\n\t"
			 "leaq 3(%%rbx), %%r14\n\tleaq 4(%%rbx), %%r15\n\tleaq 5(%%rbx), %%rbp\n\t"
			 "call *%[call]\n\t"
			 "popq %%rax\n\tsubq %%rax, %%rbx\n\tsubq %%rax, %%r12\n\t"
			 "subq %%rax, %%r13\n\tsubq %%rax, %%r14\n\tsubq %%rax, %%r15\n\t"
			 "subq %%rax, %%rbp\n\t"
			 "decq %%r12\n\tsubq $2, %%r13\n\tsubq $3, %%r14\n\tsubq $4, %%r15\n\t"
			 "subq $5, %%rbp\n\t"
			 "movq %%rbx, %%rax\n\torq %%r12, %%rax\n\torq %%r13, %%rax\n\t"
			 "orq %%r14, %%rax\n\torq %%r15, %%rax\n\torq %%rbp, %%rax\n\t"
			 "popq %%rsp\n\tpopq %%rbp\n\tleaq 128(%%rsp), %%rsp"
			 : "=&a"(wrong), [seed] "+D"(seed), [call] "+S"(call)
			 :
			 : "rbx", "r12", "r13", "r14", "r15", "rcx", "rdx", "r8", "r9", "r10",
			   "r11", "memory", "cc");
	return wrong;
}

static void set_rounding(unsigned mode)
{
	uint32_t mxcsr = 0x1f80u | mode << 13;
	uint16_t x87 = (uint16_t)(0x037fu | mode << 10);

	__asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(mxcsr), "m"(x87));
}

static unsigned rounding(void)
{
	uint32_t mxcsr;
	uint16_t x87;

	__asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr), "=m"(x87));
	return (mxcsr >> 13 & 3) == (x87 >> 10 & 3u) ? mxcsr >> 13 & 3 : 99;
}
#endif

static void check_state(void *arg)
{
	unsigned mode = (unsigned)(uintptr_t)arg;

	set_rounding(mode);
	for (unsigned i = 0; i < 2000; i++) {
		expect("registers", 0, (int64_t)registers_over(suite_yield, mode * 1000003u + i));
		expect("rounding of SSE and x87", mode, rounding());
	}
	atomic_fetch_add(&rounds, 1);
}

static void switch_keeps_registers_and_rounding(void)
{
	struct suite_task tasks[4];

	suite_start(1);
	for (unsigned i = 0; i < 4; i++)
		suite_task_start(&tasks[i], 0, i % 2, check_state, (void *)(uintptr_t)i);
	for (unsigned i = 0; i < 4; i++)
		suite_task_join(&tasks[i]);
	suite_stop();
	expect("tasks that ended", 4, atomic_load(&rounds));
}

/* Vectors and flags live in the interrupted code; only the signal's frame saves them. */
static void compute_with_everything(void *arg)
{
	unsigned mode = (unsigned)(uintptr_t)arg;
	double product = 1.0, again;

	set_rounding(mode);
	while (!atomic_load(&stop_all)) {
		product = again = 1.0;
		for (unsigned i = 1; i < 2000; i++) {
			product = product * 1.0000001 + 0.1 / i;
			again = again * 1.0000001 + 0.1 / i;
			if (i % 500 == 0)
				hal_compute(100);
		}
		if (product != again || rounding() != mode) {
			expect_true("the same product and rounding", false);
			break;
		}
		atomic_fetch_add(&rounds, 1);
	}
}

static void disturb(void *arg)
{
	(void)arg;
	for (unsigned i = 0; i < 500; i++)
		suite_sleep_until(hal_now_ns() + 20000 + i % 7 * 10000);
	atomic_store(&stop_all, true);
}

static void preemption_keeps_everything(void)
{
	struct suite_task tasks[4], disturber;

	suite_start(1);
	suite_task_start(&disturber, 0, false, disturb, NULL);
	for (unsigned i = 0; i < 4; i++)
		suite_task_start(&tasks[i], 0, i % 2, compute_with_everything,
				 (void *)(uintptr_t)i);
	suite_task_join(&disturber);
	for (unsigned i = 0; i < 4; i++)
		suite_task_join(&tasks[i]);
	suite_stop();
	expect_true("rounds", atomic_load(&rounds) > 0);
}

#define TRAVEL_NS 20000000000ull

static struct suite_task traveller;

static void compute_and_travel(void *arg)
{
	double product, again;

	(void)arg;
	while (!atomic_load(&stop_all)) {
		product = again = 1.0;
		for (unsigned i = 1; i < 500; i++) {
			product = product * 1.0000001 + 0.1 / i;
			again = again * 1.0000001 + 0.1 / i;
		}
		hal_compute(100);
		expect_true("the same product", product == again);
		atomic_fetch_add(&rounds, 1);
	}
}

/*
 * The task is switched out in the middle of its code here, and in again on another CPU. On a busy
 * machine Linux may let this thread fall behind the task each time, until RT throttling acts after
 * a second.
 */
static void preempted_task_goes_on_elsewhere(void)
{
	uint64_t until_ns;

	if (back_end_cpus() < 2)
		skip("one CPU");
	suite_start(2);
	suite_task_start(&traveller, 0, true, compute_and_travel, NULL);
	until_ns = hal_now_ns() + TRAVEL_NS;
	for (unsigned i = 0; i < 300 && (i < 10 || hal_now_ns() < until_ns); i++) {
		await("rounds", &rounds, atomic_load(&rounds) + 2);
		atomic_store(&traveller.migrate, true);
		hal_kick(&suite_cpus[i % 2].hal);
		await("moves", &traveller.moves, i + 1);
	}
	atomic_store(&stop_all, true);
	suite_task_join(&traveller);
	suite_stop();
}

const struct suite_case cases_context[] = {
	CASE(entry_runs_stalled_on_its_stack),
	CASE(switch_keeps_registers_and_rounding),
	CASE(preemption_keeps_everything),
	CASE(preempted_task_goes_on_elsewhere),
	{NULL, NULL},
};
