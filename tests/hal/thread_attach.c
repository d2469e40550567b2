/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: a thread becomes a task only on its own stack. */
#define _GNU_SOURCE
#include "thread_cases.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/error.h"

#define STACK_BYTES 65536u
#define BELOW_BYTES 524288u /* more than the part of a thread's stack that is locked */
#define MARK        0x5a

static struct suite_task task;
static ucontext_t before, coroutine;
static int result;
static unsigned char *memory; /* memory outside of the stack, and the stack */

static void attach_here(void)
{
	result = hal_shadow_attach(&task.shadow, &task, 0);
	if (!result)
		hal_shadow_release(task.shadow);
}

static void make_memory(void)
{
	memory = malloc(BELOW_BYTES + STACK_BYTES);
	if (!memory)
		skip("no memory");
	memset(memory, MARK, BELOW_BYTES);
}

static void expect_refused(void)
{
	size_t touched = 0;

	expect("result", -TACT_ENOSPC, result);
	expect_true("plain", hal_shadow_owner() == NULL);
	for (size_t i = 0; i < BELOW_BYTES; i++)
		touched += memory[i] != MARK;
	expect("bytes written that are not the stack's", 0, (int64_t)touched);
}

static void coroutine_is_not_attached(void)
{
	make_memory();
	suite_start(1);
	getcontext(&coroutine);
	coroutine.uc_stack.ss_sp = memory + BELOW_BYTES;
	coroutine.uc_stack.ss_size = STACK_BYTES;
	coroutine.uc_link = &before;
	makecontext(&coroutine, attach_here, 0);
	swapcontext(&before, &coroutine);
	expect_refused();
	suite_stop();
}

static void on_signal(int number)
{
	(void)number;
	attach_here();
}

static void thread_is_not_attached_on_its_signal_stack(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
	stack_t stack;

	make_memory();
	stack = (stack_t){.ss_sp = memory + BELOW_BYTES, .ss_size = STACK_BYTES};
	suite_start(1);
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	expect_refused();
	suite_stop();
}

const struct suite_case cases_thread_attach[] = {
	CASE(coroutine_is_not_attached),
	CASE(thread_is_not_attached_on_its_signal_stack),
	{NULL, NULL},
};
