/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pipes: messages by read() and write(), who is served first, and what a deletion does. */
#include "vx.h"

#include <memPartLib.h>
#include <msgQLib.h>
#include <pipeDrv.h>
#include <semLib.h>
#include <wdLib.h>

/* The compiler does not see that it is NULL. */
static char *volatile nothing;

static int make(const char *name, int messages, int bytes)
{
	int fd;

	(void)WORKS(pipeDrv, pipeDrv());
	(void)WORKS(pipeDevCreate, pipeDevCreate(name, messages, bytes));
	fd = open(name, O_RDWR, 0);
	expect_true(fd > 2);
	return fd;
}

static int asked(int fd, unsigned long function)
{
	int answer = -1;

	expect_eq(ioctl(fd, function, &answer), OK);
	return answer;
}

TEST(messages_are_read_as_they_were_written)
{
	const int fd = make("/pipe/one", 3, 8);
	char got[16] = "";
	char name[32];

	expect_eq(asked(fd, FIONREAD), 0);
	expect_eq(WORKS(write, write(fd, "first", 6)), 6);
	expect_eq(write(fd, "second!", 8), 8);
	expect_eq(write(fd, NULL, 0), 0);
	expect_eq(asked(fd, FIONREAD), 6);
	expect_eq(asked(fd, FIONMSGS), 3);
	(void)WORKS(ioctl, ioctl(fd, FIOGETNAME, name));
	expect_str(name, "/pipe/one");
	expect_eq(WORKS(read, read(fd, got, sizeof(got))), 6);
	expect_str(got, "first");
	/* The rest is lost. */
	expect_eq(read(fd, got, 3), 3);
	expect_eq(asked(fd, FIONREAD), 0);
	expect_eq(asked(fd, FIONMSGS), 1);
	expect_eq(read(fd, got, sizeof(got)), 0);
	expect_eq(write(fd, "1", 1), 1);
	expect_eq(write(fd, "2", 1), 1);
	(void)WORKS(ioctl, ioctl(fd, FIOFLUSH, 0));
	expect_eq(asked(fd, FIONMSGS), 0);
	(void)WORKS(close, close(fd));
	/* What was written stays when nobody has it open. */
	(void)WORKS(pipeDevDelete, pipeDevDelete("/pipe/one", FALSE));
}

TEST(wrong_arguments_are_refused)
{
	char long_name[110];
	char c;
	int fd;

	memset(long_name, 'n', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	FAILS(pipeDevCreate, S_ioLib_NO_DRIVER, pipeDevCreate("/pipe/x", 1, 1));
	FAILS(pipeDevDelete, S_ioLib_NO_DRIVER, pipeDevDelete("/pipe/x", FALSE));
	fd = make("/pipe/x", 2, 4);
	(void)WORKS(pipeDrv, pipeDrv());
	FAILS(pipeDevCreate, S_iosLib_DUPLICATE_DEVICE_NAME, pipeDevCreate("/pipe/x", 1, 1));
	FAILS(pipeDevCreate, S_msgQLib_INVALID_QUEUE_TYPE, pipeDevCreate("/pipe/y", 0, 1));
	FAILS(pipeDevCreate, S_msgQLib_INVALID_MSG_LENGTH, pipeDevCreate("/pipe/y", 1, -1));
	FAILS(pipeDevCreate, EINVAL, pipeDevCreate(NULL, 1, 1));
	FAILS(pipeDevCreate, S_ioLib_NAME_TOO_LONG, pipeDevCreate(long_name, 1, 1));
	FAILS(pipeDevCreate, S_memLib_NOT_ENOUGH_MEMORY,
	      pipeDevCreate("/pipe/y", 1 << 20, 1 << 20));
	FAILS(pipeDevDelete, S_iosLib_DEVICE_NOT_FOUND, pipeDevDelete("/pipe/y", FALSE));
	FAILS(pipeDevDelete, EMFILE, pipeDevDelete("/pipe/x", FALSE));
	FAILS(open, S_iosLib_DEVICE_NOT_FOUND, open("/pipe/x/y", O_RDWR, 0));
	FAILS(creat, S_iosLib_DEVICE_NOT_FOUND, creat("/pipe/x/y", UPDATE));
	FAILS(write, S_msgQLib_INVALID_MSG_LENGTH, write(fd, "12345", 5));
	FAILS(write, EINVAL, write(fd, nothing, 1));
	FAILS(read, EINVAL, read(fd, nothing, 1));
	FAILS(ioctl, EINVAL, ioctl(fd, FIONREAD, NULL));
	FAILS(ioctl, S_ioLib_UNKNOWN_REQUEST, ioctl(fd, FIOSETOPTIONS, OPT_RAW));
	(void)WORKS(pipeDevDelete, pipeDevDelete("/pipe/x", TRUE));
	FAILS(read, S_objLib_OBJ_DELETED, read(fd, &c, 1));
	FAILS(write, S_objLib_OBJ_DELETED, write(fd, "1", 1));
	FAILS(ioctl, S_objLib_OBJ_DELETED, ioctl(fd, FIONMSGS, &c));
	expect_eq(close(fd), OK);
	/* A pipe of the same name is another one. */
	fd = make("/pipe/x", 2, 4);
	expect_eq(asked(fd, FIONMSGS), 0);
}

TEST(driver_needs_a_place)
{
	while (iosDrvInstall(NULL, NULL, NULL, NULL, NULL, NULL, NULL) != ERROR)
		;
	FAILS(pipeDrv, S_iosLib_DRIVER_GLUT, pipeDrv());
	expect_eq(iosDrvRemove(7, FALSE), OK);
	(void)WORKS(pipeDrv, pipeDrv());
}

struct who {
	const char *name;
	int fd;
};

static int reader(struct who *who)
{
	char got[8] = "";

	expect_eq(read(who->fd, got, sizeof(got)), 2);
	mark(who->name);
	mark(got);
	return 0;
}

TEST(readers_are_served_in_the_order_of_their_coming)
{
	const int fd = make("/pipe/order", 4, 8);
	struct who first = {"low", fd}, second = {"high", fd};

	vx_until_pended(vx_spawn("tLow", 200, (FUNCPTR)reader, (long)&first));
	vx_until_pended(vx_spawn("tHigh", 50, (FUNCPTR)reader, (long)&second));
	expect_eq(write(fd, "1", 2), 2);
	settle();
	expect_eq(write(fd, "2", 2), 2);
	settle();
	expect_marks("low 1 high 2");
}

static int writer(struct who *who)
{
	expect_eq(write(who->fd, who->name, 2), 2);
	mark(who->name);
	return 0;
}

TEST(writers_wait_for_room_in_the_order_of_their_coming)
{
	const int fd = make("/pipe/full", 1, 8);
	struct who first = {"l", fd}, second = {"h", fd};
	char got[8];

	expect_eq(write(fd, "0", 2), 2);
	vx_until_pended(vx_spawn("tLow", 200, (FUNCPTR)writer, (long)&first));
	vx_until_pended(vx_spawn("tHigh", 50, (FUNCPTR)writer, (long)&second));
	for (int i = 0; i < 3; i++) {
		expect_eq(read(fd, got, sizeof(got)), 2);
		settle();
		mark(got);
	}
	expect_marks("l 0 h l h");
}

static int told_reader(int fd)
{
	char got;

	FAILS(read, S_objLib_OBJ_DELETED, read(fd, &got, 1));
	mark("reader");
	return 0;
}

static int told_writer(int fd)
{
	FAILS(write, S_objLib_OBJ_DELETED, write(fd, "x", 1));
	mark("writer");
	return 0;
}

TEST(deletion_by_force_wakes_who_waits)
{
	const int empty = make("/pipe/empty", 1, 1);
	const int full = make("/pipe/full", 1, 1);

	expect_eq(write(full, "x", 1), 1);
	vx_until_pended(vx_spawn("tReader", 100, (FUNCPTR)told_reader, empty));
	vx_until_pended(vx_spawn("tWriter", 100, (FUNCPTR)told_writer, full));
	expect_eq(pipeDevDelete("/pipe/empty", TRUE), OK);
	expect_eq(pipeDevDelete("/pipe/full", TRUE), OK);
	settle();
	expect_marks("reader writer");
}

static int broken_reader(int fd)
{
	char got;

	FAILS(read, EINTR, read(fd, &got, 1));
	mark("read");
	return 0;
}

static int broken_writer(int fd)
{
	FAILS(write, EINTR, write(fd, "x", 1));
	mark("write");
	return 0;
}

static void break_wait(const char *name)
{
	tact_object_t native;

	expect_ok(tact_find(name, TACT_NOWAIT, &native));
	expect_ok(tact_task_unblock((tact_task_t){native.id}, -TACT_EINTR));
	settle();
}

TEST(signals_break_the_waits)
{
	const int fd = make("/pipe/broken", 1, 1);

	vx_until_pended(vx_spawn("tReads", 100, (FUNCPTR)broken_reader, fd));
	break_wait("tReads");
	expect_eq(write(fd, "x", 1), 1);
	vx_until_pended(vx_spawn("tWrites", 100, (FUNCPTR)broken_writer, fd));
	break_wait("tWrites");
	expect_marks("read write");
}

static void handler(void *arg)
{
	const int fd = (int)(intptr_t)arg;
	int answer = 0;
	char got;

	FAILS(pipeDevCreate, S_intLib_NOT_ISR_CALLABLE, pipeDevCreate("/pipe/h", 1, 1));
	FAILS(pipeDevDelete, S_intLib_NOT_ISR_CALLABLE, pipeDevDelete("/pipe/isr", TRUE));
	FAILS(pipeDrv, S_intLib_NOT_ISR_CALLABLE, pipeDrv());
	FAILS(read, S_intLib_NOT_ISR_CALLABLE, read(fd, &got, 1));
	expect_eq(WORKS(write, write(fd, "x", 1)), 1);
	FAILS(write, S_objLib_OBJ_UNAVAILABLE, write(fd, "y", 1));
	(void)WORKS(ioctl, ioctl(fd, FIONMSGS, &answer));
	expect_eq(answer, 1);
}

TEST(handlers_write_without_waiting)
{
	const int fd = make("/pipe/isr", 1, 1);
	char got = '\0';

	test_in_handler(handler, (void *)(intptr_t)fd);
	expect_eq(read(fd, &got, 1), 1);
	expect_eq(got, 'x');
}
