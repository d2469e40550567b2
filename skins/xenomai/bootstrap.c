/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What --auto-init links with -Wl,--wrap=main: the options are taken before the program's main().
 */
#include <xenomai/init.h>

int __real_main(int argc, char *const argv[], char *const envp[]);
int __wrap_main(int argc, char *const argv[], char *const envp[]);

int __wrap_main(int argc, char *const argv[], char *const envp[])
{
	xenomai_init(&argc, &argv);
	return __real_main(argc, argv, envp);
}
