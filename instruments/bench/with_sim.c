/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The program linked with the library on the virtual-time back end. */
#include "with.h"

bool bench_with_sim(void)
{
	return true;
}

/* In virtual time there is no other process. */
int bench_remote_owner(const char *label)
{
	(void)label;
	return 1;
}
