/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Children whose ends are not reported or waited for: one in its parent's memory that runs beside
 * it (clone(2) with CLONE_VM alone), one by _Fork() of a program without real-time threads, and one
 * of vfork() that names itself by its number. And closefrom() if Linux refuses close_range().
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#include "files.h"

#define BYTES 65536

static int timer;
static atomic_bool may_go;

static int status_of(pid_t child)
{
	int status = -1;

	return waitpid(child, &status, 0) == child ? status : -1;
}

/* On its parent's thread-local storage. */
static int beside(void *unused)
{
	const struct timespec moment = {.tv_nsec = MS};

	(void)unused;
	while (!atomic_load(&may_go))
		;
	close(timer);
	nanosleep(&moment, NULL);
	_exit(0);
}

static void *goes_on(void *unused)
{
	static _Alignas(16) char stack[BYTES];
	pid_t child;

	SHOW(is_task_if_expected());
	timer = timerfd_create(CLOCK_MONOTONIC, 0);
	SHOW(set_in(timer, 100 * MS, 10 * MS));
	SHOW(is_ready(timer, 0));
	child = clone(beside, stack + BYTES, CLONE_VM | SIGCHLD, NULL);
	close(-1);
	atomic_store(&may_go, true);
	SHOW(status_of(child));
	SHOW(taken(timer) > 0);
	SHOW(taken(timer) > 0);
	SHOW(is_task_if_expected());
	return unused;
}

static void *names_itself(void *unused)
{
	const struct sched_param none = {.sched_priority = 0};
	int status = -1;
	pid_t child = vfork();

	if (!child) {
		sched_setscheduler(getpid(), SCHED_OTHER, &none);
		execl("/bin/sh", "sh", "-c", "test \"$(cut -d' ' -f41 /proc/$$/stat)\" = 0",
		      (char *)NULL);
		_exit(3);
	}
	SHOW(waitpid(child, &status, 0) == child);
	SHOW(status);
	SHOW(is_task_if_expected());
	return unused;
}

static int lock_twice(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&mutex, &attributes);
	return pthread_mutex_lock(&mutex) || pthread_mutex_lock(&mutex) ||
	       pthread_mutex_unlock(&mutex) || pthread_mutex_unlock(&mutex);
}

static void fork_untold(void)
{
	const struct sched_param parameter = {.sched_priority = 20};
	pid_t child = _Fork();

	if (!child) {
		SHOW(sched_setscheduler(getpid(), SCHED_FIFO, &parameter));
		SHOW(is_task_if_expected());
		SHOW(lock_twice());
		fflush(stdout);
		_exit(0);
	}
	SHOW(status_of(child));
}

/* As old containers do. */
static int refuse_close_range(void)
{
	struct sock_filter calls[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {sizeof(calls) / sizeof(calls[0]), calls};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

static void *closes(void *unused)
{
	const struct timespec moment = {.tv_nsec = MS};
	const int own = timerfd_create(CLOCK_MONOTONIC, 0);
	int ends[2];
	char byte = 0;

	SHOW(is_task_if_expected());
	SHOW(set_in(own, 900 * MS, 0));
	SHOW(is_ready(own, 0));
	SHOW(refuse_close_range());
	closefrom(3);
	SHOW(pipe(ends));
	SHOW(ends[0] == 3);
	SHOW(write(ends[1], "x", 1));
	SHOW(read(ends[0], &byte, 1));
	SHOW(byte == 'x');
	SHOW(clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL));
	SHOW(is_task_if_expected());
	return unused;
}

int main(void)
{
	fork_untold();
	joined(fifo_thread(20, goes_on, NULL));
	joined(fifo_thread(20, names_itself, NULL));
	joined(fifo_thread(20, closes, NULL));
	return 0;
}
