/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs a command repeatedly: how often per minute? usage: SECONDS COMMAND [ARGUMENT…] */
#include <errno.h>
#include <sys/wait.h>

#include "count.h"

#define STATUS_NO_COMMAND 99

static volatile unsigned long runs;
static double start;

static volatile sig_atomic_t over;

/* The run that is under way is not counted, unless it is the first one. It is allowed to end,
 * because it has files to remove. */
static void end(int signal)
{
	(void)signal;
	over = 1;
	if (runs == 0)
		return;
	count_report((double)runs, 60, count_now() - start);
	(void)wait(NULL);
	exit(0);
}

int main(int argc, char **argv)
{
	const double seconds = count_seconds(argv[0], argc > 2 ? argv[1] : NULL);

	start = count_now();
	count_until(seconds, end);
	for (;;) {
		const pid_t child = fork();
		int status = 0;

		if (child == 0) {
			(void)execvp(argv[2], argv + 2);
			_exit(STATUS_NO_COMMAND);
		}
		if (child < 0) {
			perror("fork");
			return 1;
		}
		while (wait(&status) < 0 && errno == EINTR)
			;
		if (status != 0) {
			fprintf(stderr, "%s ended with status %#x%s\n", argv[2],
				(unsigned int)status,
				WIFEXITED(status) && WEXITSTATUS(status) == STATUS_NO_COMMAND
					? ": it cannot be started"
					: "");
			return 1;
		}
		runs++;
		if (over)
			end(SIGALRM);
	}
}
