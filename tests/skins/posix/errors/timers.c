/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timers of processes. */
#define _GNU_SOURCE
#include <sys/time.h>

#include "errors.h"

static void on_time(union sigval value)
{
	(void)value;
}

static void create(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	struct sigevent by_thread = {.sigev_notify = SIGEV_THREAD,
				     .sigev_notify_function = on_time};
	struct sigevent no_event = {.sigev_notify = 77};
	struct sigevent no_signal = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = 99};
	timer_t timer;

	FAILS(EINVAL, timer_create(77, &event, &timer));
	FAILS(EINVAL, timer_create(CLOCK_MONOTONIC, &no_event, &timer));
	FAILS(EINVAL, timer_create(CLOCK_MONOTONIC, &no_signal, &timer));
	FAILS(ENOTSUP, timer_create(CLOCK_MONOTONIC_RAW, &event, &timer));
	WITHOUT(RLIMIT_SIGPENDING, FAILS(EAGAIN, timer_create(CLOCK_MONOTONIC, &event, &timer)));
	/* The first one makes the thread that calls the functions of all timers. */
	NEED(!timer_create(CLOCK_MONOTONIC, &by_thread, &timer));
	NEED(!timer_delete(timer));
	WITHOUT_MEMORY(FAILS(ENOMEM, timer_create(CLOCK_MONOTONIC, &by_thread, &timer)));
}

static void use(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_NONE};
	struct itimerspec wrong = {.it_value = {.tv_nsec = -1}}, far = {.it_value = {FAR_S, 0}};
	struct itimerspec wrong_interval = {{.tv_nsec = 1000000000}, {.tv_sec = 1}};
	timer_t timer;

	NEED(!timer_create(CLOCK_MONOTONIC, &event, &timer));
	FAILS(EINVAL, timer_settime(timer, 0, &wrong, NULL));
	FAILS(EINVAL, timer_settime(timer, 0, &wrong_interval, NULL));
	FAILS(EFAULT, timer_settime(timer, 0, nowhere(), NULL));
	NEED(!timer_settime(timer, 0, &far, NULL));
	FAILS(EFAULT, timer_settime(timer, 0, &far, nowhere()));
	FAILS(EINVAL, timer_settime(timer, 0, &wrong, NULL));
	FAILS(EFAULT, timer_gettime(timer, nowhere()));
	NEED(!timer_delete(timer));
	FAILS(EINVAL, timer_settime(timer, 0, &far, NULL));
	FAILS(EINVAL, timer_gettime(timer, &far));
	FAILS(EINVAL, timer_getoverrun(timer));
	FAILS(EINVAL, timer_delete(timer));
}

static void intervals(void)
{
	struct itimerval wrong = {.it_value = {.tv_usec = 1000000}}, now, none = {.it_value = {0}};
	struct itimerval wrong_interval = {{.tv_usec = -1}, {.tv_sec = 1}};

	FAILS(EINVAL, setitimer(ITIMER_REAL, &wrong, NULL));
	FAILS(EINVAL, setitimer(ITIMER_REAL, &wrong_interval, NULL));
	FAILS(EINVAL, setitimer((__itimer_which_t)77, &none, NULL));
	FAILS(EFAULT, setitimer(ITIMER_REAL, nowhere(), NULL));
	FAILS(EFAULT, setitimer(ITIMER_REAL, &none, nowhere()));
	FAILS(EINVAL, getitimer((__itimer_which_t)77, &now));
	FAILS(EFAULT, getitimer(ITIMER_REAL, nowhere()));
}

static void cases(void)
{
	create();
	use();
	intervals();
}

int main(void)
{
	return from_every_thread(cases);
}
