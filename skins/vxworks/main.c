/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The main() of programs that have a root function instead, or that are a library of functions for
 * the shell of VxWorks:
 *   program                     runs usrRoot(), usrAppInit() or init_module() in the task tUsrRoot,
 *                               of priority 0
 *   program FUNCTION [ARG]...   runs this function instead; an argument is a number or a text. The
 *                               program is linked with -rdynamic, so that its functions are found.
 * The program ends when no task is left, no watchdog counts, and no clock calls a function.
 */
#include <usrStart.h>

void usrRoot(char *pMemPoolStart, unsigned int memPoolSize) __attribute__((weak));
void usrAppInit(void) __attribute__((weak));
/* The C library has a function of this name, which is not meant. */
int init_module(void) __attribute__((weak, visibility("hidden")));
void cleanup_module(void) __attribute__((weak));

int main(int argc, char *argv[])
{
	const struct usrRoots roots = {usrRoot, usrAppInit, init_module, cleanup_module};

	return usrStart(argc, argv, &roots);
}
