/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Summary and trace of a program that a signal ends. If the program leaves the signal its default
 * action, a handler of this library replaces that action, and the program still sees the default
 * one. The handler stops the thread that it interrupts, and a thread of this library writes. The
 * writer does not use locks that the interrupted thread may have, except those of lists; so it is
 * waited for no longer than LIMIT_S. Then the default action is restored and taken, so that a
 * waiting parent sees how the program ended. The other threads of the program continue until then,
 * as in a normal end.
 */
#define _GNU_SOURCE
#include "posix/report/ends.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "posix/libc/real.h"
#include "posix/report/summary.h"
#include "posix/report/trace.h"
#include "posix/state/half.h"
#include "posix/state/identity.h"
#include "posix/state/linux_call.h"
#include "posix/thread/helper.h"
#include "posix/thread/records.h"

#define LIMIT_S  5
#define RESTORER 0x04000000 /* what the C library adds to flags */

static const int signals[] = {SIGHUP, SIGINT, SIGTERM};
#define SIGNALS (sizeof(signals) / sizeof(signals[0]))

static struct {
	_Atomic bool begun;
	_Atomic int signal; /* the signal that ends the program, or 0 */
	_Atomic pid_t writer;
} ends;

/* End by the default action, even if the program now has another one. */
static void end_by(int signal)
{
	const struct sigaction action = {.sa_handler = SIG_DFL};
	sigset_t one;

	sigemptyset(&one);
	sigaddset(&one, signal);
	(void)posix_real.sigaction(signal, &action, NULL);
	(void)posix_real.raise(signal);
	(void)posix_real.pthread_sigmask(SIG_UNBLOCK, &one, NULL);
	_exit(128 + signal);
}

static void write_all(void)
{
	if (posix_started()) {
		posix_threads_sum_up(posix_summary_take);
		posix_trace_write();
	}
	posix_summary_print();
}

/* A second caller waits for the first one to end the program. A child in the program's memory does
 * not end it. */
void posix_ends_write(void)
{
	pid_t nobody = 0;

	if (!posix_identity_is_own())
		return;
	if (!atomic_compare_exchange_strong(&ends.writer, &nobody, posix_real.gettid()))
		for (;;)
			posix_real.syscall(SYS_pause);
	write_all();
	/* Signals that come from here on, while the rest of the program ends, have their default
	 * action. */
	posix_ends_leave();
	if (ends.signal)
		end_by(ends.signal);
}

static void *attend(void *unused)
{
	pid_t nobody = 0;

	while (!ends.signal)
		posix_real.syscall(SYS_futex, &ends.signal, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	if (!atomic_compare_exchange_strong(&ends.writer, &nobody, posix_real.gettid()))
		return unused;
	write_all();
	end_by(ends.signal);
	return unused;
}

static void stop(int signal)
{
	struct timespec left = {.tv_sec = LIMIT_S};
	int none = 0;

	/* A vfork's child is not the program, and neither is the child of a raw clone(). If the
	 * child is the first process of a container, Linux does not end it by these signals. */
	if (!posix_identity_is_own()) {
		if (getpid() == 1)
			return;
		end_by(signal);
	}
	/* The program is ending: after the report it ends by this signal. A second signal does not
	 * wait for the report. */
	if (ends.writer == posix_real.gettid()) {
		if (!atomic_compare_exchange_strong(&ends.signal, &none, signal))
			end_by(signal);
		return;
	}
	(void)posix_linux_begin();
	if (atomic_compare_exchange_strong(&ends.signal, &none, signal))
		posix_real.syscall(SYS_futex, &ends.signal, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	while (posix_real.syscall(SYS_nanosleep, &left, &left) && errno == EINTR)
		;
	end_by(signal);
}

static bool is_one(int signal)
{
	return signal == SIGHUP || signal == SIGINT || signal == SIGTERM;
}

const struct sigaction *posix_ends_install(int signal, const struct sigaction *wanted,
					   struct sigaction *noting)
{
	if (!is_one(signal) || wanted->sa_handler != SIG_DFL || !ends.begun ||
	    !posix_identity_is_own())
		return wanted;
	*noting = *wanted;
	noting->sa_flags &= ~SA_SIGINFO;
	noting->sa_handler = stop;
	return noting;
}

/* Every action that was ever set has the C library's own flag, but the default action may be
 * without it. */
void posix_ends_show(int signal, struct sigaction *installed)
{
	if (!is_one(signal) || installed->sa_handler != stop)
		return;
	installed->sa_handler = SIG_DFL;
	installed->sa_flags &= ~RESTORER;
}

/* For the signals that have the action `from`. */
static void exchange(void (*from)(int), void (*to)(int))
{
	for (size_t i = 0; i < SIGNALS; i++) {
		struct sigaction now;

		if (posix_real.sigaction(signals[i], NULL, &now) || now.sa_handler != from)
			continue;
		now.sa_flags &= ~SA_SIGINFO;
		now.sa_handler = to;
		(void)posix_real.sigaction(signals[i], &now, NULL);
	}
}

/* Linux does not end the first process of a container by these signals. */
void posix_ends_begin(void)
{
	if (getpid() == 1 || posix_helper_begin(attend))
		return;
	ends.begun = true;
	exchange(SIG_DFL, stop);
}

void posix_ends_leave(void)
{
	if (atomic_exchange(&ends.begun, false))
		exchange(stop, SIG_DFL);
}

void posix_ends_forked(void)
{
	posix_ends_leave();
	ends.signal = 0;
	ends.writer = 0;
}
