/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program that opens, reads and polls FIFOs as files, beside files of Linux. It is linked as
 * programs are, with open(), read() and so on replaced.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/select.h>

#include <rtai_fifos.h>
#include <rtai_file.h>

#define MS(n) ((RTIME)(n)*1000000)

/* The test's own fixture would be linked with the replaced functions, too. */
#define expect_eq(actual, expected) check(__LINE__, #actual, (long)(actual), (long)(expected))
#define expect_true(condition)      check(__LINE__, #condition, !!(condition), 1)

static int failures;
static char data[32];

static void check(int line, const char *text, long actual, long expected)
{
	if (actual == expected)
		return;
	failures++;
	printf("program_files.c:%d: %s: expected %ld, actual %ld\n", line, text, expected, actual);
}

static void files_of_linux_are_linuxs(void)
{
	int fd = open("/dev/zero", O_RDWR);
	int pipes[2];

	expect_true(fd >= 0);
	expect_eq(read(fd, data, 4), 4);
	expect_eq(write(fd, data, 4), 4);
	expect_eq(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDWR);
	expect_eq(lseek(fd, 0, SEEK_SET), 0);
	expect_eq(close(fd), 0);
	expect_eq(close(fd), -1);
	expect_eq(errno, EBADF);
	expect_eq(open("/none/such", O_RDONLY), -1);
	expect_eq(errno, ENOENT);
	fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);
	if (fd >= 0)
		expect_eq(close(fd), 0);
	expect_eq(pipe(pipes), 0);
	expect_eq(write(pipes[1], "abc", 3), 3);
	fd = 0;
	expect_eq(ioctl(pipes[0], FIONREAD, &fd), 0);
	expect_eq(fd, 3);
	close(pipes[0]);
	close(pipes[1]);
}

static void fifos_are_files(void)
{
	int fd = open("/dev/rtf2", O_RDWR);
	int there = 0;

	expect_true(rtai_file_is(fd));
	expect_eq(write(fd, "abcd", 4), 4);
	expect_eq(rtf_get(2, data, 2), 2);
	expect_eq(ioctl(fd, FIONREAD, &there), 0);
	expect_eq(there, 2);
	expect_eq(read(fd, data, sizeof(data)), 2);
	rtf_put(2, "ef", 2);
	expect_eq(lseek(fd, 0, SEEK_SET), 0);
	expect_eq(fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK), 0);
	expect_eq(read(fd, data, 1), -1);
	expect_eq(errno, EAGAIN);
	expect_eq(open("/dev/rtf99", O_RDWR), -1);
	expect_eq(errno, ENODEV);
	expect_eq(close(fd), 0);
	expect_eq(rtf_get_avbs(2), -EINVAL);
}

/* Through a name that the linker does not replace. */
static void linux_does_not_read_them(void)
{
	int fd = open("/dev/rtf2", O_RDWR);
	FILE *file = fdopen(fd, "r");

	expect_true(!file || !fread(data, 1, 1, file));
	expect_eq(close(fd), 0);
	if (file)
		(void)fclose(file);
}

static void *put_later(void *arg)
{
	(void)arg;
	rt_sleep(MS(12));
	rtf_put(2, "abc", 3);
	return NULL;
}

static void fifos_and_files_are_polled(void)
{
	struct pollfd wish[2] = {{.events = POLLIN}, {.events = POLLIN}};
	long peer;
	int pipes[2];

	expect_eq(pipe(pipes), 0);
	wish[0].fd = pipes[0];
	wish[1].fd = open("/dev/rtf2", O_RDONLY);
	expect_eq(poll(wish, 2, 0), 0);
	expect_eq(poll(wish, 2, 8), 0);
	peer = rt_thread_create((void *)put_later, NULL, 0);
	expect_eq(poll(wish, 2, -1), 1);
	expect_eq(wish[0].revents, 0);
	expect_eq(wish[1].revents, POLLIN);
	expect_eq(rt_thread_join(peer), 0);
	expect_eq(write(pipes[1], "x", 1), 1);
	expect_eq(poll(wish, 2, 100), 2);
	expect_eq(read(wish[1].fd, data, 3), 3);
	expect_eq(poll(wish, 2, 100), 1);
	expect_eq(wish[0].revents, POLLIN);
	expect_eq(poll(wish, 1, 0), 1);
	close(wish[1].fd);
	close(pipes[0]);
	close(pipes[1]);
}

static void fifos_are_selected(void)
{
	struct timeval timeout = {0, 3000};
	const RTIME begin = rt_get_time_ns();
	int fd = open("/dev/rtf2", O_RDWR);
	long peer;
	fd_set in;
	fd_set out;

	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_SET(fd, &in);
	expect_eq(select(fd + 1, &in, NULL, NULL, &timeout), 0);
	expect_true(!FD_ISSET(fd, &in));
	expect_true(rt_get_time_ns() - begin >= MS(3));
	expect_eq(timeout.tv_sec * 1000000 + timeout.tv_usec, 0);
	peer = rt_thread_create((void *)put_later, NULL, 0);
	FD_SET(fd, &in);
	timeout.tv_sec = 10;
	expect_eq(select(fd + 1, &in, NULL, NULL, &timeout), 1);
	expect_true(FD_ISSET(fd, &in));
	expect_true(timeout.tv_sec == 9);
	expect_eq(rt_thread_join(peer), 0);
	FD_SET(fd, &out);
	expect_eq(select(fd + 1, &in, &out, NULL, NULL), 2);
	timeout = (struct timeval){0, 2000};
	expect_eq(select(0, NULL, NULL, NULL, &timeout), 0);
	FD_SET(200, &in);
	expect_eq(select(201, &in, NULL, NULL, NULL), -1);
	expect_eq(errno, EBADF);
	timeout.tv_sec = -1;
	expect_eq(select(0, NULL, NULL, NULL, &timeout), -1);
	expect_eq(errno, EINVAL);
	close(fd);
}

/* A thread of Linux reads what a hard task writes, as a logger does. */
static void *log_it(void *arg)
{
	long *sum = arg;
	int fd = open("/dev/rtf2", O_RDONLY);
	int value = 0;

	while (read(fd, &value, sizeof(value)) == sizeof(value) && value)
		*sum += value;
	close(fd);
	return NULL;
}

static void a_thread_of_linux_reads_what_a_hard_task_writes(void)
{
	pthread_t logger;
	long sum = 0;

	rtf_create(2, 4000);
	expect_eq(pthread_create(&logger, NULL, log_it, &sum), 0);
	for (int value = 1; value <= 10; value++) {
		rt_sleep(MS(1));
		expect_eq(rtf_put(2, &value, sizeof(value)), sizeof(value));
	}
	expect_eq(rtf_put(2, &(int){0}, sizeof(int)), sizeof(int));
	rt_make_soft_real_time();
	expect_eq(pthread_join(logger, NULL), 0);
	expect_eq(sum, 55);
	rtf_destroy(2);
}

int main(void)
{
	RT_TASK *self = rt_task_init(nam2num("FILES"), 5, 0, 0);

	expect_true(self != NULL);
	rt_make_hard_real_time();
	files_of_linux_are_linuxs();
	fifos_are_files();
	linux_does_not_read_them();
	fifos_and_files_are_polled();
	fifos_are_selected();
	a_thread_of_linux_reads_what_a_hard_task_writes();
	rt_task_delete(self);
	return failures != 0;
}
