/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread that lets Linux return its calls to it (Syscall User Dispatch) is no task while that
 * lasts. Its handler gets each call with the mask with which it was installed, and returns by the C
 * library's instruction, which may be the only one from which Linux still accepts calls. Without a
 * handler, the first call ends the program. The threads that it makes, and the child that it forks,
 * make calls as usual. When this is off, the thread is a task again.
 */
#include "check.h"

#include <link.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
#define OFF     0
#define ON      1
#define ALLOW   0
#define BLOCK   1
#define ANSWER  4711
#define TIMES   1000
#define SETXID  33 /* the C library's own */
#define LIMIT_S 20 /* by SIGALRM, whose default action ends the child */

static volatile char selector;
static volatile int handled, leaves_blocked;
static volatile long last_call;
static volatile uint64_t mask_within;
static sem_t sem;

/* The place from which Linux always accepts calls: the C library's text. */
static struct {
	uintptr_t begin, end;
} library;

static long raw(long number, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
}

static void answer(int signal, siginfo_t *info, void *context)
{
	uint64_t mask = 0;

	(void)signal;
	if (!leaves_blocked) {
		selector = ALLOW;
		raw(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)&mask, sizeof(mask));
		mask_within = mask;
	}
	handled++;
	last_call = info->si_syscall;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RAX] = ANSWER;
}

static int blocked_within(int signal)
{
	return (mask_within >> (signal - 1)) & 1;
}

static void handle(int flags)
{
	struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | flags};

	sigaddset(&action.sa_mask, SIGUSR1);
	sigaction(SIGSYS, &action, NULL);
}

static int find(struct dl_phdr_info *info, size_t bytes, void *wanted)
{
	(void)bytes;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t begin = info->dlpi_addr + part->p_vaddr;

		if (part->p_type == PT_LOAD && part->p_flags & PF_X &&
		    (uintptr_t)wanted - begin < part->p_memsz) {
			library.begin = begin;
			library.end = begin + part->p_memsz;
			return 1;
		}
	}
	return 0;
}

static void *young(void *argument)
{
	SHOW(is_task_if_expected());
	SHOW(raw(SYS_getppid, 0, 0, 0, 0) == getppid());
	return argument;
}

static void fork_one(void)
{
	pid_t child;
	int status;

	selector = BLOCK;
	child = fork();
	if (!child)
		_exit(raw(SYS_getppid, 0, 0, 0, 0) == ANSWER ? 1 : 3);
	selector = ALLOW;
	waitpid(child, &status, 0);
	SHOW(WEXITSTATUS(status));
}

static void by_selector(int flags)
{
	int right = 0;

	handle(flags);
	SHOW(is_task_if_expected());
	SHOW(prctl(PR_SET_SYSCALL_USER_DISPATCH, ON, 0, 0, &selector));
	SHOW(is_no_task());
	for (int i = 0; i < TIMES; i++) {
		selector = BLOCK;
		right += raw(SYS_getppid, 0, 0, 0, 0) == ANSWER && last_call == SYS_getppid &&
			 selector == ALLOW;
	}
	SHOW(right);
	SHOW(blocked_within(SIGSYS));
	SHOW(blocked_within(SIGUSR1));
	SHOW(blocked_within(SIGUSR2));
	SHOW(blocked_within(SETXID));
	selector = BLOCK;
	SHOW(syscall(SYS_getppid));
	SHOW(usleep(1000));
	sem_post(&sem);
	SHOW(sem_wait(&sem));
	joined(fifo_thread(40, young, NULL));
	SHOW(prctl(PR_SET_SYSCALL_USER_DISPATCH, OFF, 0, 0, 0));
	SHOW(is_task_if_expected());
	SHOW(raw(SYS_getppid, 0, 0, 0, 0) == getppid());
	SHOW(usleep(1000));
}

/* Only its own instructions are returned, and the selector says so for good. */
static void by_range(volatile char *with)
{
	int right = 0;

	leaves_blocked = 1;
	selector = BLOCK;
	SHOW(syscall(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, ON, library.begin,
		     library.end - library.begin, with));
	SHOW(is_no_task());
	for (int i = 0; i < TIMES; i++)
		right += raw(SYS_getppid, 0, 0, 0, 0) == ANSWER;
	SHOW(right);
	SHOW(usleep(1000));
	SHOW(syscall(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, OFF, 0, 0, 0));
	SHOW(is_task_if_expected());
	leaves_blocked = 0;
}

static void *run(void *argument)
{
	by_selector(0);
	by_selector(SA_NODEFER);
	by_range(&selector);
	by_range(NULL);
	SHOW(handled);
	SHOW(prctl(PR_SET_SYSCALL_USER_DISPATCH, ON, library.begin, library.end - library.begin,
		   &selector));
	fork_one();
	SHOW(prctl(PR_SET_SYSCALL_USER_DISPATCH, OFF, 0, 0, 0));
	SHOW(prctl(PR_SET_SYSCALL_USER_DISPATCH, ON, 0, 0, UINTPTR_MAX));
	SHOW(prctl(PR_SET_SYSCALL_USER_DISPATCH, 77, 0, 0, &selector));
	SHOW(prctl(PR_SET_SYSCALL_USER_DISPATCH, OFF, 0, 0, &selector));
	SHOW(is_task_if_expected());
	return argument;
}

/* A thread that dispatches before it requests to be a task. */
static void *late(void *argument)
{
	const struct sched_param parameter = {.sched_priority = 30};

	SHOW(prctl(PR_SET_SYSCALL_USER_DISPATCH, ON, 0, 0, &selector));
	SHOW(pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter));
	SHOW(is_no_task());
	selector = BLOCK;
	SHOW(raw(SYS_getppid, 0, 0, 0, 0));
	SHOW(prctl(PR_SET_SYSCALL_USER_DISPATCH, OFF, 0, 0, 0));
	SHOW(is_task_if_expected());
	return argument;
}

static void *unhandled(void *once)
{
	if (once)
		handle((int)SA_RESETHAND);
	prctl(PR_SET_SYSCALL_USER_DISPATCH, ON, 0, 0, &selector);
	for (int i = 0; i < 2; i++) {
		selector = BLOCK;
		raw(SYS_getppid, 0, 0, 0, 0);
	}
	_exit(1);
}

/* Before there are tasks here: the child has its own. */
static void end_unhandled(const char *name, void *once)
{
	const struct rlimit none = {0};
	pid_t child = fork();
	int status = -1;

	if (!child) {
		setrlimit(RLIMIT_CORE, &none);
		alarm(LIMIT_S);
		joined(fifo_thread(50, unhandled, once));
		_exit(2);
	}
	waitpid(child, &status, 0);
	printf("%s: signal %d, status %d\n", name, WTERMSIG(status), WEXITSTATUS(status));
	fflush(stdout);
}

int main(void)
{
	char once[] = "once";

	dl_iterate_phdr(find, dlsym(RTLD_DEFAULT, "gnu_get_libc_version"));
	sem_init(&sem, 0, 0);
	end_unhandled("nobody handles its calls", NULL);
	end_unhandled("one is handled", once);
	joined(fifo_thread(50, run, NULL));
	joined(other_thread(late, NULL));
	return 0;
}
