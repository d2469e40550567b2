/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A message queue of values of one type: ../queue.c in C++. */
#include "example.hpp"

struct command {
	char text[16];
};

static void send(tactus::queue_ref<command> queue, const char *text, std::uint32_t priority)
{
	command message{};

	std::strncpy(message.text, text, sizeof(message.text) - 1);
	if (queue.send(message, tactus::no_wait, priority) ==
	    tactus::error::resource_unavailable_try_again)
		note("the queue is full");
}

static void direct()
{
	auto queue =
		expect(tactus::queue<command>::create({.name = "commands", .depth = 3}), "queue");

	send(queue, "left", tactus::normal);
	send(queue, "right", tactus::normal);
	send(queue, "stop", tactus::urgent);
	send(queue, "one too many", tactus::normal);
	while (auto message = queue.receive(tactus::no_wait))
		note(message->text);
}

int main()
{
	return run(direct);
}
