/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sleeps and clocks. */
#define _GNU_SOURCE
#include <threads.h>

#include "errors.h"

static const struct timespec far = {.tv_sec = FAR_S}, wrong = {.tv_nsec = 1000000000};

static void cases(void)
{
	const struct timespec then = errors_far(CLOCK_MONOTONIC);
	struct timespec now;
	struct rusage usage;

	RETURNS(EINVAL, clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, NULL));
	RETURNS(EINVAL, clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wrong, NULL));
	RETURNS(EINVAL, clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &far, NULL));
	RETURNS(EINVAL, clock_nanosleep(77, 0, &far, NULL));
	RETURNS(ENOTSUP, clock_nanosleep(CLOCK_MONOTONIC_RAW, 0, &far, NULL));
	RETURNS(EFAULT, clock_nanosleep(CLOCK_MONOTONIC, 0, nowhere(), NULL));
	INTERRUPTED(RETURNS(EINTR, clock_nanosleep(CLOCK_MONOTONIC, 0, &far, NULL)));
	INTERRUPTED(RETURNS(EINTR, clock_nanosleep(CLOCK_BOOTTIME, 0, &far, NULL)));
	INTERRUPTED(RETURNS(EINTR, clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, NULL)));
	FAILS(EINVAL, nanosleep(&wrong, NULL));
	FAILS(EFAULT, nanosleep(nowhere(), NULL));
	INTERRUPTED(FAILS(EINTR, nanosleep(&far, NULL)));
	INTERRUPTED(FAILS(EINTR, usleep(FAR_S * 1000000u)));
	RETURNS(-2, thrd_sleep(&wrong, NULL));
	INTERRUPTED(RETURNS(-1, thrd_sleep(&far, NULL)));
	FAILS(EINVAL, clock_gettime(77, &now));
	FAILS(EFAULT, clock_gettime(CLOCK_THREAD_CPUTIME_ID, nowhere()));
	FAILS(EINVAL, getrusage((__rusage_who_t)77, &usage));
	FAILS(EFAULT, getrusage(RUSAGE_THREAD, nowhere()));
}

int main(void)
{
	return from_every_thread(cases);
}
