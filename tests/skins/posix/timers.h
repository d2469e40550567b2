/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the programs about POSIX timers share. */
#ifndef POSIX_TIMERS_H
#define POSIX_TIMERS_H

#include "check.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MS 1000000u

static inline sigset_t set_of(int signal)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signal);
	return set;
}

static inline void block(int how, int signal)
{
	sigset_t set = set_of(signal);

	pthread_sigmask(how, &set, NULL);
}

static inline timer_t timer_of(clockid_t clock, int notify, int signal, int value)
{
	struct sigevent event = {.sigev_notify = notify, .sigev_signo = signal};
	timer_t timer;

	event.sigev_value.sival_int = value;
	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	if (timer_create(clock, &event, &timer))
		exit(1);
	return timer;
}

static inline int set_in(timer_t timer, uint64_t ns, uint64_t interval_ns)
{
	struct itimerspec times = {{0, (long)interval_ns}, {0, (long)ns}};

	return timer_settime(timer, 0, &times, NULL);
}

/* Its signal, or minus the error number. */
static inline int wait_for(int signal, siginfo_t *info, uint64_t ns)
{
	struct timespec duration = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
	sigset_t set = set_of(signal);
	int result = sigtimedwait(&set, info, &duration);

	return result < 0 ? -errno : result;
}

#endif
