/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* System call overhead: a round of five calls that do next to nothing. */
#include <sys/stat.h>

#include "count.h"

static unsigned long rounds;

static void end(int signal)
{
	(void)signal;
	count_end(rounds);
}

int main(int argc, char **argv)
{
	count_until(count_seconds(argv[0], argc > 1 ? argv[1] : NULL), end);
	for (;;) {
		(void)close(dup(0));
		(void)getppid();
		(void)getuid();
		(void)umask(022);
		__atomic_store_n(&rounds, rounds + 1, __ATOMIC_RELAXED);
	}
}
