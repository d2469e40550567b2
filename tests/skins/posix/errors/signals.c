/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals: sent, handled, blocked, waited for. */
#define _GNU_SOURCE
#include <limits.h>

#include "errors.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define NO_SIGNAL 99
#define NO_PID    (INT_MAX - 1) /* beyond the numbers that Linux gives */
#define INIT      1             /* a process of root */

sighandler_t bsd_signal(int signal, sighandler_t handler);
int bsd_sigpause(int mask) __asm__("sigpause");
int x_open_sigpause(int signal) __asm__("__xpg_sigpause");
int __sigpause(int signal_or_mask, int is_signal);

static void sent(void)
{
	const union sigval value = {.sival_int = 1};
	const pid_t pid = getpid(), tid = (pid_t)syscall(SYS_gettid);

	FAILS(EINVAL, kill(pid, NO_SIGNAL));
	FAILS(ESRCH, kill(NO_PID, 0));
	AS_NOBODY(FAILS(EPERM, kill(INIT, 0)));
	FAILS(EINVAL, raise(NO_SIGNAL));
	FAILS(EINVAL, tgkill(pid, tid, NO_SIGNAL));
	FAILS(EINVAL, tgkill(pid, -1, 0));
	FAILS(ESRCH, tgkill(pid, NO_PID, 0));
	AS_NOBODY(FAILS(EPERM, tgkill(INIT, INIT, 0)));
	FAILS(EINVAL, sigqueue(pid, NO_SIGNAL, value));
	FAILS(ESRCH, sigqueue(NO_PID, 0, value));
	AS_NOBODY(FAILS(EPERM, sigqueue(INIT, 0, value)));
	RETURNS(EINVAL, pthread_kill(pthread_self(), NO_SIGNAL));
	RETURNS(EINVAL, pthread_sigqueue(pthread_self(), NO_SIGNAL, value));
}

/* A signal of number SIGRTMIN and up must be stored with its value. */
static void kept(void)
{
	const union sigval value = {.sival_int = 1};
	const pid_t pid = getpid(), tid = (pid_t)syscall(SYS_gettid);
	sigset_t set, former;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 1);
	pthread_sigmask(SIG_BLOCK, &set, &former);
	WITHOUT(RLIMIT_SIGPENDING, FAILS(EAGAIN, sigqueue(pid, SIGRTMIN + 1, value)));
	WITHOUT(RLIMIT_SIGPENDING, FAILS(EAGAIN, tgkill(pid, tid, SIGRTMIN + 1)));
	WITHOUT(RLIMIT_SIGPENDING,
		RETURNS(EAGAIN, pthread_sigqueue(pthread_self(), SIGRTMIN + 1, value)));
	pthread_sigmask(SIG_SETMASK, &former, NULL);
}

static void handled(void)
{
	struct sigaction action = {.sa_handler = SIG_IGN};

	FAILS(EINVAL, sigaction(NO_SIGNAL, &action, NULL));
	FAILS(EINVAL, sigaction(SIGKILL, &action, NULL));
	FAILS(EINVAL, signal(SIGKILL, SIG_IGN));
	FAILS(EINVAL, signal(NO_SIGNAL, SIG_IGN));
	FAILS(EINVAL, signal(SIGUSR2, SIG_ERR));
	FAILS(EINVAL, bsd_signal(SIGSTOP, SIG_IGN));
	FAILS(EINVAL, bsd_signal(NO_SIGNAL, SIG_IGN));
	FAILS(EINVAL, ssignal(SIGKILL, SIG_IGN));
	FAILS(EINVAL, sysv_signal(SIGKILL, SIG_IGN));
	FAILS(EINVAL, sysv_signal(NO_SIGNAL, SIG_IGN));
	FAILS(EINVAL, __sysv_signal(SIGKILL, SIG_IGN));
	FAILS(EINVAL, sigset(SIGKILL, SIG_IGN));
	FAILS(EINVAL, sigset(NO_SIGNAL, SIG_HOLD));
	FAILS(EINVAL, sigignore(SIGKILL));
	FAILS(EINVAL, sigignore(NO_SIGNAL));
	FAILS(EINVAL, siginterrupt(NO_SIGNAL, 1));
	FAILS(EINVAL, siginterrupt(SIGKILL, 1));
}

static void blocked(void)
{
	sigset_t none;

	sigemptyset(&none);
	FAILS(EINVAL, sigprocmask(77, &none, NULL));
	FAILS(EFAULT, sigprocmask(SIG_BLOCK, NULL, nowhere()));
	RETURNS(EINVAL, pthread_sigmask(77, &none, NULL));
	RETURNS(EFAULT, pthread_sigmask(SIG_BLOCK, NULL, nowhere()));
	FAILS(EINVAL, sighold(NO_SIGNAL));
	FAILS(EINVAL, sigrelse(NO_SIGNAL));
	FAILS(EFAULT, sigpending(nowhere()));
}

static void awaited(void)
{
	const struct timespec none = {0}, moment = {.tv_nsec = 1000000}, wrong = {.tv_nsec = -1};
	const struct timespec far = {.tv_sec = FAR_S};
	sigset_t set, former, no_set;
	siginfo_t info;

	sigemptyset(&no_set);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, &former);
	FAILS(EAGAIN, sigtimedwait(&set, &info, &none));
	FAILS(EAGAIN, sigtimedwait(&set, &info, &moment));
	FAILS(EINVAL, sigtimedwait(&set, &info, &wrong));
	INTERRUPTED(FAILS(EINTR, sigtimedwait(&set, &info, &far)));
	INTERRUPTED(FAILS(EINTR, sigwaitinfo(&set, &info)));
	pthread_sigmask(SIG_SETMASK, &former, NULL);
	INTERRUPTED(FAILS(EINTR, sigsuspend(&no_set)));
	FAILS(EFAULT, sigsuspend(nowhere()));
	INTERRUPTED(FAILS_AS("sigpause", EINTR, bsd_sigpause(0)));
	INTERRUPTED(FAILS_AS("__xpg_sigpause", EINTR, x_open_sigpause(SIGUSR2)));
	INTERRUPTED(FAILS(EINTR, __sigpause(SIGUSR2, 1)));
	FAILS_AS("__xpg_sigpause", EINVAL, x_open_sigpause(NO_SIGNAL));
	FAILS(EINVAL, __sigpause(NO_SIGNAL, 1));
}

static void cases(void)
{
	sent();
	kept();
	handled();
	blocked();
	awaited();
}

int main(void)
{
	return from_every_thread(cases);
}
