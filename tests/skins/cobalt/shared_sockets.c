/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Real-time sockets between processes of a session. */
#include "shared_sockets.h"

#include <fcntl.h>
#include <sys/resource.h>

static int connected(int protocol)
{
	int fd = rtipc_socket(protocol);

	expect_ok(connect_to(fd, PORT));
	return fd;
}

static void *receive_datagrams(void *unused)
{
	int fd = bound_socket(IPCPROTO_IDDP, PORT);
	struct sockaddr_ipc from = {0};
	socklen_t length = sizeof(from);
	char text[16] = "";

	reach(BOUND);
	await(SENT);
	expect_text(fd, 0, "urgent");
	expect_eq(recvfrom(fd, text, sizeof(text), 0, (struct sockaddr *)&from, &length), 5);
	expect_ok(strcmp(text, "first"));
	expect_eq(from.sipc_port, 9);
	expect_text(fd, 0, "in parts");
	expect_ok(connect_to(fd, 9));
	send_text(fd, 0, "answer");
	await(RECEIVED);
	expect_ok(close(fd));
	return unused;
}

static void *send_datagrams(void *unused)
{
	int fd = bound_socket(IPCPROTO_IDDP, 9);
	struct iovec parts[] = {{(void *)(uintptr_t) "in ", 3}, {(void *)(uintptr_t) "parts", 5}};
	struct msghdr header = {.msg_iov = parts, .msg_iovlen = 2};

	await(BOUND);
	expect_ok(connect_to(fd, PORT));
	send_text(fd, 0, "first");
	expect_eq(sendmsg(fd, &header, 0), 8);
	send_text(fd, MSG_OOB, "urgent");
	expect_errno(send(fd, "x", 1, MSG_PEEK), EINVAL);
	reach(SENT);
	expect_text(fd, 0, "answer");
	reach(RECEIVED);
	expect_ok(close(fd));
	return unused;
}

static void receive_in_task(void)
{
	in_task(receive_datagrams, NULL);
}

static void send_in_task(void)
{
	in_task(send_datagrams, NULL);
}

static void datagrams_go_both_ways(void)
{
	owner_and_user(receive_in_task, send_in_task);
}

static void *receive_one(void *unused)
{
	int fd = bound_socket(IPCPROTO_IDDP, PORT);

	reach(BOUND);
	expect_text(fd, 0, "first");
	expect_ok(close(fd));
	return unused;
}

#define FEW 64

static void *send_without_descriptors(void *unused)
{
	const struct rlimit few = {FEW, FEW};
	int fd = bound_socket(IPCPROTO_IDDP, 9);
	int used[FEW];
	int count = 0;

	await(BOUND);
	expect_ok(connect_to(fd, PORT));
	expect_ok(setrlimit(RLIMIT_NOFILE, &few));
	while (count < FEW && (used[count] = __STD(open)("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
		count++;
	expect_errno(send(fd, "x", 1, 0), ENOMEM);
	while (count)
		expect_ok(__STD(close)(used[--count]));
	send_text(fd, 0, "first");
	expect_ok(close(fd));
	return unused;
}

static void receive_one_in_task(void)
{
	in_task(receive_one, NULL);
}

static void send_poorly_in_task(void)
{
	in_task(send_without_descriptors, NULL);
}

/* And not the error for a receiver that has ended. */
static void sender_without_descriptors_is_told_so(void)
{
	owner_and_user(receive_one_in_task, send_poorly_in_task);
}

static void *stream_in(void *unused)
{
	int fd = bound_socket(IPCPROTO_BUFP, PORT);
	unsigned char next = 0;

	reach(BOUND);
	for (int left = 40000; left;) {
		unsigned char part[1000];

		expect_eq(read(fd, part, sizeof(part)), sizeof(part));
		for (size_t i = 0; i < sizeof(part); i++)
			failures += part[i] != next++;
		left -= (int)sizeof(part);
	}
	expect_ok(close(fd));
	return unused;
}

static void *stream_out(void *unused)
{
	int fd = rtipc_socket(IPCPROTO_BUFP);
	unsigned char next = 0;

	await(BOUND);
	expect_ok(connect_to(fd, PORT));
	for (int left = 40000; left;) {
		unsigned char part[800];

		for (size_t i = 0; i < sizeof(part); i++)
			part[i] = next++;
		expect_eq(write(fd, part, sizeof(part)), sizeof(part));
		left -= (int)sizeof(part);
	}
	expect_ok(close(fd));
	return unused;
}

static void stream_in_task(void)
{
	in_task(stream_in, NULL);
}

static void stream_out_in_task(void)
{
	in_task(stream_out, NULL);
}

static void bytes_stream_and_their_writer_waits_for_room(void)
{
	owner_and_user(stream_in_task, stream_out_in_task);
}

/* Reads byte by byte until the sender is done. */
static void own_narrow(int protocol)
{
	int fd = rtipc_socket(protocol);
	int level = protocol == IPCPROTO_BUFP ? SOL_BUFP : SOL_IDDP;

	expect_ok(set_size(fd, level, IDDP_POOLSZ, 4096));
	expect_ok(bind_to(fd, PORT));
	reach(BOUND);
	await(WAITS);
	__STD(usleep)(20000);
	while (!reached(MAY_END))
		if (recv(fd, bytes, 1, MSG_DONTWAIT) != 1)
			__STD(usleep)(1000);
	expect_ok(close(fd));
}

static void own_narrow_datagrams(void)
{
	own_narrow(IPCPROTO_IDDP);
}

static void own_narrow_stream(void)
{
	own_narrow(IPCPROTO_BUFP);
}

static void *time_out_and_wait(void *arg)
{
	int protocol = *(const int *)arg;
	int fd;

	await(BOUND);
	fd = connected(protocol);
	fill(fd);
	expect_ok(set_timeout(fd, SO_SNDTIMEO, 20));
	expect_errno(send(fd, bytes, 500, 0), ETIMEDOUT);
	expect_ok(set_timeout(fd, SO_SNDTIMEO, 0));
	expect_errno(send(fd, bytes, sizeof(bytes), 0),
		     protocol == IPCPROTO_BUFP ? EINVAL : EMSGSIZE);
	reach(WAITS);
	expect_eq(send(fd, bytes, 500, 0), 500);
	expect_ok(close(fd));
	reach(MAY_END);
	return NULL;
}

static void send_datagrams_late(void)
{
	in_task(time_out_and_wait, (void *)&(int){IPCPROTO_IDDP});
}

static void send_stream_late(void)
{
	in_task(time_out_and_wait, (void *)&(int){IPCPROTO_BUFP});
}

static void a_sender_waits_for_room_as_long_as_it_wants(void)
{
	owner_and_user(own_narrow_datagrams, send_datagrams_late);
	owner_and_user(own_narrow_stream, send_stream_late);
}

static void bind_after_death(void)
{
	receive_in_task();
}

static void *send_to_the_next(void *unused)
{
	int fd = bound_socket(IPCPROTO_IDDP, 9);

	expect_ok(connect_to(fd, PORT));
	expect_eq(send(fd, "old", 3, 0), 3);
	reach(WAITS);
	await_count(BOUND, 2);
	send_text(fd, 0, "first");
	send_text(fd, 0, "in parts");
	send_text(fd, MSG_OOB, "urgent");
	reach(SENT);
	expect_text(fd, 0, "answer");
	reach(RECEIVED);
	expect_ok(close(fd));
	return unused;
}

static void send_to_next_in_task(void)
{
	in_task(send_to_the_next, NULL);
}

static void own_datagrams_until_killed(void)
{
	(void)bound_socket(IPCPROTO_IDDP, PORT);
	reach(BOUND);
	pause();
}

static void a_port_passes_on_to_who_binds_it_next(void)
{
	pid_t former, next, user;

	session_begin();
	former = process_begin(own_datagrams_until_killed);
	await(BOUND);
	user = process_begin(send_to_next_in_task);
	await(WAITS);
	process_kill(former);
	next = process_begin(bind_after_death);
	process_end(user);
	process_end(next);
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(datagrams_go_both_ways),
		CASE(sender_without_descriptors_is_told_so),
		CASE(bytes_stream_and_their_writer_waits_for_room),
		CASE(a_sender_waits_for_room_as_long_as_it_wants),
		CASE(a_port_passes_on_to_who_binds_it_next),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
