/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A message queue copies messages in and out. Messages keep their order; an urgent one goes before
 * all others. Who finds the queue full waits for room, here not at all.
 */
#include "example.h"

struct command {
	char text[16];
};

static void send(tact_queue_t queue, const char *text, uint32_t priority)
{
	struct command command = {.text = ""};

	strncpy(command.text, text, sizeof(command.text) - 1);
	if (tact_queue_send(queue, &command, sizeof(command), priority, TACT_NOWAIT) ==
	    -TACT_EAGAIN)
		note("the queue is full");
}

static void direct(void *arg)
{
	tact_queue_t queue;
	struct command command;

	(void)arg;
	expect(tact_queue_create("commands", sizeof(command), 3, TACT_FIFO, &queue), "queue");
	send(queue, "left", TACT_QUEUE_NORMAL);
	send(queue, "right", TACT_QUEUE_NORMAL);
	send(queue, "stop", TACT_QUEUE_URGENT);
	send(queue, "one too many", TACT_QUEUE_NORMAL);
	/* The result is the length of the message. */
	while (tact_queue_receive(queue, &command, sizeof(command), NULL, TACT_NOWAIT) > 0)
		note(command.text);
	expect(tact_queue_delete(queue), "delete");
}

int main(void)
{
	return run(1, direct);
}
