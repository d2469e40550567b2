/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs without main(): their root function, and when they end. */
#include "vx.h"

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

	expect_eq(WORKS(usrStart, usrStart(1, argv, root)), 0);
	expect_marks("root later barks");
}

TEST_UNSTARTED(functions_are_found_by_their_names)
{
	char *argv[] = {(char *)"program", (char *)"taskDelay", (char *)"0x5", NULL};
	char *none[] = {(char *)"program", (char *)"no_such_function", NULL};

	expect_eq(usrStart(3, argv, NULL), 0);
	capture_reports();
	expect_eq(usrStart(1, argv, NULL), 1);
	expect_report("usrAppInit");
	expect_eq(usrStart(2, none, root), 1);
	expect_report("no_such_function");
}
