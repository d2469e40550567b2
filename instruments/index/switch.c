/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pipe-based context switching: two processes exchange a growing number through two pipes, and each
 * checks it. A turn is both ways. */
#include <errno.h>

#include "count.h"

static volatile unsigned long turns;

static void end(int signal)
{
	(void)signal;
	count_end(turns);
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* The end of the stream means that the other process has ended, so this one ends, too. */
static void expect(int fd, unsigned long number)
{
	unsigned long got;
	const ssize_t bytes = read(fd, &got, sizeof(got));

	if (bytes == 0)
		exit(0);
	if (bytes != sizeof(got))
		fail("read");
	if (got != number) {
		fprintf(stderr, "expected turn %lu, not %lu\n", number, got);
		exit(1);
	}
}

static void send(int fd, unsigned long number)
{
	if (write(fd, &number, sizeof(number)) == sizeof(number))
		return;
	if (errno == EPIPE)
		exit(0);
	fail("write");
}

static void echo(int from, int to)
{
	for (unsigned long turn = 0;; turn++) {
		expect(from, turn);
		send(to, turn);
	}
}

int main(int argc, char **argv)
{
	const double seconds = count_seconds(argv[0], argc > 1 ? argv[1] : NULL);
	int there[2], back[2];
	pid_t child;

	(void)signal(SIGPIPE, SIG_IGN);
	if (pipe(there) < 0 || pipe(back) < 0)
		fail("pipe");
	child = fork();
	if (child < 0)
		fail("fork");
	if (child == 0) {
		(void)close(there[1]);
		(void)close(back[0]);
		echo(there[0], back[1]);
	}
	(void)close(there[0]);
	(void)close(back[1]);
	count_until(seconds, end);
	for (;;) {
		send(there[1], turns);
		expect(back[0], turns);
		turns++;
	}
}
