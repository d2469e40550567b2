/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program of the group `skins`, which has no rows of two processes. */
#include "with.h"

int bench_remote_owner(const char *label)
{
	(void)label;
	return 1;
}
