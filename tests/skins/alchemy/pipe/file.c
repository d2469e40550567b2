/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pipes as Linux sees them: /dev/rtpN. */
#define _GNU_SOURCE
#include "alchemy_test.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <alchemy/pipe.h>
#include <alchemy/queue.h>

static RT_PIPE fifo;
static char path[24];

static int create(size_t poolsize)
{
	int minor = rt_pipe_create(&fifo, "pipe", P_MINOR_AUTO, poolsize);

	expect_true(minor >= 0);
	snprintf(path, sizeof(path), "/dev/rtp%d", minor);
	return minor;
}

static int create_open(size_t poolsize, int flags)
{
	int fd;

	if (test_on_sim())
		test_skip("virtual time knows no file");
	create(poolsize);
	fd = open(path, flags | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		test_skip("this machine does not let the file be made");
	expect_true(fd >= 0);
	return fd;
}

static void end(int fd)
{
	expect_ok(close(fd));
	expect_ok(rt_pipe_delete(&fifo));
	expect_true(access(path, F_OK) < 0);
}

static void expect_read(int fd, size_t size, const char *text)
{
	char got[64] = "";

	expect_eq(read(fd, got, size), strlen(text));
	expect_str(got, text);
}

TEST(a_read_gives_one_message_and_the_rest_next_time)
{
	int fd = create_open(0, O_RDWR);

	expect_eq(rt_pipe_write(&fifo, "one", 3, P_NORMAL), 3);
	expect_eq(rt_pipe_write(&fifo, "three", 5, P_NORMAL), 5);
	expect_eq(rt_pipe_write(&fifo, "now", 3, P_URGENT), 3);
	expect_read(fd, 64, "now");
	expect_read(fd, 64, "one");
	expect_read(fd, 2, "th");
	expect_eq(rt_pipe_write(&fifo, "x", 1, P_NORMAL), 1);
	expect_read(fd, 64, "ree");
	expect_read(fd, 64, "x");
	end(fd);
}

TEST(a_write_is_one_message)
{
	static char longest[64 << 10];
	char got[16];
	int fd = create_open(1 << 20, O_RDWR);

	expect_eq(write(fd, "one", 3), 3);
	expect_eq(write(fd, "three", 5), 5);
	expect_eq(rt_pipe_read(&fifo, got, sizeof(got), TM_INFINITE), 3);
	expect_error(rt_pipe_read(&fifo, got, 4, TM_INFINITE), ENOBUFS);
	expect_error(rt_pipe_read(&fifo, got, 4, TM_NONBLOCK), EWOULDBLOCK);
	memset(longest, 'x', sizeof(longest));
	expect_eq(write(fd, longest, sizeof(longest)), sizeof(longest));
	expect_eq(rt_pipe_read(&fifo, longest, sizeof(longest), TM_INFINITE), sizeof(longest));
	end(fd);
}

TEST(streams_join_what_was_not_read)
{
	static char much[PIPE_BUF * 8];
	int fd = create_open(0, O_RDWR | O_NONBLOCK);
	size_t bytes = 0;
	ssize_t got;

	expect_eq(rt_pipe_stream(&fifo, "ab", 2), 2);
	expect_eq(rt_pipe_write(&fifo, "m", 1, P_NORMAL), 1);
	expect_eq(rt_pipe_stream(&fifo, "cd", 2), 2);
	expect_read(fd, 64, "abcd");
	expect_eq(rt_pipe_stream(&fifo, "e", 1), 1);
	expect_read(fd, 64, "m");
	expect_read(fd, 64, "e");
	expect_eq(rt_pipe_stream(&fifo, much, sizeof(much)), 16384);
	while ((got = read(fd, much, 1000)) > 0)
		bytes += (size_t)got;
	expect_eq(errno, EAGAIN);
	expect_eq(bytes, 16384);
	end(fd);
}

static void write_later(void *unused)
{
	(void)unused;
	tact_task_sleep(20 * TEST_MS);
	expect_eq(rt_pipe_write(&fifo, "later", 5, P_NORMAL), 5);
	tact_task_sleep(20 * TEST_MS);
	expect_eq(rt_pipe_stream(&fifo, "more", 4), 4);
}

TEST(readers_and_pollers_wait)
{
	int fd = create_open(0, O_RDWR);
	struct pollfd poller = {.fd = fd, .events = POLLIN | POLLOUT};
	tact_task_t task;

	expect_eq(poll(&poller, 1, 0), 1);
	expect_eq(poller.revents, POLLOUT);
	poller.events = POLLIN;
	expect_eq(poll(&poller, 1, 1), 0);
	task = test_spawn(10, write_later, NULL);
	expect_read(fd, 64, "later");
	expect_eq(poll(&poller, 1, 10000), 1);
	expect_eq(poller.revents, POLLIN);
	expect_read(fd, 64, "more");
	test_join(task);
	end(fd);
}

TEST(writers_wait_for_room)
{
	static char half[20000];
	int fd = create_open(32768, O_RDWR);
	int eager = open(path, O_RDWR);
	pid_t child;
	int status;

	/* One at a time has it open. */
	expect_eq(eager, -1);
	expect_eq(errno, EBUSY);
	expect_eq(write(fd, half, sizeof(half)), sizeof(half));
	expect_ok(fcntl(fd, F_SETFL, O_NONBLOCK));
	expect_eq(write(fd, half, sizeof(half)), -1);
	expect_eq(errno, EAGAIN);
	expect_ok(fcntl(fd, F_SETFL, 0));
	child = fork();
	expect_true(child >= 0);
	if (!child)
		_exit(write(fd, half, sizeof(half)) != sizeof(half));
	usleep(20000);
	expect_eq(waitpid(child, &status, WNOHANG), 0);
	expect_eq(rt_pipe_read(&fifo, half, sizeof(half), TM_INFINITE), sizeof(half));
	expect_eq(rt_pipe_read(&fifo, half, sizeof(half), TM_INFINITE), sizeof(half));
	expect_eq(waitpid(child, &status, 0), child);
	expect_eq(status, 0);
	end(fd);
}

static void *read_for_ever(void *fd)
{
	char text[8];

	for (;;)
		(void)!read(*(int *)fd, text, sizeof(text));
	return NULL;
}

TEST(a_reader_can_be_cancelled)
{
	int fd = create_open(0, O_RDWR);
	pthread_t thread;
	void *result;

	expect_ok(pthread_create(&thread, NULL, read_for_ever, &fd));
	usleep(20000);
	expect_ok(pthread_cancel(thread));
	expect_ok(pthread_join(thread, &result));
	expect_true(result == PTHREAD_CANCELED);
	/* The next message is for the next reader. */
	expect_eq(rt_pipe_write(&fifo, "next", 4, P_NORMAL), 4);
	expect_read(fd, 64, "next");
	end(fd);
}

static void *delete_later(void *unused)
{
	usleep(20000);
	expect_ok(rt_pipe_delete(&fifo));
	return unused;
}

TEST(deletion_ends_the_file_under_its_reader)
{
	int fd = create_open(0, O_RDWR);
	pthread_t thread;
	char text[8];

	expect_ok(pthread_create(&thread, NULL, delete_later, NULL));
	expect_eq(read(fd, text, sizeof(text)), 0);
	expect_ok(pthread_join(thread, NULL));
	expect_eq(read(fd, text, sizeof(text)), -1);
	expect_ok(close(fd));
	/* The number is free, and its file a new one. */
	create(0);
	fd = open(path, O_RDWR);
	expect_true(fd >= 0);
	expect_eq(write(fd, "new", 3), 3);
	expect_eq(rt_pipe_read(&fifo, text, sizeof(text), TM_INFINITE), 3);
	end(fd);
}

static _Atomic bool doomed;
static _Atomic pid_t doomed_tid;

/* It is in Linux until it is marked to end. */
static void delete_when_doomed(void *unused)
{
	(void)unused;
	expect_ok(tact_task_relax());
	doomed_tid = gettid();
	while (!doomed)
		;
	(void)rt_pipe_delete(&fifo);
}

TEST(task_that_ends_within_the_deletion_leaves_the_file_served)
{
	int fd = create_open(0, O_RDWR | O_NONBLOCK);
	RT_TASK task;
	char text[8];

	doomed = false;
	doomed_tid = 0;
	expect_eq(rt_pipe_write(&fifo, "two", 3, P_NORMAL), 3);
	expect_read(fd, 1, "t");
	expect_ok(rt_task_spawn(&task, NULL, 0, 10, 0, delete_when_doomed, NULL));
	while (!doomed_tid)
		usleep(1000);
	expect_ok(rt_task_delete(&task));
	doomed = true;
	until_thread_ends(doomed_tid);
	expect_true(read(fd, text, sizeof(text)) >= 0 || errno == EAGAIN);
	expect_ok(close(fd));
}

TEST(link_bears_the_name)
{
	int fd = create_open(0, O_RDWR);
	char target[64] = "";

	expect_true(readlink("/run/tactus/rtp/pipe", target, sizeof(target) - 1) > 0);
	expect_str(target, path);
	end(fd);
	expect_true(access("/run/tactus/rtp/pipe", F_OK) < 0);
}

/* Its links could lead anywhere. */
TEST(link_is_not_made_in_the_folder_of_another_user)
{
	if (geteuid() || unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/run", "tmpfs", 0, NULL))
		test_skip("may not cover folders");
	expect_ok(mkdir("/run/tactus", 01777));
	expect_ok(mkdir("/run/elsewhere", 0755));
	expect_ok(symlink("/etc/hostname", "/run/elsewhere/pipe"));
	expect_ok(symlink("/run/elsewhere", "/run/tactus/rtp"));
	end(create_open(0, O_RDWR));
	expect_true(unlink("/run/tactus/rtp") == 0 && mkdir("/run/tactus/rtp", 0755) == 0);
	expect_ok(chown("/run/tactus/rtp", 65534, 65534));
	int fd = create_open(0, O_RDWR);

	expect_true(access("/run/tactus/rtp/pipe", F_OK) < 0);
	end(fd);
	expect_true(readlink("/run/elsewhere/pipe", path, sizeof(path)) > 0);
}

TEST(other_processes_use_it)
{
	char command[128];
	char text[16] = "";
	FILE *other;

	expect_ok(close(create_open(0, O_RDWR)));
	expect_eq(rt_pipe_write(&fifo, "to others", 9, P_NORMAL), 9);
	snprintf(command, sizeof(command), "echo from others > %s; head -c 9 %s", path, path);
	other = popen(command, "r");
	expect_true(other && fgets(text, sizeof(text), other));
	expect_str(text, "to others");
	expect_ok(pclose(other));
	expect_eq(rt_pipe_read(&fifo, text, sizeof(text), TM_INFINITE), 12);
	expect_ok(memcmp(text, "from others\n", 12));
	expect_ok(rt_pipe_delete(&fifo));
}

/* What one process leaves that is killed is replaced. */
TEST_UNSTARTED(file_of_a_killed_program_is_replaced)
{
	struct tact_config config = {.cpus = 1};
	char reason[TACT_REASON_BYTES];
	char text[8];
	pid_t child;
	int status;
	int fd;

	if (test_on_sim())
		test_skip("virtual time knows no file");
	child = fork();
	expect_true(child >= 0);
	if (!child) {
		expect_ok(test_start(&config, reason));
		if (rt_pipe_create(&fifo, "pipe", 31, 0) != 31)
			_exit(1);
		raise(SIGKILL);
	}
	expect_eq(waitpid(child, &status, 0), child);
	expect_eq(status, SIGKILL);
	expect_eq(open("/dev/rtp31", O_RDWR), -1);
	if (errno == ENOENT)
		test_skip("this machine does not let the file be made");
	expect_eq(errno, ENOTCONN);
	expect_ok(test_start(&config, reason));
	expect_eq(rt_pipe_create(&fifo, "pipe", 31, 0), 31);
	strcpy(path, "/dev/rtp31");
	fd = open(path, O_RDWR);
	expect_true(fd >= 0);
	expect_eq(write(fd, "new", 3), 3);
	expect_eq(rt_pipe_read(&fifo, text, sizeof(text), TM_INFINITE), 3);
	end(fd);
}

#define LONG_BYTES 60000

static _Atomic unsigned int taken;

/* One byte at a time, to the end. */
static void *read_slowly(void *fd)
{
	char byte;

	while (read(*(int *)fd, &byte, 1) == 1) {
		expect_eq(byte, 'a');
		taken++;
	}
	return NULL;
}

/* When it is told of the deletion, it takes the freed memory. */
static void write_to_what_is_free(void *queue)
{
	char *message;

	expect_error(rt_pipe_read(&fifo, &message, sizeof(message), TM_INFINITE), EIDRM);
	expect_ok(rt_queue_create(queue, NULL, 2 * LONG_BYTES, 1, Q_FIFO));
	message = rt_queue_alloc(queue, 2 * LONG_BYTES);
	memset(message, 'b', 2 * LONG_BYTES);
}

static void delete_under_a_reader(void)
{
	static char message[LONG_BYTES];
	int fd = create_open(LONG_BYTES, O_RDONLY);
	pthread_t reader;
	RT_QUEUE queue;
	RT_TASK task;

	taken = 0;
	memset(message, 'a', sizeof(message));
	expect_eq(rt_pipe_write(&fifo, message, sizeof(message), P_NORMAL), sizeof(message));
	spawn_waiter(&task, 50, write_to_what_is_free, &queue);
	expect_ok(pthread_create(&reader, NULL, read_slowly, &fd));
	while (taken < 10)
		usleep(100);
	expect_ok(rt_pipe_delete(&fifo));
	expect_ok(pthread_join(reader, NULL));
	expect_true(taken < sizeof(message));
	join(&task);
	expect_ok(rt_queue_delete(&queue));
	expect_ok(close(fd));
}

TEST(reader_of_a_message_sees_the_end_of_the_pipe)
{
	for (int i = 0; i < 30; i++)
		delete_under_a_reader();
}
