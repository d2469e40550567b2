/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ticks, the two clocks, and messages of the log. */
#include "vx.h"

#include <fcntl.h>
#include <fioLib.h>
#include <logLib.h>
#include <semLib.h>
#include <sysLib.h>
#include <tickLib.h>
#include <unistd.h>

TEST(counter_begins_with_0_and_is_set)
{
	expect_true(WORKS(tickGet, tickGet()) < 60);
	(void)WORKS(tickSet, (tickSet(1000000), 0));
	expect_true(tickGet() >= 1000000 && tickGet() < 1000600);
	(void)WORKS(tick64Set, (tick64Set((UINT64)1 << 40), 0));
	expect_true(WORKS(tick64Get, tick64Get()) >> 40 == 1);
	tickSet(10);
	(void)WORKS(tickAnnounce, (tickAnnounce(), 0));
	expect_true(tickGet() >= 11);
}

TEST(rate_changes_and_the_counter_goes_on)
{
	ULONG begin;

	expect_eq(WORKS(sysClkRateGet, sysClkRateGet()), 60);
	tickSet(500);
	(void)WORKS(sysClkRateSet, sysClkRateSet(1000));
	expect_eq(sysClkRateGet(), 1000);
	begin = tickGet();
	expect_true(begin >= 500 && begin < 600);
	expect_eq(taskDelay(100), OK);
	expect_true(tickGet() - begin >= 100);
	if (test_on_sim())
		expect_eq(tickGet() - begin, 100);
	FAILS(sysClkRateSet, EINVAL, sysClkRateSet(0));
	FAILS(sysClkRateSet, EINVAL, sysClkRateSet(2000000));
	expect_true(strlen(WORKS(sysModel, sysModel())) > 0);
	expect_true(strlen(WORKS(sysBspRev, sysBspRev())) > 0);
}

static _Atomic int ticks;

static int counts(long step)
{
	expect_true(intContext());
	ticks += (int)step;
	return 0;
}

TEST(connected_routines_run_at_each_tick)
{
	int before;

	expect_eq(WORKS(sysAuxClkRateGet, sysAuxClkRateGet()), 60);
	(void)WORKS(sysAuxClkRateSet, sysAuxClkRateSet(200));
	FAILS(sysAuxClkRateSet, EINVAL, sysAuxClkRateSet(-1));
	(void)WORKS(sysAuxClkConnect, sysAuxClkConnect(counts, 1));
	expect_eq(taskDelay(6), OK);
	expect_eq(ticks, 0);
	(void)WORKS(sysAuxClkEnable, (sysAuxClkEnable(), 0));
	expect_eq(taskDelay(60), OK);
	(void)WORKS(sysAuxClkDisable, (sysAuxClkDisable(), 0));
	before = ticks;
	expect_true(before > 0);
	if (test_on_sim())
		expect_true(before >= 199 && before <= 200);
	expect_eq(taskDelay(6), OK);
	expect_eq(ticks, before);
	FAILS(sysAuxClkConnect, EINVAL, sysAuxClkConnect(NULL, 0));
	FAILS(sysClkConnect, EINVAL, sysClkConnect(NULL, 0));
	(void)WORKS(sysClkConnect, sysClkConnect(counts, 1));
	expect_eq(taskDelay(10), OK);
	expect_true(ticks > before);
	(void)WORKS(sysClkDisable, (sysClkDisable(), 0));
	before = ticks;
	expect_eq(taskDelay(10), OK);
	expect_eq(ticks, before);
	(void)WORKS(sysClkEnable, (sysClkEnable(), 0));
	expect_eq(taskDelay(10), OK);
	expect_true(ticks > before);
}

static int logs(void)
{
	(void)WORKS(logMsg, logMsg("two %d %s\n", 2, (long)"words", 0, 0, 0, 0));
	return 0;
}

static void logs_in_handler(void *arg)
{
	(void)arg;
	expect_true(logMsg("one %d\n", 1, 0, 0, 0, 0, 0) > 0);
}

TEST(messages_are_printed_in_their_order)
{
	char text[256] = "";
	int ends[2];
	int tid;

	expect_eq(pipe(ends), 0);
	(void)WORKS(logInit, logInit(ends[1], 10));
	test_in_handler(logs_in_handler, NULL);
	tid = vx_spawn("tLogs", 100, logs, 0);
	settle();
	for (size_t at = 0; !strstr(text, "words\n"); at += (size_t)read(ends[0], text + at, 200))
		expect_true(at < 100);
	expect_true(!strncmp(text, "interrupt: one 1\n0x", 19));
	expect_true(strstr(text, " (tLogs): two 2 words\n") != NULL);
	expect_true(tid > 0);
	FAILS(logMsg, EINVAL, logMsg(NULL, 0, 0, 0, 0, 0, 0));
	FAILS(logInit, EINVAL, logInit(1, 0));
	FAILS(logInit, EINVAL, logInit(-1, 5));
	(void)WORKS(logFdSet, (logFdSet(ends[1]), 0));
	(void)WORKS(logFdAdd, logFdAdd(ends[1]));
	for (int n = 0; n < 3; n++)
		expect_eq(logFdAdd(ends[1]), OK);
	FAILS(logFdAdd, S_objLib_OBJ_UNAVAILABLE, logFdAdd(ends[1]));
	FAILS(logFdAdd, EBADF, logFdAdd(-1));
	(void)WORKS(logFdDelete, logFdDelete(ends[1]));
	FAILS(logFdDelete, EBADF, logFdDelete(77));
	FAILS(logFdDelete, EBADF, logFdDelete(-1));
}

static void fills(void *arg)
{
	int queued = 0;

	(void)arg;
	for (int n = 0; n < 300; n++)
		queued += logMsg("x\n", 0, 0, 0, 0, 0, 0) > 0;
	/* The one that waits has taken one. */
	expect_eq(queued, 257);
	FAILS(logMsg, S_objLib_OBJ_UNAVAILABLE, logMsg("x\n", 0, 0, 0, 0, 0, 0));
}

static void fills_in_handler(void *arg)
{
	int queued = 0;

	(void)arg;
	for (int n = 0; n < 300; n++)
		queued += logMsg("x\n", 0, 0, 0, 0, 0, 0) > 0;
	mark(queued == 257 ? "full" : "not");
}

TEST(too_many_messages_are_lost)
{
	logFdSet(-1);
	expect_eq(taskDelay(1), OK);
	test_in_handler(fills_in_handler, NULL);
	expect_marks("full");
}

/* A task that runs handlers is as urgent as the one that prints, and so fills the queue. */
TEST(lost_message_has_a_code)
{
	struct tact_task_attr attr = {.priority = TACT_PRIORITY_MAX};
	tact_task_t task;

	logFdSet(-1);
	expect_eq(taskDelay(1), OK);
	expect_ok(tact_task_spawn(&attr, fills, NULL, &task));
	test_join(task);
}

static void handler(void *arg)
{
	(void)arg;
	FAILS(sysClkConnect, S_intLib_NOT_ISR_CALLABLE, sysClkConnect(counts, 1));
	FAILS(sysAuxClkConnect, S_intLib_NOT_ISR_CALLABLE, sysAuxClkConnect(counts, 1));
	FAILS(logInit, S_intLib_NOT_ISR_CALLABLE, logInit(1, 1));
	FAILS(printErr, S_intLib_NOT_ISR_CALLABLE, printErr("x"));
	FAILS(fdprintf, S_intLib_NOT_ISR_CALLABLE, fdprintf(1, "x"));
}

TEST(texts_go_to_descriptors)
{
	char text[8] = "";
	int ends[2];

	expect_eq(pipe(ends), 0);
	expect_eq(WORKS(fdprintf, fdprintf(ends[1], "%d!", 42)), 3);
	expect_eq(read(ends[0], text, 8), 3);
	expect_str(text, "42!");
	capture_reports();
	expect_eq(WORKS(printErr, printErr("err%s", "or")), 5);
	expect_report("error");
}

TEST(handlers_connect_nothing)
{
	test_in_handler(handler, NULL);
}
