/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls about signals, and about timers that send them. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "common/complain.h"

#define LET_IN  (SIGRTMIN + 1)
#define BLOCKED (SIGRTMIN + 2)

static sigset_t blocked;
static timer_t timer;

int calls_prepare_signals(void)
{
	struct sigevent none = {.sigev_notify = SIGEV_NONE};

	sigemptyset(&blocked);
	sigaddset(&blocked, BLOCKED);
	if (pthread_sigmask(SIG_BLOCK, &blocked, NULL) ||
	    timer_create(CLOCK_MONOTONIC, &none, &timer))
		return complain("timer_create(): %s", strerror(errno));
	return 0;
}

static int change_mask(void)
{
	return pthread_sigmask(SIG_BLOCK, &blocked, NULL);
}

static int change_mask_of_process(void)
{
	sigset_t former;

	return sigprocmask(SIG_BLOCK, &blocked, &former);
}

static int look_at_mask(void)
{
	sigset_t now;

	return pthread_sigmask(SIG_BLOCK, NULL, &now);
}

static int look_at_pending(void)
{
	sigset_t now;

	return sigpending(&now);
}

static int act(void)
{
	const struct sigaction ignored = {.sa_handler = SIG_IGN};

	return sigaction(SIGUSR1, &ignored, NULL);
}

static int act_simply(void)
{
	return signal(SIGUSR1, SIG_IGN) == SIG_ERR;
}

static int probe(void)
{
	return kill(getpid(), 0);
}

static int send_ignored(void)
{
	return raise(SIGUSR1);
}

static int accept_none(void)
{
	const struct timespec at_once = {0};

	return sigtimedwait(&blocked, NULL, &at_once) != -1 || errno != EAGAIN;
}

static int make_timer(int notify, int signal)
{
	struct sigevent event = {.sigev_notify = notify, .sigev_signo = signal};
	timer_t made;

	return timer_create(CLOCK_MONOTONIC, &event, &made) || timer_delete(made);
}

static int make_timer_let_in(void)
{
	return make_timer(SIGEV_SIGNAL, LET_IN);
}

static int make_timer_blocked(void)
{
	return make_timer(SIGEV_SIGNAL, BLOCKED);
}

static int make_timer_without(void)
{
	return make_timer(SIGEV_NONE, 0);
}

static int set_timer(void)
{
	const struct itimerspec late = {.it_value.tv_sec = 1000};

	return timer_settime(timer, 0, &late, NULL);
}

static int get_timer(void)
{
	struct itimerspec left;

	return timer_gettime(timer, &left);
}

static int get_overrun(void)
{
	return timer_getoverrun(timer);
}

static int set_interval(void)
{
	const struct itimerval none = {{0, 0}, {0, 0}};

	return setitimer(ITIMER_REAL, &none, NULL);
}

static int get_interval(void)
{
	struct itimerval left;

	return getitimer(ITIMER_REAL, &left);
}

const struct call calls_of_signals[] = {
	{"pthread_sigmask", 1, change_mask},
	{"pthread_sigmask, of no change", 1, look_at_mask},
	{"sigprocmask", 1, change_mask_of_process},
	{"sigpending", 1, look_at_pending},
	{"sigaction", 1, act},
	{"signal", 1, act_simply},
	{"kill, none", 1, probe},
	{"raise, ignored", 1, send_ignored},
	{"sigtimedwait, of none", 1, accept_none},
	{"timer_create, _delete, signal unblocked", 2, make_timer_let_in},
	{"timer_create, _delete, signal blocked", 2, make_timer_blocked},
	{"timer_create, _delete, no signal", 2, make_timer_without},
	{"timer_settime", 1, set_timer},
	{"timer_gettime", 1, get_timer},
	{"timer_getoverrun", 1, get_overrun},
	{"setitimer", 1, set_interval},
	{"getitimer", 1, get_interval},
	{NULL, 0, NULL},
};
