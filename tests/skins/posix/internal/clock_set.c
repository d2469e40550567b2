/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A timer of CLOCK_REALTIME when that clock is set: one that was set to a time from then on does
 * not follow, one that was set to an instant does. Clocks of this program's own stand in for the
 * machine's, which no test may set. TAP.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "posix/libc/real.h"
#include "posix/timer/grid.h"

#define S    1000000000u
#define HOUR (3600ull * S)
#define NOW  (400000ull * HOUR) /* what the wall clock shows at first */

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

static void begin(struct posix_grid *grid)
{
	steady_ns = HOUR;
	ahead_ns = NOW;
	posix_grid_begin(grid, CLOCK_REALTIME);
}

static uint64_t accepted(struct posix_grid *grid)
{
	struct posix_grid_accepted accepted;

	return posix_grid_accept(grid, &accepted) ? accepted.count : 0;
}

static void from_then_on(void)
{
	const struct itimerspec every = times(5ull * S, S);
	struct itimerspec told;
	struct posix_grid grid;

	begin(&grid);
	posix_grid_come(&grid, false, &every);
	ahead_ns -= HOUR;
	steady_ns += S;
	posix_grid_tell(&grid, &told);
	expect("what is left is, an hour back", ns_of(&told.it_value), 4ull * S);
	expect("nothing is due", accepted(&grid), 0);
	ahead_ns += 2 * HOUR;
	expect("nor an hour ahead", accepted(&grid), 0);
	steady_ns += 4ull * S;
	ahead_ns -= 2 * HOUR;
	expect("it is when its time has come", posix_grid_is_due(&grid), 1);
	steady_ns += 2ull * S;
	expect("and each interval after it", accepted(&grid), 3);
	posix_grid_tell(&grid, &told);
	expect("the next is left", ns_of(&told.it_value), S);
}

static void until_an_instant(void)
{
	const struct itimerspec at = times(NOW + 2 * HOUR, 0);
	struct posix_grid grid;

	begin(&grid);
	posix_grid_come(&grid, true, &at);
	steady_ns += HOUR - 1;
	expect("an instant has not come", accepted(&grid), 0);
	ahead_ns += 1;
	expect("it has when the clock is set to it", accepted(&grid), 1);
}

/* What Linux says of a timer that has so much left. */
static int ask(const void *left_ns, struct itimerspec *left)
{
	*left = times(*(const uint64_t *)left_ns, S);
	return 0;
}

static void to_linux_and_back(void)
{
	const struct itimerspec every = times(5ull * S, S);
	const uint64_t left_ns = 3ull * S;
	struct posix_grid_found found;
	struct posix_grid_given given;
	struct posix_grid grid;

	begin(&grid);
	posix_grid_come(&grid, false, &every);
	ahead_ns -= HOUR;
	steady_ns += 2ull * S;
	expect("it is given back", posix_grid_give_back(&grid, &given), 1);
	expect("by what is left", given.flags, 0);
	expect("of its time", ns_of(&given.times.it_value), 3ull * S);
	expect("it is not due", given.is_due, 0);
	expect("it is found", posix_grid_find(&grid, ask, &left_ns, &found), 1);
	posix_grid_put(&grid, &found);
	ahead_ns -= HOUR;
	steady_ns += 3ull * S;
	expect("here it goes on", accepted(&grid), 1);
	steady_ns += 3ull * S;
	expect("due, it is given back", posix_grid_give_back(&grid, &given) && given.is_due, 1);
	expect("by an instant", given.flags, TIMER_ABSTIME);
	expect("so that all are counted", ns_of(&given.times.it_value),
	       steady_ns + ahead_ns - 2ull * S);
}

static void as_linux_was_told(void)
{
	const struct itimerspec in = times(5ull * S, S), at = times(NOW + HOUR + 5ull * S, S);
	const uint64_t left_ns = 3ull * S;
	struct posix_grid_found found;
	struct posix_grid grid;

	begin(&grid);
	posix_grid_note(&grid, false, &in);
	posix_grid_find(&grid, ask, &left_ns, &found);
	expect("a time from then on is steady", (uint64_t)found.clock, CLOCK_MONOTONIC);
	posix_grid_note(&grid, true, &at);
	posix_grid_find(&grid, ask, &left_ns, &found);
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
