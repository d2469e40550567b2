/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Random programs: signals with handlers and without, between threads, and timers whose signals go
 * to one thread. Signals of the process are left out, because the kernel chooses their thread. */
#include "random.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

/* The first signals are blocked everywhere and waited for, the others have handlers. */
#define BLOCKED 3
#define ALL     6
#define TIMERS  2

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static timer_t timers[ACTORS][TIMERS];
static bool made[ACTORS][TIMERS];
static bool restarts;

static void handle(int signal, siginfo_t *info, void *unused)
{
	int error = errno;

	(void)unused;
	note("handler", (unsigned)(signal - SIGRTMIN), info->si_code);
	errno = error;
}

static sigset_t signals(unsigned from, unsigned end)
{
	sigset_t chosen_ones;

	sigemptyset(&chosen_ones);
	for (unsigned i = from; i < end; i++)
		sigaddset(&chosen_ones, SIGRTMIN + (int)i);
	return chosen_ones;
}

static long send_signal(unsigned what, unsigned how)
{
	struct actor *to = &actors[what % actor_count];

	return to->gone ? SKIPPED : pthread_kill(to->thread, SIGRTMIN + (int)how % ALL);
}

static long queue_signal(unsigned what, unsigned how)
{
	const union sigval value = {.sival_int = (int)self->at};
	struct actor *to = &actors[what % actor_count];

	return to->gone ? SKIPPED : pthread_sigqueue(to->thread, SIGRTMIN + (int)how % ALL, value);
}

static long raise_signal(unsigned what, unsigned how)
{
	(void)what;
	return result_of(raise(SIGRTMIN + (int)how % ALL));
}

static long wait_signal(unsigned what, unsigned how)
{
	const sigset_t awaited = signals(0, BLOCKED - (what == 0));
	const struct timespec none = {0, 0};
	struct timespec some;
	siginfo_t info = {0};
	int signal;

	if (how < 2) {
		signal = sigtimedwait(&awaited, &info, &none);
	} else if (how < 4) {
		some = in_a_while();
		signal = sigtimedwait(&awaited, &info, &some);
	} else {
		signal = sigwaitinfo(&awaited, &info);
	}
	if (signal < 0)
		return -errno;
	return (signal - SIGRTMIN) * 10000 - info.si_code * 100 +
	       (info.si_code == SI_QUEUE ? info.si_value.sival_int : 0);
}

static long pending(unsigned what, unsigned how)
{
	sigset_t found;
	long told = 0;

	(void)what;
	(void)how;
	sigpending(&found);
	for (int i = 0; i < ALL; i++)
		told |= (long)sigismember(&found, SIGRTMIN + i) << i;
	return told;
}

static long mask(unsigned what, unsigned how)
{
	const sigset_t some = signals(BLOCKED + what % 3, ALL);
	sigset_t old;

	pthread_sigmask(how % 2 ? SIG_BLOCK : SIG_UNBLOCK, &some, &old);
	return sigismember(&old, SIGRTMIN + ALL - 1);
}

/* With one more signal unblocked, and only while waiting. */
static long suspend(unsigned what, unsigned how)
{
	const struct timespec some = in_a_while();
	sigset_t meanwhile;

	(void)what;
	pthread_sigmask(SIG_BLOCK, NULL, &meanwhile);
	if (how % 2)
		sigdelset(&meanwhile, SIGRTMIN + 2);
	return result_of(ppoll(NULL, 0, &some, &meanwhile));
}

static long make_timer(unsigned what, unsigned how)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID};
	timer_t *timer = &timers[self->number][what % TIMERS];
	bool *is_made = &made[self->number][what % TIMERS];

	if (*is_made) {
		*is_made = false;
		return result_of(timer_delete(*timer));
	}
	*is_made = true;
	event.sigev_notify_thread_id = gettid();
	event.sigev_signo = SIGRTMIN + (int)how % ALL;
	return result_of(timer_create(CLOCK_MONOTONIC, &event, timer));
}

static long set_timer(unsigned what, unsigned how)
{
	struct itimerspec at = {0}, old;

	if (!made[self->number][what % TIMERS])
		return SKIPPED;
	if (how)
		at.it_value = soon(CLOCK_MONOTONIC);
	if (timer_settime(timers[self->number][what % TIMERS], TIMER_ABSTIME, &at, &old))
		return -errno;
	return old.it_value.tv_nsec || old.it_value.tv_sec;
}

static long ask_timer(unsigned what, unsigned how)
{
	timer_t timer = timers[self->number][what % TIMERS];
	struct itimerspec left;

	if (!made[self->number][what % TIMERS])
		return SKIPPED;
	if (how < 3)
		return result_of(timer_getoverrun(timer));
	if (timer_gettime(timer, &left))
		return -errno;
	return left.it_value.tv_nsec || left.it_value.tv_sec;
}

static const struct operation operations[] = {
	{"kill", "signal", send_signal},     {"sigqueue", "signal", queue_signal},
	{"raise", "signal", raise_signal},   {"sigwait", "signal", wait_signal},
	{"sigwait", "signal", wait_signal},  {"sigpending", "signal", pending},
	{"sigmask", "signal", mask},         {"suspend", "signal", suspend},
	{"timer_make", "timer", make_timer}, {"timer_set", "timer", set_timer},
	{"timer_ask", "timer", ask_timer},
};

/* The handlers' signals are blocked until an actor unblocks them: main() takes none. */
static void make(void)
{
	const sigset_t all = signals(0, ALL);
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};

	pthread_sigmask(SIG_BLOCK, &all, NULL);
	restarts = chosen(2);
	if (restarts)
		action.sa_flags |= SA_RESTART;
	for (int i = 0; i < ALL; i++)
		sigaction(SIGRTMIN + i, &action, NULL);
	for (unsigned i = 0; i < ACTORS * TIMERS; i++)
		made[i / TIMERS][i % TIMERS] = false;
}

static void free_all(unsigned round)
{
	for (unsigned i = 0; i < actor_count; i++)
		if (!actors[i].gone)
			pthread_kill(actors[i].thread, SIGRTMIN + (int)(round % ALL));
}

static void leave(void)
{
	for (unsigned i = 0; i < TIMERS; i++)
		if (made[self->number][i])
			timer_delete(timers[self->number][i]);
}

static void destroy(void)
{
}

const struct kind random_signals = {
	operations, sizeof(operations) / sizeof(operations[0]), make, free_all, leave, destroy,
};
