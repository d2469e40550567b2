/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* O_NONBLOCK of message queues, which changes while others use the descriptor: a later call returns
 * at once, an earlier one continues to wait. */
#include "files.h"

#include <fcntl.h>
#include <mqueue.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#define SMALL  16
#define ROUNDS 3000

static mqd_t queue;
static _Atomic int ends, waiting;

static int set_flags(int by_attributes, long flags)
{
	const struct mq_attr now = {.mq_flags = flags};

	return by_attributes ? mq_setattr(queue, &now, NULL)
			     : fcntl(queue, F_SETFL, O_RDWR | flags);
}

/* Reads the queue's state repeatedly, and sends nothing. */
static void *looks(void *unused)
{
	while (!atomic_load(&ends))
		mq_send(queue, "", 1, UINT32_MAX);
	return unused;
}

static void *is_told_at_once(void *by_attributes)
{
	const int how = by_attributes != NULL;
	char text[SMALL];
	int wrong = 0;

	SHOW(is_task_if_expected());
	for (int i = 0; i < ROUNDS; i++) {
		wrong += set_flags(how, O_NONBLOCK) != 0;
		wrong += mq_receive(queue, text, SMALL, NULL) != -1 || errno != EAGAIN;
		wrong += set_flags(how, 0) != 0;
	}
	SHOW(wrong);
	return NULL;
}

static void set_beside_others(void *by_attributes)
{
	pthread_t other;

	atomic_store(&ends, 0);
	other = other_thread(looks, NULL);
	joined(fifo_thread(20, is_told_at_once, by_attributes));
	atomic_store(&ends, 1);
	joined(other);
}

static void *waits(void *unused)
{
	char text[SMALL] = "";

	(void)unused;
	atomic_fetch_add(&waiting, 1);
	return (void *)(intptr_t)(mq_receive(queue, text, SMALL, NULL) < 0 ? -errno : text[0]);
}

/* Linux has a message for one of two, and wakes both. */
static void set_under_waiters(void)
{
	pthread_t each[2];
	long sum = 0;

	atomic_store(&waiting, 0);
	for (int i = 0; i < 2; i++)
		each[i] = fifo_thread(20, waits, NULL);
	while (atomic_load(&waiting) < 2)
		usleep(1000);
	usleep(50000);
	SHOW(set_flags(0, O_NONBLOCK));
	SHOW(syscall(SYS_mq_timedsend, queue, "a", 1, 0, NULL));
	usleep(50000);
	SHOW(syscall(SYS_mq_timedsend, queue, "b", 1, 0, NULL));
	for (int i = 0; i < 2; i++)
		sum += (long)(intptr_t)joined(each[i]);
	SHOW(sum == 'a' + 'b');
	SHOW(set_flags(0, 0));
}

int main(void)
{
	struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = SMALL};
	char name[32];

	snprintf(name, sizeof(name), "/tactus-flags-%d", (int)getpid());
	queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
	SHOW(queue >= 0);
	set_beside_others(NULL);
	set_beside_others(&queue);
	for (int i = 0; i < 5; i++)
		set_under_waiters();
	SHOW(mq_unlink(name));
	return 0;
}
