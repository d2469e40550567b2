/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For back ends on top of Linux: its threads, its calls, and real faults. */
#define _GNU_SOURCE
#include "suite.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct back_end_thread {
	pthread_t thread;
	void (*entry)(void *arg);
	void *arg;
};

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

/* Not through the C library: a refusal must not set errno, because a light task has none. */
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

static void fault_misaligned(void)
{
	/* The processor checks alignment only with its AC flag set. */
	__asm__ volatile("pushfq\n\torl $0x40000, (%%rsp)\n\tpopfq\n\t"
			 "leaq -129(%%rsp), %%rax\n\tmovl (%%rax), %%ecx"
			 :
			 :
			 : "rax", "rcx", "memory");
}

/* A process of its own tries it. */
bool back_end_checks_alignment(void)
{
	int status = 0;
	pid_t child = suite_fork();

	if (!child) {
		signal(SIGBUS, SIG_DFL);
		fault_misaligned();
		_exit(0);
	}
	return waitpid(child, &status, 0) == child && WIFSIGNALED(status);
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
		fault_misaligned();
		break;
	default:
		break;
	}
}
