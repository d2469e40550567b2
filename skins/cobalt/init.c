/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command line of a Xenomai program, for the POSIX skin: options.c passes it all of that by
 * environment variables of the POSIX skin. */
#include "skin_options.h"

const char skin_version[] = "POSIX skin of Tactus " COBALT_VERSION;

void skin_options_taken(void)
{
}
