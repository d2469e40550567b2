/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Drivers, devices and files; the C library's functions, which reach them; standard descriptors. */
#define _GNU_SOURCE
#include "vx.h"

#include <fioLib.h>
#include <ioLib.h>
#include <iosLib.h>
#include <logLib.h>
#include <memPartLib.h>
#include <pty.h>
#include <stdioLib.h>
#include <stdlib.h>
#include <usrLib.h>

#define KEPT 64

/* A driver that keeps what is written last. */
struct own_device {
	DEV_HDR header;
	char kept[KEPT];
	long bytes;
	long place;
	int opened;
	int closed;
	char rest[16];
	char renamed[16];
};

static struct own_device device;

static int own_create(struct own_device *it, char *rest, int flags)
{
	(void)it;
	mark(flags == WRITE ? "create" : "flags");
	return strcmp(rest, "/refused") ? 1234 : ERROR;
}

static int own_delete(struct own_device *it, char *rest)
{
	expect_true(it == &device);
	snprintf(it->rest, sizeof(it->rest), "%s", rest);
	return OK;
}

/* An address, as in 64-bit drivers. */
static void *own_open(struct own_device *it, char *rest, int flags, int mode)
{
	it->opened++;
	snprintf(it->rest, sizeof(it->rest), "%s", rest);
	expect_true(flags == O_RDONLY || flags == O_RDWR || flags == (O_RDWR | O_CREAT));
	expect_eq(mode, flags & O_CREAT ? 0644 : 0);
	if (!strcmp(rest, "/refused")) {
		(void)errnoSet(S_ioLib_NO_DRIVER);
		return (void *)(intptr_t)ERROR;
	}
	return it;
}

static int own_close(struct own_device *it)
{
	if ((intptr_t)it == 1234)
		return OK;
	it->closed++;
	return OK;
}

static int own_read(struct own_device *it, char *buffer, int bytes)
{
	const int got = bytes < it->bytes ? bytes : (int)it->bytes;

	memcpy(buffer, it->kept, (size_t)got);
	return got;
}

static int own_write(struct own_device *it, const char *buffer, int bytes)
{
	it->bytes = bytes < KEPT ? bytes : KEPT;
	memcpy(it->kept, buffer, (size_t)it->bytes);
	return bytes;
}

static int own_ioctl(struct own_device *it, int function, long argument)
{
	switch (function) {
	case FIOSEEK:
		it->place = argument;
		return OK;
	case FIOWHERE:
		return (int)it->place;
	case FIONREAD:
		*(int *)argument = 10;
		return OK;
	case FIORENAME:
		snprintf(it->renamed, sizeof(it->renamed), "%s", (const char *)argument);
		return OK;
	case FIOISATTY:
		return TRUE;
	default:
		(void)errnoSet(S_ioLib_UNKNOWN_REQUEST);
		return ERROR;
	}
}

static int install(void)
{
	const int number =
		WORKS(iosDrvInstall,
		      iosDrvInstall((FUNCPTR)own_create, (FUNCPTR)own_delete,
				    (FUNCPTR)(uintptr_t)own_open, (FUNCPTR)own_close,
				    (FUNCPTR)own_read, (FUNCPTR)own_write, (FUNCPTR)own_ioctl));

	memset(&device, 0, sizeof(device));
	(void)WORKS(iosDevAdd, iosDevAdd(&device.header, (char *)"/own", number));
	return number;
}

TEST(files_of_a_device_reach_its_driver)
{
	const int number = install();
	char got[KEPT] = "";
	char name[64];
	int rest = 0;
	int fd;

	fd = WORKS(open, open("/own/file", O_RDWR | O_CREAT, 0644));
	expect_true(fd > 2);
	expect_str(device.rest, "/file");
	expect_eq(WORKS(iosFdValue, iosFdValue(fd)), (int)(intptr_t)&device);
	expect_eq(WORKS(write, write(fd, "text", 5)), 5);
	expect_eq(WORKS(read, read(fd, got, sizeof(got))), 5);
	expect_str(got, "text");
	expect_eq(WORKS(lseek, lseek(fd, 7, SEEK_SET)), 7);
	expect_eq(lseek(fd, 3, SEEK_CUR), 10);
	expect_eq(lseek(fd, 1, SEEK_END), 21);
	FAILS(lseek, EINVAL, lseek(fd, 1, 77));
	(void)WORKS(ioctl, ioctl(fd, FIONREAD, &rest));
	expect_eq(rest, 10);
	FAILS(ioctl, S_ioLib_UNKNOWN_REQUEST, ioctl(fd, FIONMSGS, &rest));
	(void)WORKS(ioctl, ioctl(fd, FIOGETNAME, name));
	expect_str(name, "/own/file");
	FAILS(ioctl, EINVAL, ioctl(fd, FIOGETNAME, NULL));
	expect_eq(WORKS(isatty, isatty(fd)), 1);
	(void)WORKS(rename, rename("/own/a", "b"));
	expect_str(device.renamed, "b");
	(void)WORKS(remove, remove("/own/a"));
	expect_str(device.rest, "/a");
	(void)WORKS(unlink, unlink("/own/b"));
	expect_str(device.rest, "/b");
	expect_eq(open("/own/refused", O_RDWR), ERROR);
	expect_eq(errno, S_ioLib_NO_DRIVER);
	/* It was opened once to be renamed. */
	expect_eq(device.opened, 3);
	(void)WORKS(close, close(fd));
	expect_eq(device.closed, 2);
	FAILS(close, EBADF, close(fd));
	FAILS(read, EBADF, read(fd, got, 1));
	FAILS(write, EBADF, write(fd, got, 1));
	FAILS(ioctl, EBADF, ioctl(fd, FIONREAD, &rest));
	FAILS(iosFdValue, S_iosLib_INVALID_FILE_DESCRIPTOR, iosFdValue(fd));
	fd = WORKS(creat, creat("/own/new", WRITE));
	expect_eq(iosFdValue(fd), 1234);
	expect_eq(close(fd), OK);
	expect_eq(creat("/own/refused", WRITE), ERROR);
	expect_marks("create create");
	(void)WORKS(iosDrvRemove, iosDrvRemove(number, FALSE));
}

/* The address of the device, cut to an int. */
static int cut_open(struct own_device *it)
{
	return (int)(intptr_t)it;
}

TEST(driver_gets_its_device_back_also_if_its_address_was_cut)
{
	struct own_device *it = calloc(1, sizeof(*it));
	const int number = iosDrvInstall(NULL, NULL, (FUNCPTR)cut_open, (FUNCPTR)own_close,
					 (FUNCPTR)own_read, (FUNCPTR)own_write, NULL);
	int fd;

	expect_eq(iosDevAdd(&it->header, (char *)"/cut", number), OK);
	fd = open("/cut", O_RDWR);
	expect_eq(write(fd, "text", 4), 4);
	expect_eq(it->bytes, 4);
	expect_eq(close(fd), OK);
	expect_eq(it->closed, 1);
	iosDevDelete(&it->header);
	free(it);
}

TEST(what_a_driver_lacks_is_refused)
{
	static DEV_HDR bare;
	const int number = iosDrvInstall(NULL, NULL, (FUNCPTR)own_close, NULL, NULL, NULL, NULL);
	const int closed = iosDrvInstall(NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	static DEV_HDR other;
	char c;
	int fd;

	expect_eq(iosDevAdd(&bare, (char *)"/bare", number), OK);
	expect_eq(iosDevAdd(&other, (char *)"closed:", closed), OK);
	FAILS(open, ENOTSUP, open("closed:file", O_RDWR));
	FAILS(creat, ENOTSUP, creat("/bare", WRITE));
	FAILS(remove, ENOTSUP, remove("/bare"));
	FAILS(unlink, ENOTSUP, unlink("/bare"));
	device = (struct own_device){.opened = 0};
	fd = open("/bare", O_RDWR);
	expect_true(fd > 2);
	FAILS(read, ENOTSUP, read(fd, &c, 1));
	FAILS(write, ENOTSUP, write(fd, &c, 1));
	FAILS(ioctl, S_ioLib_UNKNOWN_REQUEST, ioctl(fd, FIONMSGS, &fd));
	FAILS(lseek, S_ioLib_UNKNOWN_REQUEST, lseek(fd, 1, SEEK_SET));
	FAILS(rename, S_ioLib_UNKNOWN_REQUEST, rename("/bare", "x"));
	expect_eq(isatty(fd), 0);
	expect_eq(close(fd), OK);
}

TEST(devices_are_found_by_the_longest_name)
{
	static DEV_HDR one, longer, host;
	const int number = install();
	char *rest;

	expect_eq(iosDevAdd(&one, (char *)"/dev1", number), OK);
	expect_eq(iosDevAdd(&longer, (char *)"/dev1/sub", number), OK);
	expect_eq(iosDevAdd(&host, (char *)"host:", number), OK);
	expect_true(WORKS(iosDevFind, iosDevFind((char *)"/dev1/sub/x", &rest)) == &longer);
	expect_str(rest, "/x");
	expect_true(iosDevFind((char *)"/dev1", &rest) == &one);
	expect_str(rest, "");
	expect_true(iosDevFind((char *)"host:a/b", &rest) == &host);
	expect_str(rest, "a/b");
	FAILS(iosDevFind, S_iosLib_DEVICE_NOT_FOUND, iosDevFind((char *)"/dev10", &rest));
	(void)WORKS(iosDevDelete, (iosDevDelete(&longer), 0));
	expect_true(iosDevFind((char *)"/dev1/sub/x", &rest) == &one);
	(void)WORKS(iosDevShow, (iosDevShow(), 0));
	(void)WORKS(iosDrvShow, (iosDrvShow(), 0));
}

TEST(wrong_arguments_are_refused)
{
	static char long_name[102];
	static DEV_HDR many[300];
	const int number = install();
	DEV_HDR header;
	char name[16];
	int added = 0;

	memset(long_name, 'x', sizeof(long_name) - 1);
	FAILS(iosDevAdd, EINVAL, iosDevAdd(NULL, (char *)"/x", number));
	FAILS(iosDevAdd, EINVAL, iosDevAdd(&header, NULL, number));
	FAILS(iosDevAdd, S_ioLib_NO_DRIVER, iosDevAdd(&header, (char *)"/x", 63));
	FAILS(iosDevAdd, S_ioLib_NAME_TOO_LONG, iosDevAdd(&header, long_name, number));
	FAILS(iosDevAdd, S_iosLib_DUPLICATE_DEVICE_NAME,
	      iosDevAdd(&header, (char *)"/own", number));
	FAILS(iosInit, S_ioLib_NAME_TOO_LONG, iosInit(1, 1, long_name));
	(void)WORKS(iosInit, iosInit(1, 1, NULL));
	(void)WORKS(iosInit, iosInit(1, 1, (char *)"/null"));
	FAILS(iosInit, S_iosLib_DUPLICATE_DEVICE_NAME, iosInit(1, 1, (char *)"/null"));
	for (; added < 300; added++) {
		snprintf(name, sizeof(name), "/d%d", added);
		if (iosDevAdd(&many[added], name, number) == ERROR)
			break;
	}
	FAILS(iosDevAdd, S_memLib_NOT_ENOUGH_MEMORY, iosDevAdd(&many[added], name, number));
	expect_eq(added, 254);
	FAILS(iosDrvRemove, S_ioLib_NO_DRIVER, iosDrvRemove(0, FALSE));
	while (iosDrvInstall(NULL, NULL, NULL, NULL, NULL, NULL, NULL) != ERROR)
		;
	FAILS(iosDrvInstall, S_iosLib_DRIVER_GLUT,
	      iosDrvInstall(NULL, NULL, NULL, NULL, NULL, NULL, NULL));
}

TEST(driver_in_use_is_removed_by_force)
{
	const int number = install();
	const int fd = open("/own", O_RDWR);
	char c;

	FAILS(iosDrvRemove, EBUSY, iosDrvRemove(number, FALSE));
	(void)WORKS(iosFdShow, (iosFdShow(), 0));
	(void)WORKS(iosDrvRemove, iosDrvRemove(number, TRUE));
	expect_eq(device.closed, 1);
	expect_eq(read(fd, &c, 1), ERROR);
	expect_true(iosDevFind((char *)"/own", NULL) == NULL);
	expect_eq(iosDrvInstall(NULL, NULL, NULL, NULL, NULL, NULL, NULL), number);
}

TEST(descriptors_are_finite)
{
	int fds[1100];
	int opened = 0;

	(void)install();
	while (opened < 1100 && (fds[opened] = open("/own", O_RDWR)) != ERROR)
		opened++;
	FAILS(open, S_iosLib_TOO_MANY_OPEN_FILES, open("/own", O_RDWR));
	FAILS(creat, S_iosLib_TOO_MANY_OPEN_FILES, creat("/own", WRITE));
	expect_true(opened > 500 && opened < 1024);
	while (opened--)
		expect_eq(close(fds[opened]), OK);
	expect_true(open("/own", O_RDWR) > 2);
}

TEST(everything_else_is_linuxs)
{
	char name[] = "/tmp/tactus-vx-XXXXXX";
	char got[16] = "";
	char told[100];
	int fd = mkstemp(name);
	int bytes = 0;

	expect_true(fd >= 0);
	expect_eq(write(fd, "linux", 5), 5);
	expect_eq(lseek(fd, 1, SEEK_SET), 1);
	expect_eq(ioctl(fd, FIOWHERE, 0), 1);
	expect_eq(ioctl(fd, FIONREAD, &bytes), OK);
	expect_eq(bytes, 4);
	bytes = 0;
	expect_eq(ioctl(fd, 1, &bytes), OK); /* VxWorks's number of FIONREAD */
	expect_eq(bytes, 4);
	expect_eq(ioctl(fd, FIOSEEK, 0), OK);
	expect_eq(read(fd, got, sizeof(got)), 5);
	expect_str(got, "linux");
	expect_eq(ioctl(fd, FIOSYNC, 0), OK);
	expect_eq(ioctl(fd, FIOGETNAME, told), OK);
	expect_str(told, name);
	FAILS(ioctl, EINVAL, ioctl(fd, FIOGETNAME, NULL));
	expect_eq(ioctl(fd, FIOISATTY, 0), FALSE);
	FAILS(ioctl, S_ioLib_UNKNOWN_REQUEST, ioctl(fd, FIODISKINIT, 0));
	expect_eq(close(fd), OK);
	fd = creat(name, READ | WRITE);
	expect_true(fd >= 0);
	expect_eq(close(fd), OK);
	fd = creat(name, 0600);
	expect_true(fd >= 0);
	expect_eq(close(fd), OK);
	expect_eq(unlink(name), OK);
	expect_eq(open(name, O_RDONLY), ERROR);
	expect_eq(errno, ENOENT);
}

TEST(options_of_terminals_are_linuxs)
{
	int master, line;

	expect_ok(openpty(&master, &line, NULL, NULL, NULL));
	expect_eq(ioctl(line, FIOSETOPTIONS, OPT_TERMINAL & ~OPT_7_BIT), OK);
	expect_eq(ioctl(line, FIOGETOPTIONS, 0) & OPT_LINE, OPT_LINE);
	expect_eq(ioctl(line, FIOGETOPTIONS, 0) & OPT_7_BIT, 0);
	expect_eq(ioctl(line, FIOSETOPTIONS, OPT_RAW), OK);
	expect_eq(ioctl(line, FIOGETOPTIONS, 0), OPT_RAW);
	expect_eq(write(master, "abc", 3), 3);
	expect_eq(ioctl(line, FIORFLUSH, 0), OK);
	expect_eq(ioctl(line, FIOWFLUSH, 0), OK);
	expect_eq(ioctl(line, FIOFLUSH, 0), OK);
	expect_eq(ioctl(line, FIOISATTY, 0), TRUE);
	expect_eq(ioctl(master, FIOBAUDRATE, 9600), ERROR);
}

static void expect_kept(const char *text)
{
	char got[KEPT + 1] = "";

	memcpy(got, device.kept, (size_t)device.bytes);
	expect_str(got, text);
	device.bytes = 0;
}

static int prints(int fd)
{
	const int own = fd;

	expect_eq(WORKS(ioTaskStdGet, ioTaskStdGet(0, STD_OUT)), STD_OUT);
	(void)WORKS(ioTaskStdSet, (ioTaskStdSet(0, STD_OUT, own), 0));
	expect_eq(ioTaskStdGet(taskIdSelf(), STD_OUT), own);
	expect_eq(WORKS(printf, printf("number %d\n", 7)), 9);
	expect_kept("number 7\n");
	(void)WORKS(puts, puts("line"));
	expect_kept("line\n");
	expect_eq(WORKS(putchar, putchar('c')), 'c');
	expect_kept("c");
	expect_eq(WORKS(putc, putc('d', stdout)), 'd');
	expect_kept("d");
	expect_eq(WORKS(fputc, fputc('e', stdout)), 'e');
	expect_kept("e");
	expect_true(WORKS(fputs, fputs("text", stdout)) >= 0);
	expect_kept("text");
	expect_eq(WORKS(fprintf, fprintf(stdout, "%d", 12)), 2);
	expect_kept("12");
	expect_eq(write(STD_OUT, "raw", 3), 3);
	expect_kept("raw");
	expect_true(fputs("stream", WORKS(stdioFp, stdioFp(STD_OUT))) >= 0);
	expect_kept("stream");
	expect_true(stdioFp(STD_OUT) == stdioFp(STD_OUT));
	expect_true(stdioFp(STD_IN) == stdin);
	FAILS(stdioFp, S_iosLib_INVALID_FILE_DESCRIPTOR, stdioFp(7));
	ioTaskStdSet(0, STD_OUT, STD_OUT);
	expect_eq(ioTaskStdGet(0, STD_OUT), STD_OUT);
	mark("printed");
	return 0;
}

__attribute__((format(printf, 2, 3))) static void print_args(int fd, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	expect_eq(WORKS(vfdprintf, vfdprintf(fd, format, args)), 2);
	va_end(args);
	expect_kept("v7");
	va_start(args, format);
	expect_eq(WORKS(vfprintf, vfprintf(stdout, format, args)), 2);
	va_end(args);
	expect_kept("v7");
	va_start(args, format);
	expect_eq(WORKS(vprintf, vprintf(format, args)), 2);
	va_end(args);
	expect_kept("v7");
}

TEST(standard_descriptors_are_set_for_all_and_for_one)
{
	int fd;

	(void)install();
	fd = open("/own", O_RDWR);
	vx_in_task(100, (FUNCPTR)prints, fd);
	expect_marks("printed");
	expect_eq(WORKS(fdprintf, fdprintf(fd, "%s", "fd")), 2);
	expect_kept("fd");
	FAILS(ioTaskStdGet, S_objLib_OBJ_ID_ERROR, ioTaskStdGet(12345, STD_OUT));
	expect_eq(WORKS(ioGlobalStdGet, ioGlobalStdGet(STD_ERR)), STD_ERR);
	(void)WORKS(ioGlobalStdSet, (ioGlobalStdSet(STD_ERR, fd), 0));
	expect_eq(printErr("error %d", 5), 7);
	expect_kept("error 5");
	ioGlobalStdSet(STD_ERR, STD_ERR);
	expect_eq(ioGlobalStdGet(17), ERROR);
	ioGlobalStdSet(STD_OUT, fd);
	print_args(fd, "v%d", 7);
	(void)logMsg((char *)"logged %d\n", 1, 0, 0, 0, 0, 0);
	expect_eq(taskDelay(2), OK);
	expect_true(memmem(device.kept, (size_t)device.bytes, "logged 1\n", 9) != NULL);
	ioGlobalStdSet(STD_OUT, STD_OUT);
}

static void handler(void *fd_of_linux)
{
	const int file = (int)(intptr_t)fd_of_linux;
	static DEV_HDR header;
	const int number = device.header.drvNum;
	int bytes;
	char c;

	FAILS(open, S_intLib_NOT_ISR_CALLABLE, open("/own", O_RDWR));
	FAILS(creat, S_intLib_NOT_ISR_CALLABLE, creat("/own", WRITE));
	FAILS(close, S_intLib_NOT_ISR_CALLABLE, close(file));
	FAILS(read, S_intLib_NOT_ISR_CALLABLE, read(file, &c, 1));
	FAILS(write, S_intLib_NOT_ISR_CALLABLE, write(file, "x", 1));
	FAILS(ioctl, S_intLib_NOT_ISR_CALLABLE, ioctl(file, FIONREAD, &bytes));
	FAILS(remove, S_intLib_NOT_ISR_CALLABLE, remove("/own/a"));
	FAILS(unlink, S_intLib_NOT_ISR_CALLABLE, unlink("/own/a"));
	FAILS(rename, S_intLib_NOT_ISR_CALLABLE, rename("/own/a", "b"));
	FAILS(iosDrvInstall, S_intLib_NOT_ISR_CALLABLE,
	      iosDrvInstall(NULL, NULL, NULL, NULL, NULL, NULL, NULL));
	FAILS(iosDrvRemove, S_intLib_NOT_ISR_CALLABLE, iosDrvRemove(number, TRUE));
	FAILS(iosDevAdd, S_intLib_NOT_ISR_CALLABLE, iosDevAdd(&header, (char *)"/x", number));
	FAILS(iosInit, S_intLib_NOT_ISR_CALLABLE, iosInit(1, 1, (char *)"/x"));
	FAILS(stdioFp, S_intLib_NOT_ISR_CALLABLE, stdioFp(STD_OUT));
	iosDevDelete(&device.header);
	expect_true(iosDevFind((char *)"/own", NULL) == &device.header);
}

static void prints_in_handler(void *unused)
{
	va_list args;

	(void)unused;
	memset(&args, 0, sizeof(args));
	FAILS(vfdprintf, S_intLib_NOT_ISR_CALLABLE, vfdprintf(STD_ERR, "x", args));
}

TEST(handlers_leave_linux_alone)
{
	(void)install();
	test_in_handler(handler, (void *)(intptr_t)dup(STD_ERR));
	test_in_handler(prints_in_handler, NULL);
	expect_eq(device.closed, 0);
}
