/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The stack that a thread gave to its handlers stays when it becomes a task, and one that it gives
 * as a task stays when it is none any more: handlers check where they run, and need the room. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"

#define BYTES 32768

static char first[BYTES], second[BYTES];
static sigjmp_buf back;
static const char *where;
static volatile int *volatile nowhere;

static void handle(int signal)
{
	char here;
	const char *const at = &here;

	where = at >= first && at < first + BYTES     ? "the first"
		: at >= second && at < second + BYTES ? "the second"
						      : "another";
	siglongjmp(back, signal);
}

static void fault(void)
{
	if (!sigsetjmp(back, 1))
		*nowhere = 1;
	printf("a fault is handled on %s stack\n", where);
}

static void change_policy(int policy, int priority)
{
	const struct sched_param parameter = {.sched_priority = priority};

	SHOW(pthread_setschedparam(pthread_self(), policy, &parameter));
}

static int is_given(const char *memory)
{
	stack_t given;

	return !sigaltstack(NULL, &given) && given.ss_sp == memory && given.ss_size == BYTES;
}

static void *changes(void *unused)
{
	const stack_t one = {.ss_sp = first, .ss_size = BYTES};
	const stack_t other = {.ss_sp = second, .ss_size = BYTES};

	SHOW(sigaltstack(&one, NULL));
	change_policy(SCHED_FIFO, 40);
	SHOW(is_task_if_expected());
	SHOW(is_given(first));
	fault();
	fault();
	SHOW(sigaltstack(&other, NULL));
	fault();
	change_policy(SCHED_OTHER, 0);
	SHOW(is_given(second));
	fault();
	return unused;
}

int main(void)
{
	const struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};

	sigaction(SIGSEGV, &action, NULL);
	joined(other_thread(changes, NULL));
	return 0;
}
