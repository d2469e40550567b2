/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Execl throughput: the program replaces itself by itself, with its counter in the arguments, until
 * the time is over. Its size is part of the measurement: a small program of the usual form, linked
 * only with the C library, and 8 KiB of zeroes. usage: PATH SECONDS, by its full path
 */
#include <string.h>
#include <time.h>

#include "count.h"

/* Not static: it would be dropped. */
extern char index_execl_zeroes[8 * 1024];
char index_execl_zeroes[8 * 1024];

static unsigned long long now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (unsigned long long)now.tv_sec * 1000000000u + (unsigned long long)now.tv_nsec;
}

/* Arguments of a successor: "0", seconds, counter, start. */
int main(int argc, char **argv)
{
	unsigned long long start_ns = now_ns();
	char count_text[24], start_text[24];
	unsigned long count = 0;
	const char *seconds_text = argc > 1 ? argv[1] : NULL;

	if (argc == 5 && strcmp(argv[1], "0") == 0) {
		seconds_text = argv[2];
		count = strtoul(argv[3], NULL, 10);
		start_ns = strtoull(argv[4], NULL, 10);
	}
	count++;
	if ((double)(now_ns() - start_ns) >= count_seconds(argv[0], seconds_text) * 1e9) {
		count_report((double)count, 1, 0);
		return 0;
	}
	(void)snprintf(count_text, sizeof(count_text), "%lu", count);
	(void)snprintf(start_text, sizeof(start_text), "%llu", start_ns);
	(void)execl(argv[0], argv[0], "0", seconds_text, count_text, start_text, (char *)NULL);
	fprintf(stderr, "the %luth exec failed: ", count);
	perror(argv[0]);
	return 1;
}
