/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A zero-copy queue hands messages over where they lie: what the sender allocated and filled is
 * what the receiver reads and frees. A broadcast gives one message to all who wait.
 */
#include "example.h"

static tact_zqueue_t frames;

static void show(void *arg)
{
	void *frame;

	(void)arg;
	/* The result is the length of the message. */
	while (tact_zqueue_receive(frames, &frame, TACT_FOREVER) > 0) {
		note((const char *)frame);
		expect(tact_zqueue_free(frames, frame), "free");
	}
}

static void send_frame(const char *text, uint32_t how)
{
	void *frame;

	expect(tact_zqueue_alloc(frames, 64, &frame), "alloc");
	strcpy((char *)frame, text);
	if (tact_zqueue_send(frames, frame, strlen(text) + 1, how) == 2)
		note("sent to two at once");
}

static void direct(void *arg)
{
	tact_task_t viewer[2];

	(void)arg;
	expect(tact_zqueue_create("frames", NULL, tact_zqueue_memory_bytes(64, 8), 8, TACT_FIFO,
				  &frames),
	       "zqueue");
	send_frame("queued, for nobody waits yet", TACT_ZQUEUE_NORMAL);
	send_frame("urgent, so it goes first", TACT_ZQUEUE_URGENT);
	viewer[0] = make("first viewer", 30, 0);
	viewer[1] = make("second viewer", 20, 0);
	expect(tact_task_start(viewer[0], show, NULL), "start");
	expect(tact_task_start(viewer[1], show, NULL), "start");
	tact_task_sleep(TACT_MS(1));
	send_frame("one frame, two viewers", TACT_ZQUEUE_BROADCAST);
	tact_task_sleep(TACT_MS(1));
	expect(tact_zqueue_delete(frames), "delete");
	expect(tact_task_join(viewer[0], TACT_FOREVER), "join");
	expect(tact_task_join(viewer[1], TACT_FOREVER), "join");
}

int main(void)
{
	return run(1, direct);
}
