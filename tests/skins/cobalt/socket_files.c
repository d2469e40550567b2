/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The files by which Linux reads and writes real-time sockets. */
#include "sockets.h"

#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>

#define WORD "a word"

/* The file, or -1: it cannot be made here. */
static int open_file(int port)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/rtp%d", port);
	fd = open(path, O_RDWR);
	if (fd < 0)
		__STD(printf)("# no %s here: its side of Linux is not tested\n", path);
	return fd;
}

static void linux_reads_and_writes_the_file(void)
{
	int fd = rtipc_socket(IPCPROTO_XDDP);
	char buffer[32] = "";
	int file, other;

	expect_ok(set_size(fd, SOL_XDDP, XDDP_BUFSZ, 1024));
	expect_ok(set_label(fd, SOL_XDDP, "xddp-of-a-test"));
	expect_ok(bind_to(fd, -1));
	file = open_file(port_of(fd));
	if (file >= 0) {
		expect_eq(write(file, WORD, 6), 6);
		expect_text(fd, 0, WORD);
		send_text(fd, MSG_MORE, "gath");
		send_text(fd, MSG_MORE, "ered");
		send_text(fd, 0, "alone");
		send_text(fd, MSG_MORE, "later");
		expect_eq(read(file, buffer, sizeof(buffer)), 8);
		expect_ok(strncmp(buffer, "gathered", 8));
		expect_eq(read(file, buffer, sizeof(buffer)), 5);
		expect_ok(strncmp(buffer, "alone", 5));
		expect_eq(read(file, buffer, sizeof(buffer)), 5);
		expect_ok(strncmp(buffer, "later", 5));
		expect_eq(write(file, WORD, 6), 6);
		expect_errno(recv(fd, buffer, 3, 0), ENOBUFS);
		expect_ok(close(file));
		other = open("/proc/xenomai/registry/rtipc/xddp/xddp-of-a-test", O_RDWR);
		expect_true(other >= 0);
		expect_ok(close(other));
	}
	expect_ok(close(fd));
}

static void *open_early(void *path)
{
	return (void *)(long)open(path, O_RDWR);
}

/* A thread of the program may bind the port after another one's open(). */
static void expect_awaited(char *path, int port)
{
	int fd = rtipc_socket(IPCPROTO_XDDP);
	pthread_t thread;
	void *opened;
	int file;

	expect_errno(open(path, O_RDWR | O_NONBLOCK), ENOENT);
	expect_ok(pthread_create(&thread, NULL, open_early, path));
	usleep(50000);
	expect_ok(set_label(fd, SOL_XDDP, "xddp-awaited"));
	expect_ok(bind_to(fd, port));
	expect_ok(pthread_join(thread, &opened));
	file = (int)(long)opened;
	expect_true(file >= 0);
	if (file >= 0) {
		expect_eq(write(file, WORD, 6), 6);
		expect_text(fd, 0, WORD);
		expect_ok(close(file));
	}
	expect_ok(close(fd));
	for (int i = 0; i < 1000 && !access(path, F_OK); i++)
		usleep(1000);
}

static void a_file_is_waited_for(void)
{
	int fd = rtipc_socket(IPCPROTO_XDDP);
	char path[32];
	int port, file;

	expect_ok(bind_to(fd, -1));
	port = port_of(fd);
	file = open_file(port);
	snprintf(path, sizeof(path), "/dev/rtp%d", port);
	expect_ok(close(fd));
	if (file < 0)
		return;
	expect_ok(close(file));
	for (int i = 0; i < 1000 && !access(path, F_OK); i++)
		usleep(1000);
	expect_awaited(path, port);
	expect_awaited("/proc/xenomai/registry/rtipc/xddp/xddp-awaited", -1);
	expect_errno(open("/proc/xenomai/registry/rtipc/xddp/xddp-of-nobody", O_RDWR), ENOENT);
}

/* All users may make that folder, and its links may lead anywhere. It is the last case, because it
 * covers folders. */
static void label_of_another_user_is_not_opened(void)
{
	if (geteuid() || unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/run", "tmpfs", 0, NULL)) {
		__STD(printf)("# folders may not be covered: other users' labels are not tested\n");
		return;
	}
	expect_ok(mkdir("/run/tactus", 01777));
	expect_ok(mkdir("/run/tactus/rtp", 0755));
	expect_ok(symlink("/dev/null", "/run/tactus/rtp/a-label"));
	expect_ok(close(open("/proc/xenomai/registry/rtipc/xddp/a-label", O_RDWR)));
	expect_ok(chown("/run/tactus/rtp", 65534, 65534));
	expect_errno(open("/proc/xenomai/registry/rtipc/xddp/a-label", O_RDWR), EACCES);
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(linux_reads_and_writes_the_file),
		CASE(a_file_is_waited_for),
		CASE(label_of_another_user_is_not_opened),
	};

	own_session();
	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
