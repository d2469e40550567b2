/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The start of programs without main(): the root task, and the wait for the last one. */
#include <usrStart.h>

#include <errnoLib.h>
#include <stdio.h>
#include <stdlib.h>
#include <symLib.h>

#include "vxworks_internal.h"

#define ROOT_PRIORITY 0
#define ROOT_STACK    20000

static _Vx_usr_arg_t value_of(char *word)
{
	char *end;
	const long number = strtol(word, &end, 0);

	return *word && !*end ? number : (_Vx_usr_arg_t)(intptr_t)word;
}

static FUNCPTR function_of(int argc, char *argv[], void (*usrAppInit)(void))
{
	char *found = NULL;

	if (argc < 2) {
		if (!usrAppInit)
			fprintf(stderr, "%s: there is no usrAppInit(): name a function\n", argv[0]);
		return (FUNCPTR)(uintptr_t)usrAppInit;
	}
	if (symFindByName(sysSymTbl, argv[1], &found, NULL) == ERROR)
		fprintf(stderr, "%s: there is no function %s(); is it linked with -rdynamic?\n",
			argv[0], argv[1]);
	return (FUNCPTR)(uintptr_t)found;
}

int usrStart(int argc, char *argv[], void (*usrAppInit)(void))
{
	_Vx_usr_arg_t args[VXWORKS_ARGS] = {0};
	const FUNCPTR function = function_of(argc, argv, usrAppInit);
	int tid;

	if (!function)
		return 1;
	for (int at = 2; at < argc && at - 2 < VXWORKS_ARGS; at++)
		args[at - 2] = value_of(argv[at]);
	tid = taskSpawn("tUsrRoot", ROOT_PRIORITY, VX_FP_TASK, ROOT_STACK, function, args[0],
			args[1], args[2], args[3], args[4], args[5], args[6], args[7], args[8],
			args[9]);
	if (tid == ERROR) {
		printErrno(0);
		return 1;
	}
	return runtime_stay(vxworks_goes_on) ? 1 : 0;
}
