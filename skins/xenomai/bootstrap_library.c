/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Linked into a library by --auto-init-solib: takes the options when the library is loaded. The
 * program's command line is not changed.
 */
#include <xenomai/init.h>

__attribute__((constructor)) static void take_options(int argc, char *const argv[])
{
	xenomai_init(&argc, &argv);
}
