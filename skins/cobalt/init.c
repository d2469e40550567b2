/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the command line of a Xenomai program means to the POSIX skin: options.c tells it all of
 * that in its own words, by the environment. */
#include "skin_options.h"

const char skin_version[] = "POSIX skin of Tactus " COBALT_VERSION;

void skin_options_taken(void)
{
}
