/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tools have in common: the options of every program, complaints, and how they are ended. */
#include "tools/program.h"

#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xenomai/init.h>

#define CANNOT_START 2

static bool takes_options;

/* A bad option ends a program with 1, which of a tool means that it found something wrong. */
static void refused(int status, void *unused)
{
	(void)unused;
	if (takes_options && status == EXIT_FAILURE)
		_exit(CANNOT_START);
}

void program_take_options(int *argc, char ***argv)
{
	static char *const *words; /* the options point into them, to the end */

	words = *argv;
	for (int i = 1; i < *argc; i++)
		if (!strcmp(words[i], "--help"))
			return;
	(void)on_exit(refused, NULL);
	takes_options = true;
	xenomai_init(argc, &words);
	takes_options = false;
	*argv = (char **)words;
}

int program_refuse(const char *tool, int answer, char **argv, const char *letters)
{
	/* Among other letters: the word is not passed yet. */
	if (answer == '?' && optopt > 0 && optopt < 256 && !strchr(letters, optopt))
		fprintf(stderr, "%s: -%c: unknown option; see --help\n", tool, optopt);
	else
		fprintf(stderr, "%s: %s: %s; see --help\n", tool, argv[optind - 1],
			answer == ':' ? "a value is missing" : "unknown option");
	return -1;
}

void program_end_by(void (*end)(int signal))
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
	const struct sigaction action = {.sa_handler = end};

	for (unsigned int i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
}
