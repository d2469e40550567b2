/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Real-time sockets of other processes that close them or are killed, while a thread sends. */
#include "shared_sockets.h"

static void own_and_close(void)
{
	int fd = bound_socket(IPCPROTO_BUFP, PORT);

	reach(BOUND);
	await(WAITS);
	__STD(usleep)(20000);
	expect_ok(close(fd));
	await(MAY_END);
}

static void own_until_killed(void)
{
	(void)bound_socket(IPCPROTO_BUFP, PORT);
	reach(BOUND);
	pause();
}

static void *outlive_peer(void *unused)
{
	int fd = rtipc_socket(IPCPROTO_BUFP);

	await(BOUND);
	expect_ok(connect_to(fd, PORT));
	fill(fd);
	reach(WAITS);
	expect_errno(send(fd, bytes, 500, 0), ECONNRESET);
	expect_errno(send(fd, bytes, 500, 0), ECONNRESET);
	expect_ok(close(fd));
	reach(MAY_END);
	return unused;
}

static void outlive_in_task(void)
{
	in_task(outlive_peer, NULL);
}

static void a_peer_that_closes_ends_the_wait(void)
{
	owner_and_user(own_and_close, outlive_in_task);
}

static void a_peer_that_is_killed_ends_the_wait(void)
{
	outlive_owner(own_until_killed, outlive_in_task, WAITS);
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(a_peer_that_closes_ends_the_wait),
		CASE(a_peer_that_is_killed_ends_the_wait),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
