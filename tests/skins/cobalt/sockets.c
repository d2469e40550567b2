/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Real-time sockets: tasks and Linux receive what was sent, in order. */
#include "sockets.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#define WORD "a word"

static void datagrams_come_in_order_and_urgent_ones_first(void)
{
	int server = bound_socket(IPCPROTO_IDDP, 3);
	int client = bound_socket(IPCPROTO_IPC, 5);
	struct sockaddr_ipc from = {0};
	socklen_t bytes = sizeof(from);
	char text[8];

	expect_ok(connect_to(client, 3));
	send_text(client, 0, "one");
	send_text(client, 0, "two");
	send_text(client, MSG_OOB, "zero");
	expect_text(server, 0, "zero");
	expect_eq(recvfrom(server, text, sizeof(text), 0, (struct sockaddr *)&from, &bytes), 3);
	expect_eq(from.sipc_family, AF_RTIPC);
	expect_eq(from.sipc_port, 5);
	expect_text(server, MSG_DONTWAIT, "two");
	expect_errno(recv(server, text, sizeof(text), MSG_DONTWAIT), EAGAIN);
	expect_ok(close(client));
	expect_ok(close(server));
}

static void the_rest_of_a_datagram_comes_next(void)
{
	int fd = bound_socket(IPCPROTO_IDDP, -1);
	char half[4] = "";

	send_text(fd, 0, "abcdef");
	send_text(fd, 0, "g");
	expect_eq(read(fd, half, 3), 3);
	expect_ok(strcmp(half, "abc"));
	expect_text(fd, 0, "def");
	expect_text(fd, 0, "g");
	expect_ok(close(fd));
}

static void messages_are_gathered_and_scattered(void)
{
	int fd = bound_socket(IPCPROTO_IDDP, -1);
	char first[3], second[8] = "";
	struct iovec out[] = {{(void *)(uintptr_t) "hello ", 6}, {(void *)(uintptr_t) "you", 3}};
	struct iovec in[] = {{first, sizeof(first)}, {second, sizeof(second)}};
	struct mmsghdr headers[2] = {{.msg_hdr = {.msg_iov = out, .msg_iovlen = 2}},
				     {.msg_hdr = {.msg_iov = out, .msg_iovlen = 1}}};

	expect_eq(sendmmsg(fd, headers, 2, 0), 2);
	expect_eq(headers[0].msg_len, 9);
	headers[0].msg_hdr.msg_iov = in;
	headers[0].msg_hdr.msg_iovlen = 2;
	expect_eq(recvmsg(fd, &headers[0].msg_hdr, 0), 9);
	expect_ok(memcmp(first, "hel", 3));
	expect_ok(memcmp(second, "lo you", 6));
	headers[0].msg_hdr.msg_iov = in;
	headers[0].msg_hdr.msg_iovlen = 2;
	headers[1].msg_hdr.msg_iov = in;
	headers[1].msg_hdr.msg_iovlen = 2;
	expect_eq(recvmmsg(fd, headers, 2, MSG_WAITFORONE, NULL), 1);
	expect_eq(headers[0].msg_len, 6);
	expect_ok(close(fd));
}

static void bytes_stream_through_a_buffer(void)
{
	int reader = bound_socket(IPCPROTO_BUFP, 9);
	int writer = rtipc_socket(IPCPROTO_BUFP);
	char buffer[16] = "";

	expect_ok(connect_to(writer, 9));
	send_text(writer, 0, "12345");
	send_text(writer, 0, "678");
	expect_eq(read(reader, buffer, 7), 7);
	expect_ok(strcmp(buffer, "1234567"));
	expect_errno(recv(reader, buffer, 2, MSG_DONTWAIT), EAGAIN);
	expect_eq(recv(reader, buffer, 1, 0), 1);
	expect_ok(close(writer));
	expect_ok(close(reader));
}

struct pair {
	int from, to;
	size_t bytes;
	ssize_t result;
	int error;
	sem_t begun;
};

static void *send_bytes(void *arg)
{
	struct pair *pair = arg;
	static char bytes[8192];

	__STD(sem_post)(&pair->begun);
	pair->result = write(pair->from, bytes, pair->bytes);
	pair->error = errno;
	return NULL;
}

static void *receive_bytes(void *arg)
{
	struct pair *pair = arg;
	static char bytes[8192];

	__STD(sem_post)(&pair->begun);
	pair->result = read(pair->to, bytes, pair->bytes);
	pair->error = errno;
	return NULL;
}

static void a_reader_gets_part_where_both_would_wait(void)
{
	struct pair pair = {.from = rtipc_socket(IPCPROTO_BUFP), .bytes = 3000};
	char buffer[4096];
	pthread_t writer;

	pair.to = bound_socket(IPCPROTO_BUFP, 4);
	sem_init(&pair.begun, 0, 0);
	expect_ok(connect_to(pair.from, 4));
	expect_eq(write(pair.from, buffer, 3000), 3000);
	writer = thread_with(SCHED_FIFO, 40, send_bytes, &pair);
	__STD(sem_wait)(&pair.begun);
	expect_eq(read(pair.to, buffer, 4096), 3000);
	expect_ok(pthread_join(writer, NULL));
	expect_eq(pair.result, 3000);
	expect_ok(close(pair.from));
	expect_ok(close(pair.to));
}

static void a_sender_waits_for_room(void)
{
	struct pair pair = {.from = rtipc_socket(IPCPROTO_IDDP), .bytes = 2000};
	char buffer[4096];
	pthread_t writer;
	int sent = 0;

	pair.to = rtipc_socket(IPCPROTO_IDDP);
	sem_init(&pair.begun, 0, 0);
	expect_ok(set_size(pair.to, SOL_IDDP, IDDP_POOLSZ, 8192));
	expect_ok(bind_to(pair.to, 6));
	expect_ok(connect_to(pair.from, 6));
	while (send(pair.from, buffer, 2000, MSG_DONTWAIT) == 2000)
		sent++;
	expect_eq(errno, EAGAIN);
	expect_true(sent > 0);
	expect_ok(set_timeout(pair.from, SO_SNDTIMEO, 20));
	expect_errno(send(pair.from, buffer, 2000, 0), ETIMEDOUT);
	expect_ok(set_timeout(pair.from, SO_SNDTIMEO, 0));
	writer = thread_with(SCHED_FIFO, 40, send_bytes, &pair);
	__STD(sem_wait)(&pair.begun);
	for (int i = 0; i <= sent; i++)
		expect_eq(recv(pair.to, buffer, sizeof(buffer), 0), 2000);
	expect_ok(pthread_join(writer, NULL));
	expect_eq(pair.result, 2000);
	expect_ok(close(pair.from));
	expect_ok(close(pair.to));
}

static void closing_ends_the_waits(void)
{
	struct pair pair = {.to = bound_socket(IPCPROTO_IDDP, 7), .bytes = 8};
	struct pair plain = {.to = bound_socket(IPCPROTO_XDDP, -1), .bytes = 8};
	pthread_t task, thread;

	sem_init(&pair.begun, 0, 0);
	sem_init(&plain.begun, 0, 0);
	task = thread_with(SCHED_FIFO, 40, receive_bytes, &pair);
	thread = thread_with(SCHED_OTHER, 0, receive_bytes, &plain);
	__STD(sem_wait)(&pair.begun);
	__STD(sem_wait)(&plain.begun);
	__STD(usleep)(20000);
	expect_ok(close(pair.to));
	expect_ok(close(plain.to));
	expect_ok(pthread_join(task, NULL));
	expect_ok(pthread_join(thread, NULL));
	expect_eq(pair.result, -1);
	expect_eq(pair.error, ECONNRESET);
	expect_eq(plain.result, -1);
	expect_eq(plain.error, ECONNRESET);
}

static _Atomic bool waits;
static _Atomic bool is_busy;

static void *receive_from_what_is_closed(void *arg)
{
	char text[8];

	waits = true;
	expect_errno(recv(*(const int *)arg, text, sizeof(text), 0), ECONNRESET);
	return arg;
}

static void *keep_busy(void *arg)
{
	is_busy = true;
	while (is_busy)
		;
	return arg;
}

/* A waiter checks when another socket already has the number. */
static void number_of_a_closed_socket_is_no_ones_else(void)
{
	int client = rtipc_socket(IPCPROTO_IDDP);
	int old = bound_socket(IPCPROTO_IDDP, 3);
	pthread_t receiver = thread_with(SCHED_FIFO, 20, receive_from_what_is_closed, &old);
	pthread_t busy;
	int anew;

	until(waits);
	__STD(usleep)(20000);
	expect_ok(connect_to(client, 4));
	busy = thread_with(SCHED_FIFO, 50, keep_busy, NULL);
	until(is_busy);
	expect_ok(close(old));
	anew = bound_socket(IPCPROTO_IDDP, 4);
	expect_eq(anew, old);
	send_text(client, 0, "new");
	is_busy = false;
	expect_ok(pthread_join(busy, NULL));
	expect_ok(pthread_join(receiver, NULL));
	expect_text(anew, MSG_DONTWAIT, "new");
	expect_ok(close(anew));
	expect_ok(close(client));
}

static void waits_are_cancellation_points(void)
{
	const int policies[] = {SCHED_FIFO, SCHED_OTHER};

	for (int i = 0; i < 2; i++) {
		struct pair pair = {.to = bound_socket(IPCPROTO_IDDP, 7), .bytes = 8};
		pthread_t task;
		void *value;

		sem_init(&pair.begun, 0, 0);
		task = thread_with(policies[i], i ? 0 : 40, receive_bytes, &pair);
		__STD(sem_wait)(&pair.begun);
		expect_ok(pthread_cancel(task));
		expect_ok(pthread_join(task, &value));
		expect_true(value == PTHREAD_CANCELED);
		expect_ok(close(pair.to));
	}
}

static void *connect_by_label(void *arg)
{
	struct pair *pair = arg;

	__STD(sem_post)(&pair->begun);
	pair->result = connect_to(pair->from, -1);
	pair->error = errno;
	return NULL;
}

static void a_label_is_waited_for(void)
{
	struct pair pair = {.from = rtipc_socket(IPCPROTO_IDDP)};
	int server = rtipc_socket(IPCPROTO_IDDP);
	struct sockaddr_ipc peer;
	socklen_t bytes = sizeof(peer);
	pthread_t client;

	sem_init(&pair.begun, 0, 0);
	expect_ok(set_label(pair.from, SOL_IDDP, "server"));
	expect_ok(set_label(server, SOL_IDDP, "server"));
	expect_ok(set_timeout(pair.from, SO_RCVTIMEO, 20));
	expect_errno(connect_to(pair.from, -1), ETIMEDOUT);
	expect_ok(set_timeout(pair.from, SO_RCVTIMEO, 0));
	client = thread_with(SCHED_FIFO, 40, connect_by_label, &pair);
	__STD(sem_wait)(&pair.begun);
	expect_ok(bind_to(server, 11));
	expect_ok(pthread_join(client, NULL));
	expect_ok(pair.result);
	expect_ok(getpeername(pair.from, (struct sockaddr *)&peer, &bytes));
	expect_eq(peer.sipc_port, 11);
	send_text(pair.from, 0, WORD);
	expect_text(server, 0, WORD);
	expect_ok(close(pair.from));
	expect_ok(close(server));
}

static void tasks_stay_in_primary_mode(void)
{
	struct cobalt_threadstat before, after;
	int fd = bound_socket(IPCPROTO_IDDP, -1);
	struct timeval time = {0, 1000};
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	expect_eq(send(fd, WORD, 6, 0), 6); /* what is bound lazily is bound now */
	expect_text(fd, 0, WORD);
	cobalt_thread_stat(0, &before);
	for (int i = 0; i < 100; i++) {
		char text[8];

		(void)send(fd, WORD, 6, 0);
		(void)select(fd + 1, &set, NULL, NULL, NULL);
		(void)recv(fd, text, sizeof(text), 0);
	}
	expect_eq(select(fd + 1, &set, NULL, NULL, &time), 0);
	cobalt_thread_stat(0, &after);
	expect_eq(after.msw, (int64_t)before.msw);
	expect_ok(close(fd));
}

static void *in_primary_mode(void *arg)
{
	(void)arg;
	tasks_stay_in_primary_mode();
	return NULL;
}

static void a_task_exchanges_without_linux(void)
{
	in_task(in_primary_mode, NULL);
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(datagrams_come_in_order_and_urgent_ones_first),
		CASE(the_rest_of_a_datagram_comes_next),
		CASE(messages_are_gathered_and_scattered),
		CASE(bytes_stream_through_a_buffer),
		CASE(a_reader_gets_part_where_both_would_wait),
		CASE(a_sender_waits_for_room),
		CASE(closing_ends_the_waits),
		CASE(number_of_a_closed_socket_is_no_ones_else),
		CASE(waits_are_cancellation_points),
		CASE(a_label_is_waited_for),
		CASE(a_task_exchanges_without_linux),
	};

	own_session();
	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
