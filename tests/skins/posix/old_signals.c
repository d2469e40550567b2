/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The older interfaces of signals in real-time threads: which calls they interrupt, what they mask.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "check.h"

#define TIMES         10000               /* a millisecond each, until the call is interrupted */
#define FIRST(signal) (1 << ((signal)-1)) /* in an old mask */

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

sighandler_t bsd_signal(int signal, sighandler_t handler);

static sem_t sem;
static atomic_bool over;
static _Atomic int handled;
static pthread_t target;

static void handler(int signal)
{
	(void)signal;
	atomic_fetch_add(&handled, 1);
}

/* Signals until the call has ended; a call that must continue gets what it waits for after some. */
static void *interrupts(void *argument)
{
	const int most = argument ? TIMES : 5;

	for (int i = 0; i < most && !atomic_load(&over); i++) {
		pthread_kill(target, SIGUSR1);
		usleep(1000);
	}
	if (!atomic_load(&over))
		sem_post(&sem);
	return NULL;
}

static void show_wait(const char *how, bool is_interrupted)
{
	pthread_t thread;
	int result;

	atomic_store(&over, false);
	target = pthread_self();
	thread = other_thread(interrupts, is_interrupted ? &sem : NULL);
	errno = 0;
	result = sem_wait(&sem);
	printf("%s: %d, %s\n", how, result, result ? strerror(errno) : "went on");
	fflush(stdout);
	atomic_store(&over, true);
	joined(thread);
	while (!sem_trywait(&sem))
		;
}

static void installed(void)
{
	struct sigaction action = {.sa_handler = handler};

	SHOW(sigaction(SIGUSR1, &action, NULL));
	show_wait("sigaction() without SA_RESTART", true);
	SHOW(signal(SIGUSR1, handler) == handler);
	show_wait("signal()", false);
	SHOW(siginterrupt(SIGUSR1, 1));
	show_wait("siginterrupt()", true);
	SHOW(signal(SIGUSR1, handler) == handler);
	show_wait("signal() after it", true);
	SHOW(siginterrupt(SIGUSR1, 0));
	show_wait("siginterrupt() taken back", false);
	SHOW(sigset(SIGUSR1, handler) == handler);
	show_wait("sigset()", true);
	SHOW(ssignal(SIGUSR1, handler) == handler);
	show_wait("ssignal()", false);
	SHOW(bsd_signal(SIGUSR1, handler) == handler);
	show_wait("bsd_signal()", false);
	SHOW(siginterrupt(SIGUSR1, 1));
	SHOW(bsd_signal(SIGUSR1, handler) == handler);
	show_wait("bsd_signal() after siginterrupt()", true);
	SHOW(siginterrupt(SIGUSR1, 0));
	SHOW(bsd_signal(SIGUSR1, SIG_IGN) == handler);
	show_wait("bsd_signal() to ignore", false);
	SHOW(bsd_signal(SIGUSR1, handler) == SIG_IGN);
	SHOW(sigaction(SIGUSR1, NULL, &action));
	SHOW(action.sa_flags & (SA_RESTART | (int)SA_RESETHAND | SA_NODEFER | SA_SIGINFO));
	SHOW(sigismember(&action.sa_mask, SIGUSR1));
	SHOW(sigismember(&action.sa_mask, SIGUSR2));
	SHOW(sysv_signal(SIGUSR1, handler) == handler);
	SHOW(sigaction(SIGUSR1, NULL, &action));
	SHOW(!!(action.sa_flags & (int)SA_RESETHAND));
	SHOW(sigignore(SIGUSR1));
	show_wait("sigignore()", false);
	SHOW(signal(0, handler) == SIG_ERR && errno == EINVAL);
	SHOW(signal(32, handler) == SIG_ERR && errno == EINVAL);
	SHOW(signal(SIGUSR1, SIG_ERR) == SIG_ERR && errno == EINVAL);
	SHOW(siginterrupt(99, 1));
	SHOW(signal(SIGKILL, handler) == SIG_ERR && errno == EINVAL);
}

static void masked(void)
{
	int (*get_mask)(void);
	sigset_t now;

	/* Linkers warn of its use. */
	*(void **)&get_mask = dlsym(RTLD_DEFAULT, "siggetmask");
	SHOW(sigsetmask(0));
	SHOW(sighold(SIGUSR2));
	SHOW(sigblock(FIRST(SIGTERM)) == FIRST(SIGUSR2));
	SHOW(sigblock(0) == (FIRST(SIGUSR2) | FIRST(SIGTERM)));
	SHOW(get_mask() == (FIRST(SIGUSR2) | FIRST(SIGTERM)));
	SHOW(get_mask() == sigblock(0));
	SHOW(sigset(SIGUSR2, SIG_HOLD) == SIG_HOLD);
	SHOW(sigset(SIGUSR2, handler) == SIG_HOLD);
	SHOW(sigblock(0) == FIRST(SIGTERM));
	SHOW(sigset(SIGUSR2, SIG_HOLD) == handler);
	SHOW(raise(SIGUSR2));
	atomic_store(&handled, 0);
	SHOW(sigpause(SIGUSR2));
	SHOW(errno);
	SHOW(handled);
	SHOW(sigrelse(SIGUSR2));
	SHOW(sigsetmask(0) == FIRST(SIGTERM));
	SHOW(get_mask());
	SHOW(pthread_sigmask(SIG_BLOCK, NULL, &now));
	SHOW(sigisemptyset(&now));
	SHOW(sighold(0));
	SHOW(sigrelse(99));
}

/* If all block it, it may be kept from Linux; the handler runs as soon as a thread lets it in. */
static void let_in(void)
{
	const struct itimerspec soon = {.it_value = {0, 2000000}};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1};
	timer_t timer;

	SHOW(signal(SIGRTMIN + 1, handler) == SIG_DFL);
	SHOW(timer_create(CLOCK_MONOTONIC, &event, &timer));
	SHOW(timer_settime(timer, 0, &soon, NULL));
	atomic_store(&handled, 0);
	SHOW(sigrelse(SIGRTMIN + 1));
	for (int i = 0; i < TIMES && !atomic_load(&handled); i++)
		usleep(1000);
	SHOW(handled);
	SHOW(timer_delete(timer));
}

static void *run(void *argument)
{
	SHOW(is_task_if_expected());
	let_in();
	installed();
	masked();
	SHOW(is_task_if_expected());
	return argument;
}

int main(void)
{
	sem_init(&sem, 0, 0);
	SHOW(sighold(SIGRTMIN + 1));
	joined(fifo_thread(50, run, NULL));
	return 0;
}
