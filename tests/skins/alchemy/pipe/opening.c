/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A thread that opens /dev/rtpN while it is made gets the pipe or nothing, and is the only one. */
#define _GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include <alchemy/pipe.h>

#define ROUNDS 30

static char path[24];

struct opener {
	_Atomic bool tries;
	int error; /* that was not to be */
	int fd;
};

static void *open_early(void *arg)
{
	struct opener *opener = arg;

	do {
		opener->fd = open(path, O_RDWR | O_CLOEXEC);
		opener->tries = true;
	} while (opener->fd < 0 && (errno == ENOENT || errno == ENXIO));
	opener->error = opener->fd < 0 ? errno : 0;
	return NULL;
}

TEST(file_is_the_pipe_from_the_moment_in_which_it_is_there)
{
	RT_PIPE pipe;
	int minor;

	if (test_on_sim())
		test_skip("virtual time knows no file");
	minor = rt_pipe_create(&pipe, NULL, P_MINOR_AUTO, 0);
	expect_true(minor >= 0);
	snprintf(path, sizeof(path), "/dev/rtp%d", minor);
	if (access(path, F_OK))
		test_skip("this machine does not let the file be made");
	for (int i = 0; i < ROUNDS; i++) {
		struct opener opener = {.fd = -1};
		pthread_t thread;
		char got;

		expect_ok(rt_pipe_delete(&pipe));
		expect_ok(pthread_create(&thread, NULL, open_early, &opener));
		while (!opener.tries)
			usleep(100);
		expect_eq(rt_pipe_create(&pipe, NULL, minor, 0), minor);
		expect_ok(pthread_join(thread, NULL));
		expect_eq(opener.error, 0);
		expect_eq(write(opener.fd, "x", 1), 1);
		expect_eq(rt_pipe_read(&pipe, &got, 1, TM_NONBLOCK), 1);
		expect_ok(close(opener.fd));
	}
	expect_ok(rt_pipe_delete(&pipe));
}
