/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs that allow themselves only the few calls that their exit needs: any other call ends its
 * thread alone, and a process that continues without its first thread hangs. Source: seccomp(2). */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#include "check.h"

#define LET(number)                                          \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static struct sock_filter calls[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	LET(SYS_exit_group),
	LET(SYS_newfstatat), /* of the output, at the first write */
	LET(SYS_write),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_THREAD),
};
static struct sock_fprog filter = {
	.len = sizeof(calls) / sizeof(calls[0]),
	.filter = calls,
};

static void by_a_task(void)
{
	const struct sched_param parameter = {.sched_priority = 20};

	if (sched_setscheduler(0, SCHED_FIFO, &parameter))
		exit(77);
	SHOW(is_task_if_expected());
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		exit(1);
	exit(3);
}

static sem_t there, never;

static void *waits(void *unused)
{
	SHOW(is_task_if_expected());
	fflush(stdout);
	sem_post(&there);
	sem_wait(&never);
	return unused;
}

static void by_a_thread(void)
{
	sem_init(&there, 0, 0);
	sem_init(&never, 0, 0);
	fifo_thread(20, waits, NULL);
	sem_wait(&there);
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter))
		exit(1);
	exit(4);
}

static int status_of(void (*program)(void))
{
	pid_t child;
	int status;

	fflush(stdout);
	child = fork();
	if (!child)
		program();
	if (waitpid(child, &status, 0) != child)
		return -1;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		exit(77);
	return status;
}

int main(void)
{
	char name[16] = "";

	SHOW(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	SHOW(prctl(PR_SET_NAME, "filters"));
	SHOW(prctl(PR_GET_NAME, name));
	puts(name);
	SHOW(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) < 0 ? errno : 0);
	SHOW(status_of(by_a_task));
	SHOW(status_of(by_a_thread));
	return 0;
}
