/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals to one thread by its number, tgkill(): from itself, a task and a plain thread, to a
 * thread that waits for it, blocks it, or has a handler. */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

static volatile sig_atomic_t handled, code, sender;
static volatile pid_t target;
static sem_t ready;
static sigset_t usr1;

static void handler(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	handled++;
	code = info->si_code;
	sender = info->si_pid == getpid();
}

/* What the receiver got, which is printed when it has ended. */
static struct {
	int result, error, code, own;
} told[2];

static void *waits(void *argument)
{
	siginfo_t info;

	target = gettid();
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	for (int i = 0; i < 2; i++) {
		sem_post(&ready);
		told[i].result = sigwaitinfo(&usr1, &info);
		told[i].code = info.si_code;
		told[i].own = info.si_pid == getpid();
	}
	return argument;
}

static void *sleeps(void *argument)
{
	const struct timespec far = {.tv_sec = 1000};

	target = gettid();
	handled = 0;
	sem_post(&ready);
	told[0].result = nanosleep(&far, NULL);
	told[0].error = errno;
	return argument;
}

/* Until it waits, or a moment longer: a signal that comes before it waits is stored. */
static int send_when_ready(void)
{
	sem_wait(&ready);
	usleep(5000);
	return tgkill(getpid(), target, SIGUSR1);
}

static void to_waiter(pthread_t thread)
{
	const int first = send_when_ready(), second = send_when_ready();

	joined(thread);
	SHOW(first);
	SHOW(second);
	for (int i = 0; i < 2; i++) {
		SHOW(told[i].result);
		SHOW(told[i].code);
		SHOW(told[i].own);
	}
}

/* A signal before the sleep would not end the sleep, so it is sent repeatedly. */
static void to_sleeper(pthread_t thread)
{
	int result = send_when_ready();

	while (pthread_tryjoin_np(thread, NULL)) {
		usleep(1000);
		(void)tgkill(getpid(), target, SIGUSR1);
	}
	SHOW(result);
	SHOW(told[0].result);
	SHOW(told[0].error == EINTR);
	SHOW(handled > 0);
	SHOW(code == SI_TKILL);
	SHOW(sender);
}

static void to_others(void)
{
	to_waiter(fifo_thread(60, waits, NULL));
	to_waiter(other_thread(waits, NULL));
	to_sleeper(fifo_thread(60, sleeps, NULL));
	to_sleeper(other_thread(sleeps, NULL));
}

static void to_itself(void)
{
	const struct timespec none = {0};
	siginfo_t info;

	handled = 0;
	SHOW(tgkill(getpid(), gettid(), 0));
	SHOW(tgkill(getpid(), gettid(), SIGUSR1));
	SHOW(handled);
	SHOW(code == SI_TKILL);
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	SHOW(tgkill(getpid(), gettid(), SIGUSR1));
	SHOW(tgkill(getpid(), gettid(), SIGUSR1));
	SHOW(handled);
	SHOW(sigtimedwait(&usr1, &info, &none));
	SHOW(info.si_code);
	SHOW(sigtimedwait(&usr1, &info, &none));
	SHOW(errno == EAGAIN);
	SHOW(tgkill(getpid(), gettid(), SIGUSR1));
	pthread_sigmask(SIG_UNBLOCK, &usr1, NULL);
	SHOW(handled);
	/* A thread of another program does not exist here. */
	SHOW(tgkill(getppid(), gettid(), 0));
	SHOW(errno == ESRCH);
}

static void *run(void *argument)
{
	to_itself();
	to_others();
	SHOW(argument ? is_task_if_expected() : is_no_task());
	return NULL;
}

int main(void)
{
	const struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};

	sem_init(&ready, 0, 0);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigaction(SIGUSR1, &action, NULL);
	joined(fifo_thread(50, run, run));
	joined(other_thread(run, NULL));
	return 0;
}
