/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the commands of the shell print: into a pipe, a message for each line. */
#include "vx.h"

#include <memPartLib.h>
#include <msgQLib.h>
#include <pipeDrv.h>
#include <semLib.h>
#include <stdio.h>
#include <usrLib.h>
#include <wdLib.h>

static int lines;

static void keep_output(void)
{
	expect_eq(pipeDrv(), OK);
	expect_eq(pipeDevCreate("/pipe/lines", 200, 200), OK);
	lines = open("/pipe/lines", O_RDWR, 0);
	ioGlobalStdSet(STD_OUT, lines);
}

/* Is there a line with these words? All lines are taken. */
static bool printed(const char *first, const char *second)
{
	bool found = false;
	int left = 0;

	while (ioctl(lines, FIONMSGS, &left) == OK && left) {
		char line[201];
		const ssize_t bytes = read(lines, line, sizeof(line) - 1);

		expect_true(bytes >= 0);
		line[bytes] = '\0';
		found |= strstr(line, first) && strstr(line, second);
	}
	return found;
}

static SEM_ID sem;

static int waits(void)
{
	return semTake(sem, WAIT_FOREVER);
}

TEST(trace_leads_to_the_call_that_waits)
{
	int tid;

	sem = semBCreate(SEM_Q_FIFO, SEM_EMPTY);
	tid = vx_spawn("tWaits", 100, waits, 0);
	vx_until_pended(tid);
	keep_output();
	(void)WORKS(tt, tt(tid));
	expect_true(printed("semTake+0x", ""));
	(void)WORKS(w, (w(0), 0));
	expect_true(printed("tWaits", "semaphore"));
	(void)WORKS(tw, (tw(tid), 0));
	expect_true(printed("tWaits", "waits"));
	w(tid);
	expect_true(printed("tWaits", "semaphore"));
	FAILS(tt, S_objLib_OBJ_ID_ERROR, tt(12345));
	w(12345);
	tw(12345);
	expect_true(!printed("", ""));
}

static int traces_itself(void)
{
	(void)WORKS(tt, tt(0));
	expect_true(printed("0x", ""));
	w(0);
	expect_true(printed("tSelf", "-"));
	return 0;
}

TEST(task_sees_its_own_calls)
{
	keep_output();
	vx_until_ended(vx_spawn("tSelf", 100, traces_itself, 0));
}

static _Atomic bool goes_on;

static int computes(void)
{
	goes_on = true;
	while (goes_on)
		;
	return 0;
}

static int naps(void)
{
	return taskDelay(1000);
}

TEST(task_that_computes_is_refused)
{
	int tid;

	if (test_on_sim())
		test_skip("a task that computes stops the simulation");
	keep_output();
	tid = vx_spawn("tComputes", 200, computes, 0);
	while (!goes_on)
		;
	/* main() asks while the task has its CPU. */
	FAILS(tt, S_objLib_OBJ_UNAVAILABLE, tt(tid));
	goes_on = false;
	vx_until_ended(tid);
}

TEST(objects_of_any_type_are_shown)
{
	static char memory[8192];
	const PART_ID partition = memPartCreate(memory, sizeof(memory));
	const WDOG_ID watchdog = wdCreate();
	const MSG_Q_ID queue = msgQCreate(3, 8, MSG_Q_FIFO);
	int tid = vx_spawn("tNaps", 100, naps, 0);

	sem = semMCreate(SEM_Q_FIFO);
	keep_output();
	(void)WORKS(show, show((int)(uintptr_t)sem, 0));
	expect_true(printed("owner none", "tasks wait"));
	(void)WORKS(show, show((int)(uintptr_t)queue, 0));
	expect_true(printed("message queue", "0 of 3"));
	(void)WORKS(show, show((int)(uintptr_t)watchdog, 0));
	expect_true(printed("watchdog", "stopped"));
	(void)WORKS(show, show((int)(uintptr_t)partition, 0));
	expect_true(printed("partition", "bytes free"));
	(void)WORKS(show, show(tid, 1));
	expect_true(printed("entry", "options"));
	(void)WORKS(show, show(iosFdValue(lines), 0));
	expect_true(printed("pipe", "/pipe/lines"));
	FAILS(show, S_objLib_OBJ_ID_ERROR, show(0, 0));
	FAILS(show, S_objLib_OBJ_ID_ERROR, show(12345, 0));
	(void)WORKS(memPartShow, memPartShow(partition, 0));
	expect_true(printed("partition", "allocated"));
	FAILS(memPartShow, S_objLib_OBJ_ID_ERROR, memPartShow((PART_ID)(uintptr_t)12345, 0));
	(void)WORKS(memShow, (memShow(0), 0));
	expect_true(printed("partition", "allocated"));
	(void)WORKS(devs, (devs(), 0));
	expect_true(printed("/pipe/lines", ""));
}

TEST(memory_is_shown_as_far_as_there_is_some)
{
	static const char text[32] = "0123456789abcdefTHE NEXT LINE   ";

	keep_output();
	(void)WORKS(d, (d((void *)(uintptr_t)text, 16, 1), 0));
	expect_true(printed(" 31", ""));
	d((void *)(uintptr_t)text, 16, 1);
	expect_true(printed("*", ""));
	d(NULL, 0, 0);
	expect_true(printed(" 54", ""));
	d((void *)(uintptr_t)text, 4, 4);
	expect_true(printed(" 33323130", ""));
	d((void *)4096, 1, 1);
	expect_true(printed("nothing is mapped", ""));
}

static void handler(void *unused)
{
	(void)unused;
	FAILS(tt, S_intLib_NOT_ISR_CALLABLE, tt(0));
	FAILS(show, S_intLib_NOT_ISR_CALLABLE, show(1, 0));
	FAILS(memPartShow, S_intLib_NOT_ISR_CALLABLE, memPartShow(memSysPartId, 0));
	w(0);
	tw(0);
	d(NULL, 1, 1);
	devs();
}

TEST(handlers_print_nothing)
{
	keep_output();
	test_in_handler(handler, NULL);
	expect_true(!printed("", ""));
}
