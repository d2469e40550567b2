/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Signals that the program sends to itself. A signal is handed to a task that waits for it; Linux
 * delivers all others. Source: POSIX.1-2017, kill(), pthread_kill(), sigqueue().
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "posix/libc/real.h"
#include "posix/park/waiter.h"
#include "posix/signal/sigwait.h"
#include "posix/state/half.h"
#include "posix/state/identity.h"
#include "posix/state/record.h"

/* A receiver may judge the sender by this uid. */
static int reported_uid(int result)
{
	if (!result && posix_identity_is_own())
		posix_identity.uid = getuid();
	return result;
}

int setuid(uid_t uid)
{
	return reported_uid(posix_real.setuid(uid));
}

int setreuid(uid_t real, uid_t effective)
{
	return reported_uid(posix_real.setreuid(real, effective));
}

int setresuid(uid_t real, uid_t effective, uid_t saved)
{
	return reported_uid(posix_real.setresuid(real, effective, saved));
}

static bool can_be_given(int signal)
{
	return signal >= 1 && signal <= 64 && posix_started();
}

/* The C library reports a signal to a thread in the same form as one to the program. */
static bool give(uint32_t waiter, int signal, const union sigval *value)
{
	siginfo_t info = {.si_signo = signal, .si_code = value ? SI_QUEUE : SI_USER};

	info.si_pid = posix_identity.pid;
	info.si_uid = posix_identity.uid;
	if (value)
		info.si_value = *value;
	return posix_signal_give(waiter, &info);
}

/* The record of a living thread is at the same place in each thread's storage. */
static uint32_t waiter_of(pthread_t pthread)
{
	const struct posix_thread *thread =
		(const void *)((const char *)pthread +
			       ((const char *)&posix_me - (const char *)pthread_self()));

	return posix_thread_is_task(thread) ? thread->wait.waiter : POSIX_NO_WAITER;
}

/* Note a signal that was sent to Linux with this result, when it is there. */
static int noted(int result, uint32_t waiter, int signal)
{
	if (!result && waiter != POSIX_NO_WAITER && can_be_given(signal))
		posix_signal_went_to_linux(waiter, signal);
	return result;
}

int pthread_kill(pthread_t pthread, int signal)
{
	uint32_t waiter = POSIX_NO_WAITER;

	if (can_be_given(signal)) {
		waiter = waiter_of(pthread);
		if (give(waiter, signal, NULL))
			return 0;
	}
	return noted(posix_real.pthread_kill(pthread, signal), waiter, signal);
}

int pthread_sigqueue(pthread_t pthread, int signal, const union sigval value)
{
	uint32_t waiter = POSIX_NO_WAITER;

	if (can_be_given(signal)) {
		waiter = waiter_of(pthread);
		if (give(waiter, signal, &value))
			return 0;
	}
	return noted(posix_real.pthread_sigqueue(pthread, signal, value), waiter, signal);
}

/* The caller sends it to itself, and so does not wait for it. */
int raise(int signal)
{
	const uint32_t waiter =
		posix_thread_is_task(&posix_me) ? posix_me.wait.waiter : POSIX_NO_WAITER;

	return noted(posix_real.raise(signal), waiter, signal);
}

int kill(pid_t pid, int signal)
{
	const bool own = pid == posix_identity.pid;

	if (own && can_be_given(signal) && give(POSIX_WAITERS, signal, NULL))
		return 0;
	return noted(posix_real.kill(pid, signal), own ? POSIX_WAITERS : POSIX_NO_WAITER, signal);
}

int sigqueue(pid_t pid, int signal, const union sigval value)
{
	const bool own = pid == posix_identity.pid;

	if (own && can_be_given(signal) && give(POSIX_WAITERS, signal, &value))
		return 0;
	return noted(posix_real.sigqueue(pid, signal, value), own ? POSIX_WAITERS : POSIX_NO_WAITER,
		     signal);
}

int tgkill(pid_t pid, pid_t tid, int signal)
{
	uint32_t waiter = POSIX_NO_WAITER;

	if (pid == posix_identity.pid && can_be_given(signal)) {
		waiter = posix_waiter_of_tid(tid);
		if (give(waiter, signal, NULL))
			return 0;
	}
	return noted(posix_real.tgkill(pid, tid, signal), waiter, signal);
}
