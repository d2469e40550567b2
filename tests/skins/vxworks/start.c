/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs without main(): their root function, and when they end. */
#include "vx.h"

#include <pipeDrv.h>
#include <usrStart.h>
#include <wdLib.h>

static int barks(void)
{
	mark("barks");
	return 0;
}

static int later(void)
{
	expect_eq(taskDelay(5), OK);
	mark("later");
	expect_eq(wdStart(wdCreate(), 5, barks, 0), OK);
	return 0;
}

static int never(void)
{
	mark("never");
	return 1;
}

static void root(void)
{
	int priority;

	expect_str(taskName(0), "tUsrRoot");
	expect_eq(taskPriorityGet(0, &priority), OK);
	expect_eq(priority, 0);
	mark("root");
	(void)vx_spawn("tLater", 100, later, 0);
}

TEST_UNSTARTED(program_ends_with_its_last_task_and_watchdog)
{
	char *argv[] = {(char *)"program", NULL};

	const struct usrRoots roots = {.usrAppInit = root, .init_module = never};

	expect_eq(WORKS(usrStart, usrStart(1, argv, &roots)), 0);
	expect_marks("root later barks");
}

static int first(void)
{
	int fd = open("/null", O_WRONLY);

	expect_eq(write(fd, "x", 1), 1);
	expect_eq(close(fd), OK);
	expect_eq(pipeDevCreate("/pipe/start", 1, 1), OK);
	mark("devices");
	return 0;
}

static void app(void)
{
	(void)first();
}

TEST_UNSTARTED(devices_are_there_at_the_start)
{
	char *argv[] = {(char *)"program", NULL};
	const struct usrRoots roots = {.usrAppInit = app};

	expect_eq(usrStart(1, argv, &roots), 0);
	expect_marks("devices");
}

/* As the vendor's: it gets the memory, and starts everything itself. */
static void own_root(char *pool, unsigned int bytes)
{
	expect_true(pool != NULL);
	expect_true(bytes >= 1 << 20);
	memset(pool, 1, bytes);
	expect_str(taskName(0), "tUsrRoot");
	FAILS(pipeDevCreate, S_ioLib_NO_DRIVER, pipeDevCreate("/pipe/start", 1, 1));
	expect_eq(iosInit(20, 50, (char *)"/null"), OK);
	expect_eq(pipeDrv(), OK);
	(void)first();
	(void)vx_spawn("tLater", 100, later, 0);
}

TEST_UNSTARTED(usrRoot_goes_before_the_others_and_gets_memory)
{
	char *argv[] = {(char *)"program", NULL};
	const struct usrRoots roots = {own_root, root, never, NULL};

	expect_eq(usrStart(1, argv, &roots), 0);
	expect_marks("devices later barks");
}

static int init_module_works(void)
{
	mark("init");
	(void)vx_spawn("tLater", 100, later, 0);
	return 0;
}

static int init_module_fails(void)
{
	mark("init");
	return -12;
}

static void cleanup(void)
{
	expect_str(taskName(0), "tUsrRoot");
	mark("cleanup");
}

TEST_UNSTARTED(module_is_cleaned_up_when_all_has_ended)
{
	char *argv[] = {(char *)"program", NULL};
	const struct usrRoots roots = {.init_module = init_module_works, .cleanup_module = cleanup};

	expect_eq(usrStart(1, argv, &roots), 0);
	expect_marks("init later barks cleanup");
}

TEST_UNSTARTED(module_that_fails_is_told_and_not_cleaned_up)
{
	char *argv[] = {(char *)"program", NULL};
	const struct usrRoots roots = {.init_module = init_module_fails, .cleanup_module = cleanup};

	capture_reports();
	expect_eq(usrStart(1, argv, &roots), 1);
	expect_report("-12");
	expect_marks("init");
}

TEST_UNSTARTED(functions_are_found_by_their_names)
{
	char *argv[] = {(char *)"program", (char *)"taskDelay", (char *)"0x5", NULL};
	char *none[] = {(char *)"program", (char *)"no_such_function", NULL};

	const struct usrRoots no_roots = {NULL, NULL, NULL, NULL};

	expect_eq(usrStart(3, argv, &no_roots), 0);
	capture_reports();
	expect_eq(usrStart(1, argv, &no_roots), 1);
	expect_report("usrAppInit");
	expect_eq(usrStart(2, none, &no_roots), 1);
	expect_report("no_such_function");
}
