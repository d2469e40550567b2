/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A vfork's child closes all descriptors, resets all signals, and sets its mask, policy and
 * affinity before it execs. That does not affect its parent's threads, which wait meanwhile, nor
 * the one that made it. usage: vfork_children [child]
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "files.h"

#define FIRST 3
#define HIGH  1024
#define BYTES 65536

static char *name;
static sem_t ready, done, never;
static mqd_t queue;
static const char *queue_name = "/tactus-vforked";

static void reset_signals(void)
{
	struct sigaction usual = {.sa_handler = SIG_DFL};
	sigset_t none, all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (int i = 1; i <= SIGRTMAX; i++)
		sigaction(i, &usual, NULL);
	sigpending(&none);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* As in programs that begin others; meanwhile one number is that of another file. */
static int become(void *cleans)
{
	if (cleans) {
		const struct timespec moment = {.tv_nsec = 100000};

		nanosleep(&moment, NULL);
		for (int fd = FIRST; fd < HIGH; fd++)
			close(fd);
		for (int fd = FIRST; fd < 12; fd++)
			dup2(STDOUT_FILENO, fd);
		close_range(HIGH, HIGH * 2, 0);
		reset_signals();
	}
	execl("/bin/true", "true", (char *)NULL);
	_exit(1);
}

static int by_vfork(void)
{
	int status = -1;
	pid_t child = vfork();

	if (!child)
		become(name);
	return waitpid(child, &status, 0) == child ? status : -1;
}

static int by_clone(void)
{
	static _Alignas(16) char stack[BYTES];
	int status = -1;
	pid_t child = clone(become, stack + BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, name);

	return waitpid(child, &status, 0) == child ? status : -1;
}

static int begin_others(void)
{
	sem_wait(&ready);
	return by_vfork() || by_clone();
}

/* Descriptors and a timer that a task uses here. */
static void *waits(void *unused)
{
	int timer = timerfd_create(CLOCK_MONOTONIC, 0), event = eventfd(0, 0);
	struct sigevent told = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
	const struct itimerspec soon = {.it_value = {.tv_nsec = 200 * MS}};
	sigset_t set;
	timer_t by_signal;
	int signal = 0;

	SHOW(is_task_if_expected());
	SHOW(is_ready(event, 1));
	SHOW(given(event, 5));
	SHOW(set_in(timer, 200 * MS, 0));
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	SHOW(timer_create(CLOCK_MONOTONIC, &told, &by_signal));
	SHOW(timer_settime(by_signal, 0, &soon, NULL));
	sem_post(&ready);
	SHOW(taken(timer));
	SHOW(taken(event));
	SHOW(sigwait(&set, &signal) || signal != SIGRTMIN);
	SHOW(timer_delete(by_signal));
	SHOW(set_in(timer, MS, 0));
	SHOW(taken(timer));
	SHOW(close(timer) || close(event));
	sem_post(&done);
	return unused;
}

static void *receives(void *unused)
{
	char text[8];

	sem_post(&ready);
	SHOW(mq_receive(queue, text, sizeof(text), NULL));
	SHOW(mq_receive(queue, text, sizeof(text), NULL));
	sem_post(&done);
	return unused;
}

static void handle(int signal)
{
	(void)signal;
}

static void *is_interrupted(void *unused)
{
	sem_post(&ready);
	SHOW(sem_wait(&never) ? errno : 0);
	sem_post(&done);
	return unused;
}

/* A thread that waits for ever is not joined. */
static void end(pthread_t thread)
{
	const struct timespec late = later(CLOCK_REALTIME, 20000000000u);

	if (sem_timedwait(&done, &late)) {
		printf("it waits still\n");
		fflush(stdout);
		_exit(1);
	}
	joined(thread);
}

static void interrupt(pthread_t thread)
{
	int value = 0;

	for (int i = 0; i < 200 && !value; i++) {
		pthread_kill(thread, SIGUSR1);
		usleep(10000);
		sem_getvalue(&done, &value);
	}
	end(thread);
}

static void begin_with(int policy, int priority, int one_cpu)
{
	const struct sched_param parameter = {.sched_priority = priority};
	volatile int before = -1, after = -1, result = -1; /* the child's */
	int status = -1;
	cpu_set_t cpus;
	pid_t child;

	sched_getaffinity(0, sizeof(cpus), &cpus);
	for (int cpu = CPU_SETSIZE - 1, count = CPU_COUNT(&cpus); one_cpu && count > 1; cpu--)
		if (CPU_ISSET(cpu, &cpus)) {
			CPU_CLR(cpu, &cpus);
			count--;
		}
	child = vfork();
	if (!child) {
		before = sched_getscheduler(0);
		result = sched_setscheduler(0, policy, &parameter);
		after = sched_getscheduler(0);
		sched_setaffinity(0, sizeof(cpus), &cpus);
		execl(name, name, "child", (char *)NULL);
		_exit(1);
	}
	SHOW(waitpid(child, &status, 0) == child);
	SHOW(status);
	SHOW(before);
	SHOW(result);
	SHOW(after);
	show_policy();
}

static void *begins(void *unused)
{
	const struct timespec moment = {.tv_nsec = MS};

	SHOW(by_vfork() || by_clone());
	begin_with(SCHED_OTHER, 0, 1);
	begin_with(SCHED_RR, 7, 0);
	SHOW(is_task_if_expected());
	SHOW(clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL));
	return unused;
}

static void *begins_as_none(void *unused)
{
	begin_with(SCHED_FIFO, 9, 1);
	SHOW(is_no_task());
	return unused;
}

int main(int argc, char **argv)
{
	struct sigaction interrupting = {.sa_handler = handle};
	struct mq_attr small = {.mq_maxmsg = 4, .mq_msgsize = 8};
	sigset_t set;
	pthread_t thread;
	int failed;

	name = argv[0];
	if (argc > 1) {
		show_policy();
		return 0;
	}
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigaction(SIGUSR1, &interrupting, NULL);
	sem_init(&ready, 0, 0);
	sem_init(&done, 0, 0);
	sem_init(&never, 0, 0);
	mq_unlink(queue_name);
	queue = mq_open(queue_name, O_CREAT | O_RDWR | O_CLOEXEC, 0600, &small);
	thread = fifo_thread(20, waits, NULL);
	failed = begin_others();
	end(thread);
	SHOW(failed);
	thread = fifo_thread(20, receives, NULL);
	usleep(50000);
	failed = begin_others();
	/* Linux reports it, like that of another program. */
	failed |= syscall(SYS_mq_timedsend, queue, "one", 4, 0, NULL) != 0;
	failed |= syscall(SYS_mq_timedsend, queue, "three", 6, 0, NULL) != 0;
	end(thread);
	SHOW(failed);
	thread = fifo_thread(20, is_interrupted, NULL);
	failed = begin_others();
	interrupt(thread);
	SHOW(failed);
	joined(fifo_thread(20, begins, NULL));
	joined(other_thread(begins_as_none, NULL));
	mq_unlink(queue_name);
	return 0;
}
