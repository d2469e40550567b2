/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options of every program, taken by a tool. */
#include "tools/program.h"

#include <string.h>

#include <xenomai/init.h>

void program_take_options(int *argc, char ***argv)
{
	static char *const *words; /* the options point into them, to the end */

	words = *argv;
	for (int i = 1; i < *argc; i++)
		if (!strcmp(words[i], "--help"))
			return;
	xenomai_init(argc, &words);
	*argv = (char **)words;
}
