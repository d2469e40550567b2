/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * TFD_WAKEUP: when such a timer expires, any wait of the thread that has set it ends with EINTR. A
 * second timer of Linux sends SIGSHADOW to that thread. The program may handle this signal: a
 * task's wait ends even if the handler was installed with SA_RESTART. Source: Xenomai 3 API manual,
 * timerfd_settime().
 */
#include "cobalt_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include <cobalt/signal.h>
#include <cobalt/sys/timerfd.h>

#include "wakeup.h"

#define DESCRIPTORS 1024

static _Atomic int timers[DESCRIPTORS]; /* Linux's number of the second timer + 1, or 0 */

bool cobalt_wakeup_is(const siginfo_t *info)
{
	return info->si_code == SI_TIMER && info->si_value.sival_ptr == (void *)timers;
}

static void woken(int signal)
{
	(void)signal;
}

/* Without a handler the signal would end no wait; a handler of the program serves as well. The
 * signal is unblocked, because tasks of other skins begin with it blocked, for main() to get it. */
static void let_in(void)
{
	const struct sigaction ours = {.sa_handler = woken};
	struct sigaction now;
	sigset_t one;

	if (!sigaction(SIGSHADOW, NULL, &now) && !(now.sa_flags & SA_SIGINFO) &&
	    (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN))
		(void)sigaction(SIGSHADOW, &ours, NULL);
	sigemptyset(&one);
	sigaddset(&one, SIGSHADOW);
	pthread_sigmask(SIG_UNBLOCK, &one, NULL);
	posix_me.skin.signals_end |= 1ull << (SIGSHADOW - 1);
}

static void forget(int fd, int next)
{
	int timer = atomic_exchange(&timers[fd], next);

	if (timer)
		(void)posix_real.syscall(SYS_timer_delete, timer - 1);
}

/* A vfork's child closes its own descriptors while it runs in its parent's memory. */
void cobalt_wakeup_forget(int fd)
{
	if (fd >= 0 && fd < DESCRIPTORS && atomic_load(&timers[fd]) && posix_identity_is_own())
		forget(fd, 0);
}

/* A fork's child has none of its parent's timers, and may give their numbers to its own. */
static void forked(void)
{
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		if (atomic_load_explicit(&timers[fd], memory_order_relaxed))
			atomic_store_explicit(&timers[fd], 0, memory_order_relaxed);
}

__attribute__((constructor)) static void load(void)
{
	(void)pthread_atfork(NULL, NULL, forked);
}

/* The clock of a timerfd, read from Linux, because the descriptor may be a copy. Source: proc(5).
 * -1 and errno. */
static int clock_of(int fd)
{
	char path[64], text[1024];
	const char *found;
	ssize_t bytes;
	int info;

	if (posix_real.fcntl(fd, F_GETFD) < 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	info = open(path, O_RDONLY | O_CLOEXEC);
	if (info < 0)
		return -1;
	bytes = posix_real.read(info, text, sizeof(text) - 1);
	posix_real.close(info);
	text[bytes > 0 ? bytes : 0] = '\0';
	found = strstr(text, "clockid:");
	return found ? atoi(found + strlen("clockid:")) : posix_fail(EINVAL);
}

/* Make the second timer, on the clock of the timerfd, so that both expire at the same instant. -1
 * and errno. */
static int make(int fd)
{
	const int clock = clock_of(fd);
	struct sigevent event;
	int timer;

	if (clock < 0)
		return -1;
	if (fd >= DESCRIPTORS)
		return posix_fail(EMFILE);
	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = SIGSHADOW;
	event.sigev_value.sival_ptr = (void *)timers;
	event._sigev_un._tid = posix_real.gettid();
	return posix_real.syscall(SYS_timer_create, clock, &event, &timer) ? -1 : timer;
}

static bool is_armed(const struct itimerspec *when)
{
	struct itimerspec given;

	return posix_safe_copy(&given, when, sizeof(given)) &&
	       (given.it_value.tv_sec || given.it_value.tv_nsec);
}

/* If the second timer cannot be made, nothing is set. It is started last, so that it does not wake
 * the thread before the timerfd expires. */
int __wrap_timerfd_settime(int fd, int flags, const struct itimerspec *when,
			   struct itimerspec *former)
{
	const bool wakes = flags & TFD_WAKEUP && is_armed(when);
	const int timer = wakes ? make(fd) : 0;
	int error;

	if (timer < 0)
		return -1;
	error = timerfd_settime(fd, flags & ~TFD_WAKEUP, when, former);
	if (wakes && error) {
		const int why = errno;

		(void)posix_real.syscall(SYS_timer_delete, timer);
		return posix_fail(why);
	}
	if (error)
		return error;
	cobalt_wakeup_forget(fd);
	if (!wakes)
		return 0;
	let_in();
	forget(fd, timer + 1);
	(void)posix_real.syscall(SYS_timer_settime, timer, flags & TFD_TIMER_ABSTIME, when, NULL);
	return 0;
}
