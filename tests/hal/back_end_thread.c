/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The suite on the thread back end: calls and faults are real. */
#define _GNU_SOURCE
#include "suite.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "thread_cases.h"

const struct suite_case *const back_end_cases[] = {
	cases_thread_event,   cases_thread_shadow,  cases_thread_signal,
	cases_thread_process, cases_thread_fork,    cases_thread_restore,
	cases_thread_start,   cases_thread_gravity, NULL,
};

struct back_end_thread {
	pthread_t thread;
	void (*entry)(void *arg);
	void *arg;
};

unsigned back_end_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	return (unsigned)CPU_COUNT(&set);
}

uint32_t thread_cpu(unsigned index)
{
	cpu_set_t set;

	sched_getaffinity(0, sizeof(set), &set);
	for (uint32_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set) && !index--)
			return cpu;
	return HAL_ANY_CPU;
}

static void *thread_main(void *arg)
{
	struct back_end_thread *thread = arg;

	thread->entry(thread->arg);
	return NULL;
}

struct back_end_thread *back_end_thread_start(void (*entry)(void *arg), void *arg)
{
	struct back_end_thread *thread = calloc(1, sizeof(*thread));

	thread->entry = entry;
	thread->arg = arg;
	if (pthread_create(&thread->thread, NULL, thread_main, thread))
		abort();
	return thread;
}

void back_end_thread_join(struct back_end_thread *thread)
{
	pthread_join(thread->thread, NULL);
	free(thread);
}

/* Not through the C library: a refusal must not set errno, which a light task has not. */
long back_end_linux_call(void)
{
	long result = SYS_getppid;

	__asm__ volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
	return result;
}

long back_end_linux_call_result(void)
{
	return getppid();
}

static __thread volatile int own_variable;

static uintptr_t volatile bad_address = 16;
static volatile unsigned depth = 1u << 24; /* more than any stack holds */

static __attribute__((noinline)) int recurse(volatile char *above, unsigned deeper)
{
	volatile char here[512];

	here[0] = above ? *above : 1;
	return (deeper ? recurse(here, deeper - 1) : 0) + here[0];
}

void back_end_fault(enum hal_fault_cause cause)
{
	switch (cause) {
	case HAL_FAULT_MEMORY:
		*(volatile int *)bad_address = 1;
		break;
	case HAL_FAULT_ARITHMETIC:
		__asm__ volatile("xorl %%ecx, %%ecx\n\tmovl $1, %%eax\n\tcltd\n\tidivl %%ecx"
				 :
				 :
				 : "eax", "ecx", "edx");
		break;
	case HAL_FAULT_INSTRUCTION:
		__asm__ volatile("ud2");
		break;
	case HAL_FAULT_BREAKPOINT:
		__asm__ volatile("int3");
		break;
	case HAL_FAULT_STACK:
		recurse(NULL, depth);
		break;
	case HAL_FAULT_TLS:
		own_variable = 1;
		break;
	case HAL_FAULT_ALIGNMENT:
		/* The processor checks alignment only with its AC flag set. */
		__asm__ volatile("pushfq\n\torl $0x40000, (%%rsp)\n\tpopfq\n\t"
				 "leaq -129(%%rsp), %%rax\n\tmovl (%%rax), %%ecx"
				 :
				 :
				 : "rax", "rcx", "memory");
		break;
	default:
		break;
	}
}
