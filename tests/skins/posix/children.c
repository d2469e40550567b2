/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A fork's child of a program with tasks has its parent's signals, and nothing of Tactus in front
 * of them: a filter of calls (seccomp, RET_TRAP), Syscall User Dispatch, faults and SIGSYS have the
 * same effects as plainly, with and without handlers of its own.
 */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
#define DISPATCH_ON 1
#define LIMIT_S     20 /* by SIGALRM, whose default action ends the child */

static const int own[] = {SIGSYS, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

static volatile int caught;
static volatile unsigned char blocks_calls;

static void catch (int signal)
{
	(void)signal;
	blocks_calls = 0;
	caught++;
}

static void handle(int signal)
{
	const struct sigaction action = {.sa_handler = catch};

	sigaction(signal, &action, NULL);
}

static void refuse_getppid(unsigned how)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, how),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(77);
}

static int is_trapped(void)
{
	refuse_getppid(SECCOMP_RET_TRAP);
	syscall(SYS_getppid);
	return caught;
}

static int traps_and_handles(void)
{
	handle(SIGSYS);
	return is_trapped();
}

static int dispatches(void)
{
	handle(SIGSYS);
	if (prctl(PR_SET_SYSCALL_USER_DISPATCH, DISPATCH_ON, 0, 0, &blocks_calls))
		return 77;
	blocks_calls = 1;
	syscall(SYS_getppid);
	blocks_calls = 0;
	return caught;
}

static int dispatches_by_default(void)
{
	if (prctl(PR_SET_SYSCALL_USER_DISPATCH, DISPATCH_ON, 0, 0, &blocks_calls))
		return 77;
	blocks_calls = 1;
	syscall(SYS_getppid);
	return caught;
}

static int raises(void)
{
	raise(SIGSYS);
	return 1;
}

static int raises_and_handles(void)
{
	handle(SIGSYS);
	raise(SIGSYS);
	return caught;
}

static int faults(void)
{
	volatile int *volatile nowhere = NULL;

	*nowhere = 1;
	return 1;
}

/* Linux's actions for the six signals that Tactus takes in the parent, read past the C library. */
static int keeps_nothing(void)
{
	struct {
		void *handler;
		unsigned long flags;
		void *restorer;
		uint64_t mask;
	} now;
	uint64_t mask = 0;
	stack_t stack;
	int kept = 0;

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (syscall(SYS_rt_sigaction, own[i], NULL, &now, sizeof(now.mask)) ||
		    now.handler != (void *)SIG_DFL)
			kept++;
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, sizeof(mask));
	sigaltstack(NULL, &stack);
	return kept + (mask ? 10 : 0) + (stack.ss_flags & SS_DISABLE ? 0 : 20);
}

static const struct way {
	const char *name;
	int (*live)(void);
} ways[] = {
	{"is trapped", is_trapped}, {"traps and handles", traps_and_handles},
	{"dispatches", dispatches}, {"dispatches by default", dispatches_by_default},
	{"raises", raises},         {"raises and handles", raises_and_handles},
	{"faults", faults},         {"keeps nothing", keeps_nothing},
};

static void bear(const char *parent, const struct way *way)
{
	const struct rlimit none = {0};
	pid_t child = fork();
	int status = -1;

	if (!child) {
		setrlimit(RLIMIT_CORE, &none);
		alarm(LIMIT_S);
		_exit(way->live());
	}
	waitpid(child, &status, 0);
	printf("%s's child %s: signal %d, status %d\n", parent, way->name, WTERMSIG(status),
	       WEXITSTATUS(status));
	fflush(stdout);
}

static void *bear_all(void *parent)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		bear(parent, &ways[i]);
	return NULL;
}

int main(void)
{
	char task[] = "a task", thread[] = "another thread";

	joined(fifo_thread(50, bear_all, task));
	bear_all(thread);
	return 0;
}
