/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Synchronous messages: a client sends and waits until the server has replied. The server runs at
 * the priority of the client it serves.
 */
#include "example.h"

static tact_port_t port;

static void serve(void *arg)
{
	struct tact_port_message info;
	struct tact_task_info self;
	int number;

	(void)arg;
	while (tact_port_receive(port, &number, sizeof(number), &info, TACT_FOREVER) >= 0) {
		expect(tact_task_inquire(TACT_SELF, &self), "inquire");
		note(self.priority == EXAMPLE_TOP ? "server: serves at its client's priority"
						  : "?");
		number *= number;
		expect(tact_port_reply(port, info.flow, &number, sizeof(number)), "reply");
	}
	note("server: the port is gone");
}

static void direct(void *arg)
{
	tact_task_t server = make("server", 10, 0);
	char text[64];

	(void)arg;
	expect(tact_port_create("squares", TACT_PRIO, &port), "port");
	expect(tact_task_start(server, serve, NULL), "start");
	for (int i = 7; i < 9; i++) {
		int square;

		expect(tact_port_send(port, &i, sizeof(i), &square, sizeof(square), TACT_FOREVER),
		       "send");
		snprintf(text, sizeof(text), "client: %d squared is %d", i, square);
		note(text);
	}
	expect(tact_port_delete(port), "delete");
	expect(tact_task_join(server, TACT_FOREVER), "join");
}

int main(void)
{
	return run(1, direct);
}
