/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The start of programs without main(): the root task, and the wait for the last one. */
#include <usrStart.h>

#include <errnoLib.h>
#include <iosLib.h>
#include <pipeDrv.h>
#include <stdio.h>
#include <stdlib.h>
#include <symLib.h>

#include "vxworks_internal.h"

#define ROOT_PRIORITY 0
#define ROOT_STACK    20000
/* What usrRoot() gets: as on a small board. */
#define ROOT_POOL_BYTES (16 << 20)

static _Vx_usr_arg_t value_of(char *word)
{
	char *end;
	const long number = strtol(word, &end, 0);

	return *word && !*end ? number : (_Vx_usr_arg_t)(intptr_t)word;
}

static FUNCPTR named(const char *program, const char *name)
{
	char *found = NULL;

	if (symFindByName(sysSymTbl, (char *)(uintptr_t)name, &found, NULL) == ERROR)
		fprintf(stderr, "%s: there is no function %s(); is it linked with -rdynamic?\n",
			program, name);
	return (FUNCPTR)(uintptr_t)found;
}

static int spawn_root(FUNCPTR function, const _Vx_usr_arg_t args[VXWORKS_ARGS])
{
	return taskSpawn("tUsrRoot", ROOT_PRIORITY, VX_FP_TASK, ROOT_STACK, function, args[0],
			 args[1], args[2], args[3], args[4], args[5], args[6], args[7], args[8],
			 args[9]);
}

static _Atomic int module_result;

static int run_init_module(int (*init_module)(void))
{
	module_result = init_module();
	return module_result;
}

static STATUS add_devices(void)
{
	return iosInit(0, 0, (char *)(uintptr_t) "/null") == ERROR || pipeDrv() == ERROR ? ERROR
											 : OK;
}

/* Start the function that argv names, or the root function. ERROR: it was said why. */
static int start(int argc, char *argv[], const struct usrRoots *roots)
{
	_Vx_usr_arg_t args[VXWORKS_ARGS] = {0};
	FUNCPTR function = NULL;
	int tid;

	if (argc > 1) {
		function = named(argv[0], argv[1]);
		for (int at = 2; at < argc && at - 2 < VXWORKS_ARGS; at++)
			args[at - 2] = value_of(argv[at]);
	} else if (roots->usrRoot) {
		function = (FUNCPTR)(uintptr_t)roots->usrRoot;
		args[0] = (_Vx_usr_arg_t)(uintptr_t)malloc(ROOT_POOL_BYTES);
		args[1] = args[0] ? ROOT_POOL_BYTES : 0;
	} else if (roots->usrAppInit) {
		function = (FUNCPTR)(uintptr_t)roots->usrAppInit;
	} else if (roots->init_module) {
		function = (FUNCPTR)(uintptr_t)run_init_module;
		args[0] = (_Vx_usr_arg_t)(uintptr_t)roots->init_module;
	} else {
		fprintf(stderr,
			"%s: there is no usrAppInit(), usrRoot() or init_module(): name a "
			"function\n",
			argv[0]);
	}
	if (!function)
		return ERROR;
	if ((argc > 1 || !roots->usrRoot) && add_devices() == ERROR) {
		printErrno(0);
		return ERROR;
	}
	tid = spawn_root(function, args);
	if (tid == ERROR)
		printErrno(0);
	return tid;
}

static int clean_up(void (*cleanup_module)(void))
{
	const _Vx_usr_arg_t none[VXWORKS_ARGS] = {0};

	return spawn_root((FUNCPTR)(uintptr_t)cleanup_module, none) == ERROR ||
	       runtime_stay(vxworks_goes_on);
}

int usrStart(int argc, char *argv[], const struct usrRoots *roots)
{
	module_result = 0;
	if (start(argc, argv, roots) == ERROR || runtime_stay(vxworks_goes_on))
		return 1;
	if (module_result) {
		fprintf(stderr, "%s: init_module() returned %d\n", argv[0], module_result);
		return 1;
	}
	if (argc < 2 && !roots->usrRoot && !roots->usrAppInit && roots->cleanup_module)
		return clean_up(roots->cleanup_module) ? 1 : 0;
	return 0;
}
