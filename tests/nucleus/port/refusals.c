/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What ports refuse, and what handlers may do. */
#include "test.h"

#include <tactus/port.h>

static tact_port_t port;
static uint64_t request;

TASK_TEST(arguments_are_checked)
{
	const tact_port_t self = {tact_task_self().id};
	tact_timeout_t unknown = {0, 9};

	expect_error(tact_port_create(NULL, 0x20, &port), TACT_EINVAL);
	expect_error(tact_port_create("", 0, &port), TACT_EINVAL);
	expect_error(tact_port_create(NULL, TACT_ON_CPU(1), &port), TACT_ENXIO);
	expect_ok(tact_port_create("taken", 0, &port));
	expect_error(tact_port_create("taken", 0, NULL), TACT_EEXIST);
	expect_error(tact_port_send(port, NULL, 1, NULL, 0, TACT_NOWAIT), TACT_EFAULT);
	expect_error(tact_port_send(port, "", SIZE_MAX, NULL, 0, TACT_NOWAIT), TACT_EMSGSIZE);
	expect_error(tact_port_send(port, "", TACT_PORT_BYTES_MAX + 1, NULL, 0, TACT_NOWAIT),
		     TACT_EMSGSIZE);
	expect_error(tact_port_send(port, "", 1, NULL, 0, unknown), TACT_EINVAL);
	expect_error(tact_port_receive(port, NULL, 0, NULL, unknown), TACT_EINVAL);
	expect_error(tact_port_reply(port, 0, NULL, 0), TACT_ESRCH);
	expect_error(tact_port_reply(port, 0, NULL, 1), TACT_EFAULT);
	expect_error(tact_port_send(self, "", 1, NULL, 0, TACT_NOWAIT), TACT_EBADF);
	expect_error(tact_port_receive(self, NULL, 0, NULL, TACT_NOWAIT), TACT_EBADF);
	expect_error(tact_port_reply(self, 1, NULL, 0), TACT_EBADF);
	expect_error(tact_port_fail(self, 1, -1), TACT_EBADF);
	expect_error(tact_port_read(self, 1, 0, NULL, 0), TACT_EBADF);
	expect_error(tact_port_inquire(self, NULL), TACT_EBADF);
	expect_error(tact_port_delete(self), TACT_EBADF);
}

static void use_here(void *unused)
{
	(void)unused;
	expect_error(tact_port_create(NULL, 0, NULL), TACT_EPERM);
	expect_error(tact_port_delete(port), TACT_EPERM);
	expect_error(tact_port_send(port, NULL, 0, NULL, 0, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_port_receive(port, NULL, 0, NULL, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_port_fail(port, 1, -1), TACT_ESRCH);
	expect_ok(tact_port_reply(port, request, "by a handler", 13));
}

static void reply_afar(void *unused)
{
	char reply[TACT_HANDLER_BYTES + 1] = "from afar";

	(void)unused;
	expect_error(tact_port_reply(port, request, reply, sizeof(reply)), TACT_EMSGSIZE);
	expect_ok(tact_port_reply(port, request, reply, 10));
	memset(reply, 'x', sizeof(reply));
	expect_error(tact_port_inquire(port, NULL), TACT_EPERM);
}

static void send_and_mark(void *unused)
{
	char reply[16];

	(void)unused;
	expect_true(tact_port_send(port, NULL, 0, reply, sizeof(reply), TEST_LONG) > 0);
	for (char *c = reply; *c; c++)
		if (*c == ' ')
			*c = '-';
	mark(reply);
}

TEST_CPUS(2, handlers_reply_and_do_no_more)
{
	struct tact_port_message info = {0};

	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		tact_task_t task;

		expect_ok(tact_port_create(NULL, TACT_ON_CPU(cpu), &port));
		task = test_spawn_on(cpu, 10, send_and_mark, NULL);
		expect_eq(tact_port_receive(port, NULL, 0, &info, TEST_LONG), 0);
		request = info.request;
		test_in_handler(cpu ? reply_afar : use_here, NULL);
		test_join(task);
	}
	expect_marks("by-a-handler from-afar");
}

TEST_UNSTARTED(nothing_works_before_the_start)
{
	expect_error(tact_port_create(NULL, 0, &port), TACT_EPERM);
}
