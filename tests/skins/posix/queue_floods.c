/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A queue that another process keeps full, waiting to send more: it is never seen to become full. A
 * real-time thread that receives there gets every message, whatever it does with the descriptor in
 * between.
 */
#include "files.h"

#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <sys/wait.h>

#define SMALL  16
#define ROUNDS 3000

static mqd_t queue;

static void flood(void)
{
	for (uint32_t i = 0;; i++)
		mq_send(queue, (const char *)&i, sizeof(i), 0);
}

/* Nothing else reports a message. */
static void *receives(void *changes)
{
	const struct mq_attr same = {.mq_flags = 0};
	uint32_t number = 0, expected = 0;
	int wrong = 0;

	SHOW(is_task_if_expected());
	for (int i = 0; i < ROUNDS && !wrong; i++) {
		const struct timespec end = later(CLOCK_REALTIME, 1000000000u);
		char text[SMALL];

		wrong += mq_timedreceive(queue, text, SMALL, NULL, &end) != sizeof(number);
		memcpy(&number, text, sizeof(number));
		expected = i ? expected + 1 : number;
		wrong += number != expected;
		wrong += changes && mq_setattr(queue, &same, NULL);
	}
	SHOW(wrong);
	return NULL;
}

int main(void)
{
	struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = SMALL};
	char name[32];
	pid_t child;

	snprintf(name, sizeof(name), "/tactus-floods-%d", (int)getpid());
	queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
	SHOW(queue >= 0);
	child = fork();
	if (!child)
		flood();
	joined(fifo_thread(20, receives, NULL));
	joined(fifo_thread(20, receives, &queue));
	SHOW(kill(child, SIGKILL));
	SHOW(waitpid(child, NULL, 0) == child);
	SHOW(mq_unlink(name));
	return 0;
}
