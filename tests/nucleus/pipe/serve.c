/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pipes whose Linux end another process has, through a socket. */
#include "test.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static tact_pipe_t tube;

/* Answers every message, with a letter changed. */
static void echo(void *arg)
{
	(void)arg;
	for (;;) {
		char data[64];
		int bytes = tact_pipe_read(tube, data, sizeof(data), TEST_LONG);

		if (bytes == -TACT_EIDRM)
			return;
		expect_true(bytes > 0);
		data[0] = 'E';
		expect_ok(tact_pipe_write(tube, data, (size_t)bytes, TEST_LONG));
	}
}

/* A socket, and where the address that tact_pipe_serve() gave is for Linux. */
static int socket_for(const char *address, struct sockaddr_un *at, socklen_t *bytes)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	expect_true(fd >= 0 && address[0] == '@');
	*at = (struct sockaddr_un){.sun_family = AF_UNIX};
	memcpy(at->sun_path + 1, address + 1, strlen(address) - 1);
	*bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(address));
	return fd;
}

static int client(const char *address)
{
	struct sockaddr_un at;
	socklen_t bytes;
	int fd = socket_for(address, &at, &bytes);

	expect_ok(connect(fd, (struct sockaddr *)&at, bytes));
	return fd;
}

static void ask(int fd, const char *question, const char *answer)
{
	char data[64] = "";

	expect_eq(send(fd, question, strlen(question), 0), strlen(question));
	expect_eq(recv(fd, data, sizeof(data), 0), strlen(answer));
	expect_str(data, answer);
}

TEST(a_process_talks_to_a_task_and_another_one_after_it)
{
	char address[TACT_PIPE_ADDRESS_BYTES];
	tact_task_t task;
	int fd;

	if (test_on_sim())
		test_skip("virtual time has no other processes");
	expect_ok(tact_pipe_create("served", 256, 0, &tube));
	expect_ok(tact_pipe_serve(tube, address, sizeof(address)));
	expect_error(tact_pipe_serve(tube, NULL, 0), TACT_EBUSY);
	task = test_spawn(10, echo, NULL);
	for (int i = 0; i < 3; i++) {
		fd = client(address);
		ask(fd, "hello", "Eello");
		ask(fd, "again", "Egain");
		close(fd);
	}
	fd = client(address);
	ask(fd, "last", "East");
	expect_ok(tact_pipe_delete(tube));
	test_join(task);
	/* The server hangs up. */
	expect_eq(recv(fd, address, sizeof(address), 0), 0);
	close(fd);
}

TEST(what_cannot_be_served_is_refused)
{
	char address[TACT_PIPE_ADDRESS_BYTES];
	char small[4];
	tact_pipe_t unnamed;

	if (test_on_sim())
		test_skip("virtual time has no other processes");
	expect_ok(tact_pipe_create(NULL, 256, 0, &unnamed));
	expect_error(tact_pipe_serve(unnamed, address, sizeof(address)), TACT_EINVAL);
	expect_ok(tact_pipe_create("small", 256, 0, &tube));
	expect_error(tact_pipe_serve(tube, small, sizeof(small)), TACT_EINVAL);
	expect_ok(tact_pipe_serve(tube, NULL, 0));
}

TEST(name_that_another_program_serves_is_refused)
{
	struct sockaddr_un at;
	socklen_t bytes;
	int other;

	if (test_on_sim())
		test_skip("virtual time has no other processes");
	other = socket_for("@tactus/test/taken", &at, &bytes);
	/* Another run of this test may have it: that is another program just as well. */
	expect_true(!bind(other, (struct sockaddr *)&at, bytes) || errno == EADDRINUSE);
	expect_ok(tact_pipe_create("taken", 256, 0, &tube));
	expect_error(tact_pipe_serve(tube, NULL, 0), TACT_EEXIST);
	close(other);
}

TEST(serving_wants_a_pipe_and_a_descriptor)
{
	struct rlimit limit;
	struct rlimit none;

	if (test_on_sim())
		test_skip("virtual time has no other processes");
	expect_ok(tact_pipe_create("gone", 256, 0, &tube));
	expect_ok(tact_pipe_delete(tube));
	expect_error(tact_pipe_serve(tube, NULL, 0), TACT_EIDRM);
	expect_ok(tact_pipe_create("wanting", 256, 0, &tube));
	expect_ok(getrlimit(RLIMIT_NOFILE, &limit));
	none = limit;
	none.rlim_cur = 0;
	expect_ok(setrlimit(RLIMIT_NOFILE, &none));
	expect_error(tact_pipe_serve(tube, NULL, 0), TACT_ENOMEM);
	expect_ok(setrlimit(RLIMIT_NOFILE, &limit));
	expect_ok(tact_pipe_serve(tube, NULL, 0));
}

/* No client takes what the task has written: there is none, or it does not read. */
static int delete_with_undelivered(bool with_client)
{
	char address[TACT_PIPE_ADDRESS_BYTES];
	char data[200] = "undelivered";
	int result = 0;
	int fd = -1;

	expect_ok(tact_pipe_create("undelivered", 256, 0, &tube));
	for (int i = 0; i < 3000; i++) {
		result = tact_pipe_serve(tube, address, sizeof(address));
		if (result != -TACT_EEXIST)
			break;
		usleep(1000);
	}
	expect_ok(result);
	if (with_client)
		fd = client(address);
	for (int i = 0; !result; i++) {
		expect_true(i < 10000);
		result = tact_pipe_write(tube, data, sizeof(data), tact_in(50 * TEST_MS));
	}
	expect_eq(result, -TACT_ETIMEDOUT);
	expect_ok(tact_pipe_delete(tube));
	return fd;
}

TEST(serving_ends_with_the_pipe_whatever_was_not_delivered)
{
	if (test_on_sim())
		test_skip("virtual time has no other processes");
	for (int i = 0; i < 2; i++) {
		int silent = delete_with_undelivered(true);

		/* The name is free again while the client still says and reads nothing. */
		(void)delete_with_undelivered(false);
		close(silent);
	}
}

#define RESULTS 200

/* Asked by the client, which is there then. */
static void tell_results(void *arg)
{
	char data[64];

	(void)arg;
	expect_true(tact_pipe_read(tube, data, sizeof(data), TEST_LONG) > 0);
	for (int i = 0; i < RESULTS; i++)
		expect_ok(tact_pipe_write(tube, &i, sizeof(i), TEST_LONG));
}

static void live_until_told(int parent)
{
	struct tact_config config = {.name = "tells"};
	char address[TACT_PIPE_ADDRESS_BYTES];

	expect_ok(test_start(&config, NULL));
	expect_ok(tact_pipe_create("results", 65536, 0, &tube));
	expect_ok(tact_pipe_serve(tube, address, sizeof(address)));
	expect_eq(write(parent, address, sizeof(address)), sizeof(address));
	test_join(test_spawn(10, tell_results, NULL));
	exit(0);
}

TEST_UNSTARTED(what_tasks_have_written_is_delivered_before_the_exit)
{
	char address[TACT_PIPE_ADDRESS_BYTES];
	int ends[2], result, count = 0;
	pid_t child;
	int fd;

	if (test_on_sim())
		test_skip("virtual time has no other processes");
	expect_ok(pipe(ends));
	child = fork();
	if (!child)
		live_until_told(ends[1]);
	expect_eq(read(ends[0], address, sizeof(address)), sizeof(address));
	fd = client(address);
	expect_eq(send(fd, "tell", 4, 0), 4);
	while (recv(fd, &result, sizeof(result), 0) == sizeof(result))
		expect_eq(result, count++);
	expect_eq(count, RESULTS);
	expect_eq(waitpid(child, &result, 0), child);
	expect_eq(result, 0);
	close(fd);
}
