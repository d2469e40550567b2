/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pipe throughput: 512 bytes into a pipe and out of it again, one process, no switch. */
#include "count.h"

static volatile unsigned long turns;

static void end(int signal)
{
	(void)signal;
	count_end(turns);
}

int main(int argc, char **argv)
{
	const double seconds = count_seconds(argv[0], argc > 1 ? argv[1] : NULL);
	char block[512] = {0};
	int fds[2];

	if (pipe(fds) < 0) {
		perror("pipe");
		return 1;
	}
	count_until(seconds, end);
	for (;;) {
		if (write(fds[1], block, sizeof(block)) != sizeof(block) ||
		    read(fds[0], block, sizeof(block)) != sizeof(block)) {
			perror("pipe");
			return 1;
		}
		turns++;
	}
}
