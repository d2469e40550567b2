/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Process creation: fork, end at once, wait. */
#include <sys/wait.h>

#include "count.h"

static volatile unsigned long children;

static void end(int signal)
{
	(void)signal;
	count_end(children);
}

int main(int argc, char **argv)
{
	count_until(count_seconds(argv[0], argc > 1 ? argv[1] : NULL), end);
	for (;;) {
		const pid_t child = fork();
		int status = 0;

		/* By exit(), with all the work of a program at its end. */
		if (child == 0)
			exit(0);
		if (child < 0) {
			perror("fork");
			return 1;
		}
		(void)wait(&status);
		if (status != 0) {
			fprintf(stderr, "a child ended with status %#x\n", (unsigned int)status);
			return 1;
		}
		children++;
	}
}
