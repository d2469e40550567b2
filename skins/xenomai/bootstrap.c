/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Linked by --auto-init, with -Wl,--wrap=main: takes the options before the program's main(). */
#include <xenomai/init.h>

int __real_main(int argc, char *const argv[], char *const envp[]);
int __wrap_main(int argc, char *const argv[], char *const envp[]);

int __wrap_main(int argc, char *const argv[], char *const envp[])
{
	xenomai_init(&argc, &argv);
	return __real_main(argc, argv, envp);
}
