/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interval timer of real time, which real-time threads and others set and wait for. */
#include "timers.h"

#include <sys/time.h>
#include <sys/wait.h>

static const struct itimerval none;

static struct itimerval in_us(long value, long interval)
{
	return (struct itimerval){
		{interval / 1000000, interval % 1000000},
		{value / 1000000, value % 1000000},
	};
}

static int set(long value, long interval)
{
	const struct itimerval times = in_us(value, interval);

	return setitimer(ITIMER_REAL, &times, NULL);
}

static long left_us(void)
{
	struct itimerval told;

	return getitimer(ITIMER_REAL, &told)
		       ? -1
		       : told.it_value.tv_sec * 1000000 + told.it_value.tv_usec;
}

static long interval_us(void)
{
	struct itimerval told;

	return getitimer(ITIMER_REAL, &told) ? -1 : told.it_interval.tv_usec;
}

static void comes_again(void)
{
	const uint64_t start = now_ns(CLOCK_MONOTONIC);
	siginfo_t info = {0};
	int well = 1;

	SHOW(set(3000, 2000));
	for (int i = 0; i < 5; i++)
		well &= wait_for(SIGALRM, &info, 2000000000u) == SIGALRM &&
			now_ns(CLOCK_MONOTONIC) >= start + 3 * MS + (uint64_t)i * 2 * MS;
	SHOW(well);
	SHOW(info.si_code);
	SHOW(info.si_signo == SIGALRM && !info.si_pid);
	SHOW(interval_us());
	SHOW(left_us() <= 2000);
	SHOW(setitimer(ITIMER_REAL, &none, NULL));
	SHOW(interval_us() || left_us());
	wait_for(SIGALRM, NULL, 1);
}

/* Its former setting, in each of the ways to read it. */
static void tells_what_it_had(void)
{
	struct itimerval minute = in_us(60000000, 5), former = none;
	const long had[] = {900000, 1400000, 1950000, 9999000, 20000400};

	SHOW(alarm(0));
	for (int i = 0; i < 5; i++) {
		set(had[i], 0);
		SHOW(alarm(0));
	}
	SHOW(alarm(100));
	SHOW(left_us() > 99000000 && left_us() <= 100000000);
	SHOW(setitimer(ITIMER_REAL, &minute, &former));
	SHOW(former.it_value.tv_sec == 99 && !former.it_interval.tv_usec);
	SHOW(ualarm(500000, 700) / 1000000);
	SHOW(left_us() <= 500000);
	SHOW(interval_us());
	SHOW(ualarm(2500000, 0) > 0);
	SHOW(left_us() <= 2500000);
	minute.it_value.tv_usec = 1000000;
	SHOW(setitimer(ITIMER_REAL, &minute, &former) ? errno : 0);
	minute.it_value.tv_usec = -1;
	SHOW(setitimer(ITIMER_REAL, &minute, &former) ? errno : 0);
	SHOW(syscall(SYS_alarm, 7));
	minute.it_value.tv_usec = 0;
	SHOW(syscall(SYS_setitimer, ITIMER_REAL, &minute, &former));
	SHOW(former.it_value.tv_sec);
	SHOW(syscall(SYS_getitimer, ITIMER_REAL, &former));
	SHOW(former.it_value.tv_sec);
	SHOW(setitimer(ITIMER_VIRTUAL, &minute, NULL) + setitimer(ITIMER_VIRTUAL, &none, NULL));
	SHOW(alarm(0));
}

/* Its signal stays pending, whatever becomes of the timer, and does not come again before. */
static void stays_pending(void)
{
	set(1000, 0);
	usleep(3000);
	SHOW(left_us());
	SHOW(alarm(0));
	SHOW(wait_for(SIGALRM, NULL, 0));
	SHOW(wait_for(SIGALRM, NULL, 0));
	set(1000, 1000);
	usleep(5500);
	SHOW(left_us());
	SHOW(interval_us());
	SHOW(setitimer(ITIMER_REAL, &none, NULL));
	SHOW(wait_for(SIGALRM, NULL, 1 * MS));
	SHOW(wait_for(SIGALRM, NULL, 1 * MS));
}

static volatile sig_atomic_t handled;

static void handle(int signal)
{
	handled += signal == SIGALRM;
}

/* It ends the sleeps of a thread that lets its signal in, although it was set while no thread
 * did. */
static void beside_sleeps(void)
{
	struct timespec left = {0, 0}, longer = {5, 0};

	set(1000, 0);
	SHOW(usleep(5000));
	SHOW(wait_for(SIGALRM, NULL, 0));
	SHOW(alarm(1));
	block(SIG_UNBLOCK, SIGALRM);
	SHOW(sleep(5) > 0);
	SHOW(handled);
	set(20000, 0);
	SHOW(nanosleep(&longer, &left) ? errno : 0);
	SHOW(handled * 10 + left.tv_sec);
	block(SIG_BLOCK, SIGALRM);
	set(1000, 0);
	usleep(3000);
	SHOW(handled);
	block(SIG_UNBLOCK, SIGALRM);
	SHOW(handled);
	block(SIG_BLOCK, SIGALRM);
}

static void *wait_outside(void *unused)
{
	(void)unused;
	return (void *)(intptr_t)wait_for(SIGALRM, NULL, 2000000000u);
}

static void *set_outside(void *unused)
{
	(void)unused;
	SHOW(set(5000, 0));
	return NULL;
}

/* The thread that waits for it is not the one that sets it. */
static void beside_others(void)
{
	pthread_t waiter;

	set(30000, 0);
	waiter = other_thread(wait_outside, NULL);
	SHOW((intptr_t)joined(waiter) == SIGALRM);
	joined(other_thread(set_outside, NULL));
	SHOW(wait_for(SIGALRM, NULL, 2000000000u));
	waiter = other_thread(wait_outside, NULL);
	usleep(5000);
	set(5000, 0);
	SHOW((intptr_t)joined(waiter) == SIGALRM);
}

/* A child has none, and the timer of its parent continues. */
static void over_fork(void)
{
	int status = 0;
	pid_t child;

	set(300000, 0);
	child = fork();
	if (!child)
		_exit(left_us() ? 1 : 42);
	SHOW(waitpid(child, &status, 0) == child && WEXITSTATUS(status));
	SHOW(WEXITSTATUS(status));
	SHOW(wait_for(SIGALRM, NULL, 2000000000u));
}

static void *of_a_task(void *self)
{
	SHOW(is_task_if_expected());
	comes_again();
	tells_what_it_had();
	stays_pending();
	beside_sleeps();
	beside_others();
	over_fork();
	/* It is kept, and so are the signals that have come. */
	set(1000, 0);
	usleep(3000);
	set(60000000, 0);
	execl(self, self, "again", NULL);
	return NULL;
}

static void *after_exec(void *unused)
{
	(void)unused;
	SHOW(left_us() > 0 && left_us() <= 60000000);
	SHOW(wait_for(SIGALRM, NULL, 0));
	SHOW(set(2000, 0));
	SHOW(wait_for(SIGALRM, NULL, 2000000000u));
	return NULL;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = handle};

	sigaction(SIGALRM, &action, NULL);
	block(SIG_BLOCK, SIGALRM);
	joined(fifo_thread(20, argc > 1 ? after_exec : of_a_task, argv[0]));
	return 0;
}
