/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* select(): pipes, drivers of the program and descriptors of Linux together. */
#define _GNU_SOURCE
#include "vx.h"

#include <memPartLib.h>
#include <pipeDrv.h>
#include <selectLib.h>
#include <semLib.h>
#include <tickLib.h>
#include <unistd.h>
#include <wdLib.h>

static int make(const char *name, int messages)
{
	int fd;

	expect_eq(pipeDrv(), OK);
	expect_eq(pipeDevCreate(name, messages, 8), OK);
	fd = open(name, O_RDWR, 0);
	expect_true(fd > 2);
	return fd;
}

/* The sets of one or two descriptors; -1: none. */
static fd_set set_of(int a, int b)
{
	fd_set set;

	FD_ZERO(&set);
	if (a >= 0)
		FD_SET(a, &set);
	if (b >= 0)
		FD_SET(b, &set);
	return set;
}

static struct timeval ticks(int count)
{
	/* A little less than a tick more: it is rounded up. */
	const long us = count * 1000000L / 60 - 100;

	return (struct timeval){us / 1000000, us % 1000000};
}

static int sees_what_is_there(int fd)
{
	fd_set reads = set_of(fd, -1), writes = set_of(fd, -1);
	struct timeval none = {0, 0};
	char got[8];

	expect_eq(WORKS(select, select(fd + 1, &reads, &writes, NULL, NULL)), 1);
	expect_true(!FD_ISSET(fd, &reads) && FD_ISSET(fd, &writes));
	expect_eq(write(fd, "x", 1), 1);
	reads = writes = set_of(fd, -1);
	expect_eq(select(fd + 1, &reads, &writes, NULL, NULL), 1);
	expect_true(FD_ISSET(fd, &reads) && !FD_ISSET(fd, &writes));
	writes = set_of(fd, -1);
	expect_eq(select(fd + 1, NULL, &writes, NULL, &none), 0);
	expect_true(!FD_ISSET(fd, &writes));
	expect_eq(read(fd, got, sizeof(got)), 1);
	reads = set_of(fd, -1);
	expect_eq(select(fd + 1, &reads, NULL, NULL, &none), 0);
	mark("done");
	return 0;
}

TEST(pipe_can_be_read_or_written)
{
	vx_in_task(100, (FUNCPTR)sees_what_is_there, make("/pipe/s", 1));
	expect_marks("done");
}

static int times_out(int fd)
{
	const ULONG begin = tickGet();
	fd_set reads = set_of(fd, -1);
	struct timeval five = ticks(5);

	expect_eq(select(fd + 1, &reads, NULL, NULL, &five), 0);
	expect_true(tickGet() - begin >= 5);
	if (test_on_sim())
		expect_eq(tickGet() - begin, 5);
	five = ticks(5);
	expect_eq(select(0, NULL, NULL, NULL, &five), 0);
	expect_true(tickGet() - begin >= 10);
	mark("late");
	return 0;
}

TEST(timeout_ends_with_a_tick)
{
	vx_in_task(100, (FUNCPTR)times_out, make("/pipe/s", 1));
	expect_marks("late");
}

static int fds[2];

static int waits_for_two(void)
{
	fd_set reads = set_of(fds[0], fds[1]);
	char got[8];

	expect_eq(select(FD_SETSIZE, &reads, NULL, NULL, NULL), 1);
	expect_true(!FD_ISSET(fds[0], &reads) && FD_ISSET(fds[1], &reads));
	mark("reads");
	expect_eq(read(fds[1], got, sizeof(got)), 1);
	return 0;
}

static int waits_for_room(void)
{
	fd_set writes = set_of(fds[0], -1);

	expect_eq(select(fds[0] + 1, NULL, &writes, NULL, NULL), 1);
	expect_true(FD_ISSET(fds[0], &writes));
	mark("writes");
	return 0;
}

TEST(messages_and_room_wake_who_waits)
{
	char got[8];

	fds[0] = make("/pipe/a", 1);
	fds[1] = make("/pipe/b", 1);
	vx_until_pended(vx_spawn("tReads", 100, waits_for_two, 0));
	FAILS(pipeDevDelete, EBUSY, pipeDevDelete("/pipe/b", FALSE));
	expect_eq(write(fds[1], "x", 1), 1);
	settle();
	expect_marks("reads");
	expect_eq(write(fds[0], "x", 1), 1);
	vx_until_pended(vx_spawn("tWrites", 100, waits_for_room, 0));
	expect_eq(read(fds[0], got, sizeof(got)), 1);
	settle();
	expect_marks("reads writes");
}

TEST(flush_makes_room)
{
	fds[0] = make("/pipe/a", 1);
	expect_eq(write(fds[0], "x", 1), 1);
	vx_until_pended(vx_spawn("tWrites", 100, waits_for_room, 0));
	expect_eq(ioctl(fds[0], FIOFLUSH, 0), OK);
	settle();
	expect_marks("writes");
}

static int told_of_the_deletion(int fd)
{
	fd_set reads = set_of(fd, -1);
	char got;

	expect_eq(select(fd + 1, &reads, NULL, NULL, NULL), 1);
	FAILS(read, S_objLib_OBJ_DELETED, read(fd, &got, 1));
	reads = set_of(fd, -1);
	FAILS(select, S_objLib_OBJ_DELETED, select(fd + 1, &reads, NULL, NULL, NULL));
	mark("deleted");
	return 0;
}

TEST(deletion_wakes_who_waits)
{
	vx_until_pended(vx_spawn("tTold", 100, (FUNCPTR)told_of_the_deletion, make("/pipe/d", 1)));
	expect_eq(pipeDevDelete("/pipe/d", TRUE), OK);
	settle();
	expect_marks("deleted");
}

static int forever(int fd)
{
	fd_set reads = set_of(fd, -1);

	(void)select(fd + 1, &reads, NULL, NULL, NULL);
	mark("again");
	(void)select(fd + 1, &reads, NULL, NULL, NULL);
	return 0;
}

TEST(task_that_is_deleted_or_restarted_leaves_the_lists)
{
	const int fd = make("/pipe/gone", 4);
	int tid;

	for (int i = 0; i < 40; i++) {
		tid = vx_spawn("tForever", 100, (FUNCPTR)forever, fd);
		vx_until_pended(tid);
		expect_eq(taskDelete(tid), OK);
	}
	/* Nobody waits. */
	expect_eq(write(fd, "x", 1), 1);
	vx_until_ended(vx_spawn("tForever", 100, (FUNCPTR)forever, fd));
	expect_marks("again");
	expect_eq(ioctl(fd, FIOFLUSH, 0), OK);
	tid = vx_spawn("tForever", 100, (FUNCPTR)forever, fd);
	for (int i = 0; i < 40; i++) {
		expect_eq(taskRestart(tid), OK);
		vx_until_pended(tid);
	}
	expect_eq(taskDelete(tid), OK);
	expect_eq(close(fd), OK);
	expect_eq(pipeDevDelete("/pipe/gone", FALSE), OK);
}

static int broken(int fd)
{
	fd_set reads = set_of(fd, -1);

	FAILS(select, EINTR, select(fd + 1, &reads, NULL, NULL, NULL));
	mark("broken");
	return 0;
}

TEST(signal_breaks_the_wait)
{
	tact_object_t native;

	vx_until_pended(vx_spawn("tBroken", 100, (FUNCPTR)broken, make("/pipe/x", 1)));
	expect_ok(tact_find("tBroken", TACT_NOWAIT, &native));
	expect_ok(tact_task_unblock((tact_task_t){native.id}, -TACT_EINTR));
	settle();
	expect_marks("broken");
}

/* A driver that supports select(), and one that does not. */
static SEL_WAKEUP_LIST list;
static SEL_WAKEUP_NODE *last_node;
static bool adds = true;
static bool adds_many;

static int driver_open(void)
{
	return 1;
}

static int driver_ioctl(int value, int function, int argument)
{
	/* A node fits an int. */
	SEL_WAKEUP_NODE *node = (SEL_WAKEUP_NODE *)(uintptr_t)(unsigned int)argument;

	expect_eq(value, 1);
	if (function == FIOSELECT) {
		last_node = node;
		expect_eq(WORKS(selWakeupType, selWakeupType(node)), SELREAD);
		if (adds_many) {
			for (int i = 0; i < SEL_WAKEUP_NODES; i++)
				expect_eq(selNodeAdd(&list, node), OK);
			FAILS(selNodeAdd, S_memLib_NOT_ENOUGH_MEMORY, selNodeAdd(&list, node));
			return ERROR;
		}
		if (adds)
			return WORKS(selNodeAdd, selNodeAdd(&list, node));
		FAILS(selNodeAdd, EINVAL, selNodeAdd(NULL, node));
		return ERROR;
	}
	if (function == FIOUNSELECT && adds && !adds_many) {
		expect_eq(WORKS(selNodeDelete, selNodeDelete(&list, node)), OK);
		FAILS(selNodeDelete, EINVAL, selNodeDelete(&list, node));
		return OK;
	}
	(void)errnoSet(S_ioLib_UNKNOWN_REQUEST);
	return ERROR;
}

static int waits_for_driver(int fd)
{
	fd_set reads = set_of(fd, -1);

	expect_eq(select(fd + 1, &reads, NULL, NULL, NULL), 1);
	mark("driver");
	return 0;
}

static void isr(void *unused)
{
	(void)unused;
	(void)WORKS(selWakeupAll, (selWakeupAll(&list, SELWRITE), 0));
	selWakeupAll(&list, SELREAD);
	FAILS(selNodeAdd, S_intLib_NOT_ISR_CALLABLE, selNodeAdd(&list, last_node));
	FAILS(selNodeDelete, S_intLib_NOT_ISR_CALLABLE, selNodeDelete(&list, last_node));
}

static int open_driver(void)
{
	static DEV_HDR header;
	const int number = iosDrvInstall(NULL, NULL, (FUNCPTR)driver_open, NULL, NULL, NULL,
					 (FUNCPTR)driver_ioctl);

	(void)WORKS(selectInit, (selectInit(50), 0));
	(void)WORKS(selWakeupListInit, (selWakeupListInit(&list), 0));
	expect_eq(iosDevAdd(&header, (char *)"/driver", number), OK);
	return open("/driver", O_RDWR, 0);
}

TEST(driver_wakes_from_a_handler)
{
	const int fd = open_driver();

	vx_until_pended(vx_spawn("tWaits", 100, (FUNCPTR)waits_for_driver, fd));
	expect_eq(WORKS(selWakeupListLen, selWakeupListLen(&list)), 1);
	test_in_handler(isr, NULL);
	settle();
	expect_marks("driver");
	expect_eq(selWakeupListLen(&list), 0);
	vx_until_pended(vx_spawn("tWaits", 100, (FUNCPTR)waits_for_driver, fd));
	(void)WORKS(selWakeup, (selWakeup(last_node), 0));
	settle();
	expect_marks("driver driver");
	(void)WORKS(selWakeupListTerm, (selWakeupListTerm(&list), 0));
	/* Of no wait any more, and of none at all. */
	selWakeup(last_node);
	selWakeup(NULL);
}

static int refused(int fd)
{
	static DEV_HDR header;
	const int number = iosDrvInstall(NULL, NULL, (FUNCPTR)driver_open, NULL, NULL, NULL, NULL);
	fd_set reads;
	struct timeval negative = {-1, 0};
	int other;

	expect_eq(iosDevAdd(&header, (char *)"/nothing", number), OK);
	other = open("/nothing", O_RDWR, 0);
	reads = set_of(other, -1);
	FAILS(select, S_selectLib_NO_SELECT_SUPPORT_IN_DRIVER,
	      select(other + 1, &reads, NULL, NULL, NULL));
	reads = set_of(fd, -1);
	FAILS(select, S_selectLib_WIDTH_OUT_OF_RANGE, select(-1, &reads, NULL, NULL, NULL));
	FAILS(select, S_selectLib_WIDTH_OUT_OF_RANGE, select(1025, &reads, NULL, NULL, NULL));
	FAILS(select, EINVAL, select(fd + 1, &reads, NULL, NULL, &negative));
	expect_eq(close(other), OK);
	reads = set_of(fd, other);
	FAILS(select, EBADF, select(FD_SETSIZE, &reads, NULL, NULL, NULL));
	mark("refused");
	return 0;
}

TEST(wrong_arguments_are_refused)
{
	const int fd = make("/pipe/x", 1);
	fd_set reads = set_of(fd, -1);

	vx_in_task(100, (FUNCPTR)refused, fd);
	expect_marks("refused");
	FAILS(select, S_selectLib_NO_SELECT_CONTEXT, select(fd + 1, &reads, NULL, NULL, NULL));
	FAILS(selNodeAdd, EINVAL, selNodeAdd(&list, NULL));
}

static int no_room(int fd)
{
	fd_set reads = set_of(fd, -1);

	FAILS(select, S_memLib_NOT_ENOUGH_MEMORY, select(fd + 1, &reads, NULL, NULL, NULL));
	mark("full");
	return 0;
}

TEST(list_of_a_device_is_finite)
{
	const int fd = make("/pipe/many", 1);
	int tid[SEL_WAKEUP_NODES];

	for (int i = 0; i < SEL_WAKEUP_NODES; i++) {
		tid[i] = vx_spawn(NULL, 100, (FUNCPTR)forever, fd);
		vx_until_pended(tid[i]);
	}
	vx_in_task(100, (FUNCPTR)no_room, fd);
	expect_marks("full");
	expect_eq(taskDelete(tid[7]), OK);
	vx_until_pended(vx_spawn(NULL, 100, (FUNCPTR)forever, fd));
}

static int adds_again(int fd)
{
	fd_set reads = set_of(fd, -1);

	adds_many = true;
	expect_eq(select(fd + 1, &reads, NULL, NULL, NULL), ERROR);
	/* They are of no wait any more. */
	expect_eq(selWakeupListLen(&list), 0);
	mark("many");
	return 0;
}

TEST(list_of_a_driver_is_finite)
{
	vx_in_task(100, (FUNCPTR)adds_again, open_driver());
	expect_marks("many");
}

static int is_refused(int fd)
{
	fd_set reads = set_of(fd, -1);

	adds = false;
	expect_eq(select(fd + 1, &reads, NULL, NULL, NULL), ERROR);
	expect_eq(errno, EINVAL);
	mark("refused");
	adds = true;
	return waits_for_driver(fd);
}

TEST(refusal_of_a_driver_ends_the_call)
{
	vx_until_pended(vx_spawn("tRefused", 100, (FUNCPTR)is_refused, open_driver()));
	expect_eq(selWakeupListLen(&list), 1);
	selWakeupAll(&list, SELREAD);
	settle();
	expect_marks("refused driver");
}

/* Descriptors of Linux beside a pipe. */
static int ends[2];

static int waits_for_both(int fd)
{
	for (int round = 0; round < 2; round++) {
		fd_set reads = set_of(fd, ends[0]);
		char got[8];
		int found = select(FD_SETSIZE, &reads, NULL, NULL, NULL);

		expect_eq(found, 1);
		mark(FD_ISSET(fd, &reads) ? "pipe" : "linux");
		expect_eq(read(FD_ISSET(fd, &reads) ? fd : ends[0], got, sizeof(got)), 1);
	}
	return 0;
}

static int writes_to_linux(void)
{
	expect_eq(write(ends[1], "x", 1), 1);
	return 0;
}

TEST(pipes_and_descriptors_of_linux_are_waited_for_together)
{
	const int fd = make("/pipe/x", 1);
	int tid;

	expect_ok(pipe(ends));
	tid = vx_spawn("tBoth", 100, (FUNCPTR)waits_for_both, fd);
	expect_eq(taskDelay(5), OK);
	vx_until_pended(tid);
	(void)writes_to_linux();
	while (strcmp(test_marks(), "linux"))
		expect_eq(taskDelay(1), OK);
	expect_eq(write(fd, "x", 1), 1);
	vx_until_ended(tid);
	expect_marks("linux pipe");
}

static int only_linux(void)
{
	fd_set reads = set_of(ends[0], -1), writes = set_of(ends[1], -1), excepts = set_of(-1, -1);
	struct timeval two = ticks(2);

	expect_eq(select(FD_SETSIZE, &reads, &writes, &excepts, &two), 1);
	expect_true(!FD_ISSET(ends[0], &reads) && FD_ISSET(ends[1], &writes));
	two = ticks(2);
	reads = set_of(ends[0], -1);
	expect_eq(select(FD_SETSIZE, &reads, NULL, NULL, &two), 0);
	expect_true(!FD_ISSET(ends[0], &reads));
	expect_eq(write(ends[1], "x", 1), 1);
	reads = set_of(ends[0], -1);
	expect_eq(select(FD_SETSIZE, &reads, NULL, NULL, NULL), 1);
	mark("linux");
	return 0;
}

TEST(descriptors_of_linux_alone_are_linuxs)
{
	struct timeval none = {0, 0};
	fd_set reads;

	expect_ok(pipe(ends));
	vx_in_task(100, only_linux, 0);
	expect_marks("linux");
	/* main() is no task of VxWorks. */
	reads = set_of(ends[0], -1);
	expect_eq(select(FD_SETSIZE, &reads, NULL, NULL, &none), 1);
}

static int pipe_fd;

static int barks(void)
{
	expect_eq(write(pipe_fd, "x", 1), 1);
	return 0;
}

static int waits_for_watchdog(void)
{
	const WDOG_ID watchdog = wdCreate();
	const ULONG begin = tickGet();
	fd_set reads = set_of(pipe_fd, -1);

	expect_eq(wdStart(watchdog, 7, (FUNCPTR)barks, 0), OK);
	expect_eq(select(pipe_fd + 1, &reads, NULL, NULL, NULL), 1);
	expect_true(tickGet() - begin >= 7);
	if (test_on_sim())
		expect_eq(tickGet() - begin, 7);
	mark("bark");
	return 0;
}

TEST(watchdog_writes_and_the_task_wakes)
{
	pipe_fd = make("/pipe/w", 1);
	vx_in_task(100, waits_for_watchdog, 0);
	expect_marks("bark");
}

static void in_handler(void *unused)
{
	(void)unused;
	FAILS(select, S_intLib_NOT_ISR_CALLABLE, select(0, NULL, NULL, NULL, NULL));
}

TEST(handlers_do_not_select)
{
	test_in_handler(in_handler, NULL);
}
