/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the programs of the index share: they count until an alarm comes, print one line, and end.
 * Each is a separate small program, because some of them measure the kernel's costs of a program of
 * this size.
 */
#ifndef INDEX_COUNT_H
#define INDEX_COUNT_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

/* The line that tactus-index reads: the count, the seconds of its unit (0: the count is already a
 * rate), and the seconds that it took (0: as long as the program ran). */
static inline void count_report(double count, double unit_s, double took_s)
{
	printf("count %.6f %.6f %.6f\n", count, unit_s, took_s);
	(void)fflush(stdout);
}

static inline double count_seconds(const char *program, const char *text)
{
	char *end;
	const double seconds = text != NULL ? strtod(text, &end) : 0;

	if (text != NULL && end != text && *end == '\0' && seconds >= 0.01 && seconds <= 86400)
		return seconds;
	fprintf(stderr, "%s: the first argument must be a number of seconds, 0.01 to 86400\n",
		program);
	exit(2);
}

static inline void count_until(double seconds, void (*end)(int signal))
{
	const struct itimerval timer = {
		.it_value = {.tv_sec = (time_t)seconds,
			     .tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)}};

	(void)signal(SIGALRM, end);
	(void)setitimer(ITIMER_REAL, &timer, NULL);
}

/*
 * At the end of the time: if nothing is counted yet, as on a busy machine in a short time, request
 * another alarm in 0.1 s and return true. With a shorter time, fork() might never succeed between
 * two signals.
 */
static inline bool count_awaits_first(unsigned long count)
{
	const struct itimerval soon = {.it_value = {.tv_usec = 100000}};

	if (count == 0)
		(void)setitimer(ITIMER_REAL, &soon, NULL);
	return count == 0;
}

/* The end of the time, for a program that counts one by one. */
static inline void count_end(unsigned long count)
{
	if (count_awaits_first(count))
		return;
	count_report((double)count, 1, 0);
	exit(0);
}

static inline double count_now(void)
{
	struct timeval now;

	(void)gettimeofday(&now, NULL);
	return (double)now.tv_sec + (double)now.tv_usec * 1e-6;
}

#endif
