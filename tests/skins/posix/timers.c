/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* POSIX timers of real-time threads: which thread gets the signal, when, and its information. */
#include "timers.h"

#include <limits.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

static volatile sig_atomic_t handled, handled_value;

static void handle(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	handled++;
	handled_value = info->si_code == SI_TIMER ? info->si_value.sival_int : -1;
}

static void once_and_again(clockid_t clock, int notify)
{
	timer_t timer = timer_of(clock, notify, SIGRTMIN, 42);
	struct itimerspec times = {{0, 2 * MS}, later(clock, 3 * MS)};
	uint64_t start = now_ns(clock);
	siginfo_t info;
	int on_time = 1;

	SHOW(set_in(timer, 2 * MS, 0));
	SHOW(wait_for(SIGRTMIN, &info, 2000000000u) == SIGRTMIN && now_ns(clock) >= start + 2 * MS);
	SHOW(info.si_code == SI_TIMER && info.si_value.sival_int == 42);
	SHOW(wait_for(SIGRTMIN, &info, 3 * MS));
	SHOW(timer_settime(timer, TIMER_ABSTIME, &times, NULL));
	for (int i = 0; i < 5; i++) {
		sigset_t set = set_of(SIGRTMIN);
		int signal = 0;

		on_time &= !sigwait(&set, &signal) && signal == SIGRTMIN;
	}
	SHOW(on_time && now_ns(clock) >= start + 3 * MS + 4 * 2 * MS);
	SHOW(timer_delete(timer));
	SHOW(wait_for(SIGRTMIN, &info, 5 * MS));
}

static void overruns(void)
{
	timer_t timer = timer_of(CLOCK_MONOTONIC, SIGEV_THREAD_ID, SIGRTMIN, 1);
	siginfo_t info;

	set_in(timer, 1 * MS, 1 * MS);
	usleep(20000);
	SHOW(wait_for(SIGRTMIN, &info, 2000000000u));
	SHOW(info.si_overrun >= 15 && timer_getoverrun(timer) >= 15);
	timer_delete(timer);
}

/* More than can be reported: half a century of them. */
static void overruns_beyond(void)
{
	const struct itimerspec since = {{0, MS}, {1, 0}};
	timer_t timer = timer_of(CLOCK_REALTIME, SIGEV_SIGNAL, SIGRTMIN, 1);
	siginfo_t info;

	SHOW(timer_settime(timer, TIMER_ABSTIME, &since, NULL));
	SHOW(wait_for(SIGRTMIN, &info, 2000000000u) == SIGRTMIN);
	SHOW(info.si_overrun == INT_MAX && timer_getoverrun(timer) == INT_MAX);
	timer_delete(timer);
}

static void what_is_left(void)
{
	timer_t timer = timer_of(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGRTMIN, 1);
	struct itimerspec wrong = {{0, 0}, {0, 1000000000}}, told, minute = {{60, 0}, {60, 0}};
	siginfo_t info;

	SHOW(timer_gettime(timer, &told) || told.it_value.tv_sec || told.it_value.tv_nsec);
	SHOW(timer_settime(timer, 0, &wrong, NULL) ? errno : 0);
	SHOW(timer_settime(timer, 0, &minute, NULL));
	SHOW(wait_for(SIGRTMIN, &info, 1 * MS));
	SHOW(!timer_gettime(timer, &told) && told.it_value.tv_sec == 59 &&
	     told.it_interval.tv_sec == 60);
	memset(&minute, 0, sizeof(minute));
	SHOW(timer_settime(timer, 0, &minute, &told) || told.it_value.tv_sec != 59);
	SHOW(timer_gettime(timer, &told) || told.it_value.tv_sec || told.it_interval.tv_sec);
	timer_delete(timer);
	SHOW(timer_gettime(timer, &told) ? errno : 0);
}

/* A signal that came before any thread waits is found in each of the ways that Linux has for
 * that. */
static void pending(void)
{
	timer_t timer = timer_of(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGRTMIN + 1, 7);
	sigset_t set = set_of(SIGRTMIN + 1), now;
	struct signalfd_siginfo read_info = {0};
	siginfo_t info;
	int fd;

	set_in(timer, 1 * MS, 0);
	usleep(5000);
	SHOW(!sigpending(&now) && sigismember(&now, SIGRTMIN + 1));
	SHOW(wait_for(SIGRTMIN + 1, &info, 0) == SIGRTMIN + 1);
	set_in(timer, 1 * MS, 0);
	usleep(5000);
	SHOW(handled);
	block(SIG_UNBLOCK, SIGRTMIN + 1);
	SHOW(handled == 1 && handled_value == 7);
	block(SIG_BLOCK, SIGRTMIN + 1);
	set_in(timer, 2 * MS, 0);
	sigemptyset(&now);
	SHOW(sigsuspend(&now) ? errno : 0);
	SHOW(handled);
	set_in(timer, 2 * MS, 0);
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	SHOW(read(fd, &read_info, sizeof(read_info)) == sizeof(read_info) &&
	     read_info.ssi_int == 7);
	close(fd);
	timer_delete(timer);
}

/* Each time, although another CPU may have to send the late signal. */
static void pending_each_time(void)
{
	timer_t timer = timer_of(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGRTMIN + 1, 7);
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	struct pollfd both[2] = {{.fd = fd, .events = POLLIN}, {.fd = 0}};
	int missed = 0, missed_fd = 0;
	sigset_t now;

	for (int i = 0; i < 200; i++) {
		const struct itimerspec soon = {.it_value = {0, MS / 10}};
		siginfo_t info;
		uint64_t count;

		set_in(timer, MS / 10, 0);
		timerfd_settime(fd, 0, &soon, NULL);
		poll(both, 1, 0);
		usleep(200);
		missed += sigpending(&now) || !sigismember(&now, SIGRTMIN + 1);
		missed_fd += syscall(SYS_read, fd, &count, sizeof(count)) != sizeof(count);
		wait_for(SIGRTMIN + 1, &info, 2000000000u);
	}
	SHOW(missed);
	SHOW(missed_fd);
	close(fd);
	timer_delete(timer);
}

/* Also just when it is about to come from Linux, which is asked for it in between. */
static void at_any_moment(void)
{
	timer_t timer = timer_of(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGRTMIN, 1);
	int missed = 0, doubled = 0;

	for (int i = 0; i < 4000 && missed < 3; i++) {
		siginfo_t info;
		sigset_t now;

		set_in(timer, 5000 + (uint64_t)(i % 400) * 100, 0);
		sigpending(&now);
		missed += wait_for(SIGRTMIN, &info, 5000000000u) != SIGRTMIN;
		doubled += wait_for(SIGRTMIN, &info, 0) == SIGRTMIN;
	}
	SHOW(missed);
	SHOW(doubled);
	timer_delete(timer);
}

static void *real_time(void *unused)
{
	(void)unused;
	SHOW(is_task_if_expected());
	pending_each_time();
	once_and_again(CLOCK_MONOTONIC, SIGEV_THREAD_ID);
	once_and_again(CLOCK_REALTIME, SIGEV_SIGNAL);
	overruns();
	overruns_beyond();
	what_is_left();
	at_any_moment();
	pending();
	return NULL;
}

static timer_t shared;

static void *wait_three_times(void *unused)
{
	siginfo_t info;
	int well = 1;

	(void)unused;
	for (int i = 0; i < 3; i++)
		well &= wait_for(SIGRTMIN, &info, 2000000000u) == SIGRTMIN;
	SHOW(well);
	return NULL;
}

static void *set_it(void *unused)
{
	(void)unused;
	SHOW(set_in(shared, 2 * MS, 2 * MS));
	return NULL;
}

/* The thread that set it is plain again, or has ended, when it expires. */
static void *leave_it(void *unused)
{
	struct sched_param parameter = {0};
	timer_t timer = timer_of(CLOCK_MONOTONIC, SIGEV_THREAD_ID, SIGRTMIN, 5);
	siginfo_t info;

	(void)unused;
	SHOW(set_in(timer, 5 * MS, 0));
	pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameter);
	SHOW(wait_for(SIGRTMIN, &info, 2000000000u) == SIGRTMIN && info.si_value.sival_int == 5);
	timer_delete(timer);
	return NULL;
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};

	sigaction(SIGRTMIN + 1, &action, NULL);
	block(SIG_BLOCK, SIGRTMIN);
	block(SIG_BLOCK, SIGRTMIN + 1);
	joined(fifo_thread(20, real_time, NULL));
	shared = timer_of(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGRTMIN, 3);
	SHOW(set_in(shared, 3 * MS, 3 * MS));
	joined(fifo_thread(20, wait_three_times, NULL));
	joined(fifo_thread(20, set_it, NULL));
	wait_three_times(NULL);
	timer_delete(shared);
	joined(fifo_thread(20, leave_it, NULL));
	return 0;
}
