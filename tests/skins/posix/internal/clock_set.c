/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A timer of CLOCK_REALTIME when that clock is set: a timer with a relative time does not follow, a
 * timer with an absolute instant does. Clocks of this program replace those of the machine, which
 * no test may set. TAP.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "posix/libc/real.h"
#include "posix/timer/interval_timer.h"

#define S    1000000000u
#define HOUR (3600ull * S)
#define NOW  (400000ull * HOUR) /* the first time of the wall clock */

struct posix_real posix_real = {.syscall = syscall};

static uint64_t steady_ns, ahead_ns;
static unsigned count, failed;

int clock_gettime(clockid_t clock, struct timespec *now)
{
	const uint64_t ns = steady_ns + (clock == CLOCK_REALTIME ? ahead_ns : 0);

	*now = (struct timespec){(time_t)(ns / S), (long)(ns % S)};
	return 0;
}

static void expect(const char *what, uint64_t actual, uint64_t expected)
{
	const int well = actual == expected;

	printf("%s %u - %s\n", well ? "ok" : "not ok", ++count, what);
	if (!well)
		printf("# %" PRIu64 ", expected %" PRIu64 "\n", actual, expected);
	failed += !well;
}

static struct itimerspec times(uint64_t value_ns, uint64_t interval_ns)
{
	return (struct itimerspec){
		.it_value = {(time_t)(value_ns / S), (long)(value_ns % S)},
		.it_interval = {(time_t)(interval_ns / S), (long)(interval_ns % S)},
	};
}

static uint64_t ns_of(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * S + (uint64_t)time->tv_nsec;
}

static void begin(struct posix_interval_timer *interval_timer)
{
	steady_ns = HOUR;
	ahead_ns = NOW;
	posix_interval_timer_init(interval_timer, CLOCK_REALTIME);
}

static uint64_t accepted(struct posix_interval_timer *interval_timer)
{
	struct posix_interval_timer_accepted accepted;

	return posix_interval_timer_accept(interval_timer, &accepted) ? accepted.count : 0;
}

static void from_then_on(void)
{
	const struct itimerspec every = times(5ull * S, S);
	struct itimerspec told;
	struct posix_interval_timer interval_timer;

	begin(&interval_timer);
	posix_interval_timer_import(&interval_timer, false, &every);
	ahead_ns -= HOUR;
	steady_ns += S;
	posix_interval_timer_report(&interval_timer, &told);
	expect("what is left is, an hour back", ns_of(&told.it_value), 4ull * S);
	expect("nothing is due", accepted(&interval_timer), 0);
	ahead_ns += 2 * HOUR;
	expect("nor an hour ahead", accepted(&interval_timer), 0);
	steady_ns += 4ull * S;
	ahead_ns -= 2 * HOUR;
	expect("it is when its time has come", posix_interval_timer_is_due(&interval_timer), 1);
	steady_ns += 2ull * S;
	expect("and each interval after it", accepted(&interval_timer), 3);
	posix_interval_timer_report(&interval_timer, &told);
	expect("the next is left", ns_of(&told.it_value), S);
}

static void until_an_instant(void)
{
	const struct itimerspec at = times(NOW + 2 * HOUR, 0);
	struct posix_interval_timer interval_timer;

	begin(&interval_timer);
	posix_interval_timer_import(&interval_timer, true, &at);
	steady_ns += HOUR - 1;
	expect("an instant has not come", accepted(&interval_timer), 0);
	ahead_ns += 1;
	expect("it has when the clock is set to it", accepted(&interval_timer), 1);
}

/* What Linux reports of a timer that has so much left. */
static int ask(const void *left_ns, struct itimerspec *left)
{
	*left = times(*(const uint64_t *)left_ns, S);
	return 0;
}

static void to_linux_and_back(void)
{
	const struct itimerspec every = times(5ull * S, S);
	const uint64_t left_ns = 3ull * S;
	struct posix_interval_timer_found found;
	struct posix_interval_timer_exported given;
	struct posix_interval_timer interval_timer;

	begin(&interval_timer);
	posix_interval_timer_import(&interval_timer, false, &every);
	ahead_ns -= HOUR;
	steady_ns += 2ull * S;
	expect("it is given back", posix_interval_timer_export(&interval_timer, &given), 1);
	expect("by what is left", given.flags, 0);
	expect("of its time", ns_of(&given.times.it_value), 3ull * S);
	expect("it is not due", given.is_due, 0);
	expect("it is found", posix_interval_timer_find(&interval_timer, ask, &left_ns, &found), 1);
	posix_interval_timer_put(&interval_timer, &found);
	ahead_ns -= HOUR;
	steady_ns += 3ull * S;
	expect("here it goes on", accepted(&interval_timer), 1);
	steady_ns += 3ull * S;
	expect("due, it is given back",
	       posix_interval_timer_export(&interval_timer, &given) && given.is_due, 1);
	expect("by an instant", given.flags, TIMER_ABSTIME);
	expect("so that all are counted", ns_of(&given.times.it_value),
	       steady_ns + ahead_ns - 2ull * S);
}

static void as_linux_was_told(void)
{
	const struct itimerspec in = times(5ull * S, S), at = times(NOW + HOUR + 5ull * S, S);
	const uint64_t left_ns = 3ull * S;
	struct posix_interval_timer_found found;
	struct posix_interval_timer interval_timer;

	begin(&interval_timer);
	posix_interval_timer_note(&interval_timer, false, &in);
	posix_interval_timer_find(&interval_timer, ask, &left_ns, &found);
	expect("a time from then on is steady", (uint64_t)found.clock, CLOCK_MONOTONIC);
	posix_interval_timer_note(&interval_timer, true, &at);
	posix_interval_timer_find(&interval_timer, ask, &left_ns, &found);
	expect("an instant is not", (uint64_t)found.clock, CLOCK_REALTIME);
}

int main(void)
{
	from_then_on();
	until_an_instant();
	to_linux_and_back();
	as_linux_was_told();
	printf("1..%u\n", count);
	return failed != 0;
}
