/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command line of Xenomai programs, told to the POSIX skin in its own words. */
#include <stdio.h>
#include <stdlib.h>

#include "skin_options.h"

const char skin_version[] = "POSIX skin of Tactus " COBALT_VERSION;

void skin_options_taken(void)
{
	char list[TACT_CPU_MAX * 5 + 1] = "";
	int length = 0;

	for (uint32_t i = 0; i < skin_options.cpus; i++)
		length += snprintf(list + length, sizeof(list) - (size_t)length, "%s%u",
				   i ? "," : "", skin_options.cpu[i]);
	if (skin_options.session)
		(void)setenv("TACTUS_SESSION", skin_options.session, 1);
	if (length)
		(void)setenv("TACTUS_RUN_CPUS", list, 1);
}
