/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A timer that sends the calling thread SIGUSR1 just when it makes a call. */
#ifndef POSIX_FIRING_H
#define POSIX_FIRING_H

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

static inline int timer_of_caller(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
	int timer = 0;

	event._sigev_un._tid = (pid_t)call_linux(SYS_gettid, 0, 0, 0, 0);
	if (call_linux(SYS_timer_create, CLOCK_MONOTONIC, (long)&event, (long)&timer, 0))
		abort();
	return timer;
}

/* After this time, and again after each of the others, or never again. 0: not at all. */
static inline void fire(int timer, uint64_t ns, uint64_t again_ns)
{
	const struct itimerspec times = {
		.it_value = {.tv_nsec = (long)ns},
		.it_interval = {.tv_nsec = (long)again_ns},
	};

	if (call_linux(SYS_timer_settime, timer, 0, (long)&times, 0))
		abort();
}

#endif
