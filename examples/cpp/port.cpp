/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Synchronous messages: ../port.c in C++. */
#include "example.hpp"

static void serve(tactus::port_ref port)
{
	int number = 0;

	while (auto request = port.receive(number)) {
		const auto priority = expect(tactus::task_ref(TACT_SELF).priority(), "priority");

		note(priority.effective == top ? "server: serves at its client's priority" : "?");
		/* A request that is not replied to would end with error::broken_pipe. */
		expect(request->reply(number * number), "reply");
	}
	note("server: the port is gone");
}

static void direct()
{
	auto port = expect(
		tactus::port::create({.name = "squares", .order = tactus::queueing::priority}),
		"port");
	tactus::task server = make("server", 10);

	/* A view fits into a pointer: this lambda is copied. */
	expect(server.start([view = tactus::port_ref(port)] { serve(view); }), "start");
	for (int i = 7; i < 9; i++) {
		char text[64];

		std::snprintf(text, sizeof(text), "client: %d squared is %d", i,
			      expect(port.call<int>(i), "call"));
		note(text);
	}
	expect(port.destroy(), "delete");
}

int main()
{
	return run(direct);
}
