/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What --auto-init-solib links into a library: the options are taken when it is loaded. The
 * program's command line stays as it is.
 */
#include <xenomai/init.h>

__attribute__((constructor)) static void take_options(int argc, char *const argv[])
{
	xenomai_init(&argc, &argv);
}
