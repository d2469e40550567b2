/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * TFD_WAKEUP: when such a timer expires, whatever the thread that has set it waits for ends with
 * EINTR. A second timer of Linux beside it sends that thread SIGSHADOW. Source: Xenomai 3 API
 * manual, timerfd_settime().
 */
#include "cobalt_internal.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include <cobalt/signal.h>
#include <cobalt/sys/timerfd.h>

#include "posix/real.h"
#include "wakeup.h"

#define DESCRIPTORS 1024

static _Atomic int clocks[DESCRIPTORS];
static _Atomic int timers[DESCRIPTORS]; /* Linux's number of the second timer + 1, or 0 */

static void woken(int signal)
{
	(void)signal;
}

/* Without a handler the signal would end no wait; the program's own is as good. */
static void install(void)
{
	const struct sigaction ours = {.sa_handler = woken};
	struct sigaction now;

	if (!posix_real.sigaction(SIGSHADOW, NULL, &now) && !(now.sa_flags & SA_SIGINFO) &&
	    (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN))
		(void)sigaction(SIGSHADOW, &ours, NULL);
}

void cobalt_wakeup_forget(int fd)
{
	int timer = fd >= 0 && fd < DESCRIPTORS && atomic_load(&timers[fd])
			    ? atomic_exchange(&timers[fd], 0)
			    : 0;

	if (timer)
		(void)posix_real.syscall(SYS_timer_delete, timer - 1);
}

/* The clock is the timerfd's; an instant for one is an instant for both. */
static int arm(int fd, int clock, int flags, const struct itimerspec *when)
{
	struct sigevent event;
	int timer;

	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = SIGSHADOW;
	event._sigev_un._tid = posix_real.gettid();
	if (posix_real.syscall(SYS_timer_create, clock, &event, &timer))
		return -1;
	if (posix_real.syscall(SYS_timer_settime, timer, flags & TFD_TIMER_ABSTIME, when, NULL)) {
		(void)posix_real.syscall(SYS_timer_delete, timer);
		return -1;
	}
	timer = atomic_exchange(&timers[fd], timer + 1);
	if (timer)
		(void)posix_real.syscall(SYS_timer_delete, timer - 1);
	return 0;
}

int __wrap_timerfd_create(int clock, int flags)
{
	int fd = timerfd_create(clock, flags);

	if (fd >= 0 && fd < DESCRIPTORS)
		atomic_store(&clocks[fd], clock);
	return fd;
}

int __wrap_timerfd_settime(int fd, int flags, const struct itimerspec *when,
			   struct itimerspec *former)
{
	int error = timerfd_settime(fd, flags & ~TFD_WAKEUP, when, former);

	if (error)
		return error;
	cobalt_wakeup_forget(fd);
	if (!(flags & TFD_WAKEUP) || (!when->it_value.tv_sec && !when->it_value.tv_nsec))
		return 0;
	if (fd >= DESCRIPTORS)
		return posix_fail(EMFILE);
	install();
	return arm(fd, atomic_load(&clocks[fd]), flags, when);
}
