/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ports, labels and room of real-time sockets between processes of a session; and senders that are
 * killed. */
#include "processes.h"
#include "sockets.h"

enum { BOUND, WAITS, RECEIVED, TURNS, MAY_END };

#define PORT   5
#define ROUNDS 300

static char bytes[2048];

static int connected_stream(void)
{
	int fd = rtipc_socket(IPCPROTO_BUFP);

	expect_ok(connect_to(fd, PORT));
	return fd;
}

static int labelled(void)
{
	int fd = rtipc_socket(IPCPROTO_IDDP);

	expect_ok(set_label(fd, SOL_IDDP, "server"));
	return fd;
}

static void own_label(void)
{
	int fd = labelled();

	await(WAITS);
	__STD(usleep)(20000);
	expect_ok(bind_to(fd, 11));
	reach(BOUND);
	expect_text(fd, 0, "found");
	await(MAY_END);
	expect_ok(close(fd));
}

static void *find_label(void *unused)
{
	struct sockaddr_ipc peer;
	socklen_t length = sizeof(peer);
	int other = labelled();
	int fd = labelled();

	expect_ok(set_timeout(fd, SO_RCVTIMEO, 20));
	expect_errno(connect_to(fd, -1), ETIMEDOUT);
	expect_ok(set_timeout(fd, SO_RCVTIMEO, 0));
	reach(WAITS);
	expect_ok(connect_to(fd, -1));
	expect_ok(getpeername(fd, (struct sockaddr *)&peer, &length));
	expect_eq(peer.sipc_port, 11);
	await(BOUND);
	expect_eq(send(fd, "found", 5, 0), 5);
	/* What one process has, no other process of the session can have. */
	expect_errno(bind_to(other, -1), EEXIST);
	expect_ok(close(other));
	other = rtipc_socket(IPCPROTO_IDDP);
	expect_errno(bind_to(other, 11), EADDRINUSE);
	expect_ok(bind_to(other, -1));
	expect_true(port_of(other) != 11);
	expect_ok(close(other));
	expect_ok(close(fd));
	reach(MAY_END);
	return unused;
}

static void find_in_task(void)
{
	in_task(find_label, NULL);
}

static void labels_and_ports_are_the_sessions(void)
{
	owner_and_user(own_label, find_in_task);
}

static void *select_for_room(void *unused)
{
	struct timeval soon = {0, 20000};
	fd_set set;
	int fd;

	await(BOUND);
	fd = connected_stream();
	FD_ZERO(&set);
	FD_SET(fd, &set);
	expect_eq(select(fd + 1, NULL, &set, NULL, NULL), 1);
	while (send(fd, bytes, 1, MSG_DONTWAIT) == 1)
		;
	FD_SET(fd, &set);
	expect_eq(select(fd + 1, NULL, &set, NULL, &soon), 0);
	expect_true(!FD_ISSET(fd, &set));
	reach(WAITS);
	FD_SET(fd, &set);
	expect_eq(select(fd + 1, NULL, &set, NULL, NULL), 1);
	reach(RECEIVED);
	expect_eq(send(fd, bytes, 1, 0), 1);
	reach(MAY_END);
	expect_ok(close(fd));
	return unused;
}

static void select_in_task(void)
{
	in_task(select_for_room, NULL);
}

static void own_few_bytes(void)
{
	int fd = rtipc_socket(IPCPROTO_BUFP);

	expect_ok(set_size(fd, SOL_BUFP, BUFP_BUFSZ, 16));
	expect_ok(bind_to(fd, PORT));
	reach(BOUND);
	await(WAITS);
	expect_eq(recv(fd, bytes, 4, 0), 4);
	await(MAY_END);
	expect_ok(close(fd));
}

static void select_tells_of_room_there(void)
{
	owner_and_user(own_few_bytes, select_in_task);
}

static int silent[2];

/* For a pipe to which nothing is written, and a socket. */
static int select_mixed(int fd, struct timeval *time)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	FD_SET(silent[0], &set);
	return select((fd > silent[0] ? fd : silent[0]) + 1, &set, NULL, NULL, time);
}

/* The descriptor that reports sockets. */
static int watch;

static void *select_for_ever(void *unused)
{
	int fd = bound_socket(IPCPROTO_IDDP, PORT + 1);

	reach(WAITS);
	(void)select_mixed(fd, NULL);
	return unused;
}

/* More urgent than the parent. */
static void select_in_a_childs_task(void)
{
	expect_errno(fcntl(watch, F_GETFD), EBADF);
	if (failures)
		abort();
	in_task(select_for_ever, NULL);
}

static _Atomic int rounds;

static void *send_in_rounds(void *unused)
{
	int fd = rtipc_socket(IPCPROTO_IDDP);
	unsigned int seed = 1;

	expect_ok(connect_to(fd, PORT));
	for (int i = 0; i < ROUNDS; i++) {
		while (rounds <= i)
			__STD(usleep)(100);
		__STD(usleep)((useconds_t)rand_r(&seed) % 500);
		send_text(fd, 0, "x");
	}
	expect_ok(close(fd));
	return unused;
}

/* The object that wakes one was made before the other existed. */
static void select_beside_a_child(void)
{
	struct timeval now = {0, 0};
	int fd = bound_socket(IPCPROTO_IDDP, PORT);
	pthread_t sender;
	pid_t child;

	expect_ok(pipe(silent));
	watch = dup(silent[0]);
	expect_ok(close(watch));
	expect_ok(select_mixed(fd, &now));
	expect_true(fcntl(watch, F_GETFD) >= 0);
	child = process_begin(select_in_a_childs_task);
	await(WAITS);
	__STD(usleep)(20000);
	expect_ok(pthread_create(&sender, NULL, send_in_rounds, NULL));
	for (rounds = 1; rounds <= ROUNDS; rounds++) {
		struct timeval late = {5, 0};

		expect_eq(select_mixed(fd, &late), 1);
		expect_text(fd, 0, "x");
		if (failures)
			break;
	}
	rounds = ROUNDS;
	expect_ok(pthread_join(sender, NULL));
	process_kill(child);
	expect_ok(close(fd));
}

static void selects_of_parent_and_child_are_their_own(void)
{
	session_begin();
	process_end(process_begin(select_beside_a_child));
}

static void *send_for_ever(void *unused)
{
	int fd = connected_stream();

	reach(TURNS);
	for (;;)
		(void)send(fd, bytes, 1500, 0);
	return unused;
}

static void send_until_killed(void)
{
	in_task(send_for_ever, NULL);
}

static void own_for_the_killed(void)
{
	int fd = bound_socket(IPCPROTO_BUFP, PORT);

	reach(BOUND);
	while (!reached(MAY_END)) {
		ssize_t length = recv(fd, bytes, 1500, MSG_DONTWAIT);

		expect_true(length == 1500 || (length == -1 && errno == EAGAIN));
		__STD(usleep)(200);
	}
	expect_ok(close(fd));
}

static void senders_killed_at_any_moment_leave_the_socket_whole(void)
{
	pid_t owner;

	session_begin();
	owner = process_begin(own_for_the_killed);
	await(BOUND);
	kill_at_random(send_until_killed, 12, 80, TURNS);
	reach(MAY_END);
	process_end(owner);
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(labels_and_ports_are_the_sessions),
		CASE(select_tells_of_room_there),
		CASE(selects_of_parent_and_child_are_their_own),
		CASE(senders_killed_at_any_moment_leave_the_socket_whole),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
