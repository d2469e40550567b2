/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A Linux call as in any program. */
#include "scenery.h"

#include <time.h>

void scenery_sleep_in_linux(void)
{
	const struct timespec long_time = {.tv_sec = 1000};

	nanosleep(&long_time, NULL);
	/* Not a tail call: the frame is looked for. */
	__asm__ volatile("");
}
