/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A mailbox passes single values, a handle or a pointer for instance, of the size of a word.
 */
#include "example.h"

static tact_mailbox_t box;

static void read_box(void *arg)
{
	uint64_t value;
	char text[64];

	(void)arg;
	do {
		expect(tact_mailbox_pend(box, &value, TACT_FOREVER), "pend");
		snprintf(text, sizeof(text), "  has read %d", (int)value);
		note(text);
	} while (value);
}

static void direct(void *arg)
{
	tact_task_t reader = make("reader", 10, 0);

	(void)arg;
	expect(tact_mailbox_create("box", 2, TACT_FIFO, &box), "mailbox");
	expect(tact_mailbox_post(box, 3, TACT_MAILBOX_NORMAL, TACT_NOWAIT), "post");
	expect(tact_mailbox_post(box, 7, TACT_MAILBOX_URGENT, TACT_NOWAIT), "post");
	note(tact_mailbox_post(box, 9, TACT_MAILBOX_NORMAL, TACT_NOWAIT) == -TACT_EAGAIN
		     ? "both slots are full"
		     : "?");
	expect(tact_task_start(reader, read_box, NULL), "start");
	/* Waits for a slot, and so for the reader. */
	expect(tact_mailbox_post(box, 0, TACT_MAILBOX_NORMAL, TACT_FOREVER), "post");
	note("the last value is in");
	expect(tact_task_join(reader, TACT_FOREVER), "join");
}

int main(void)
{
	return run(1, direct);
}
