/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Each of several real-time threads receives what one thread sends in its order, also if some of it
 * is handed over directly and some waits in between. */
#include "timers.h"

#include <fcntl.h>
#include <mqueue.h>
#include <stdatomic.h>

#define RECEIVERS 2
#define SENT      40000
#define SMALL     16
#define PAUSES    64
#define PAUSE_NS  1000u
#define LAST      INT32_MAX

static mqd_t queue;
static _Atomic int received;

static int by_queue(void)
{
	char text[SMALL];
	int number = 0;

	if (mq_receive(queue, text, SMALL, NULL) == sizeof(number))
		memcpy(&number, text, sizeof(number));
	return number;
}

static void to_queue(int number)
{
	mq_send(queue, (const char *)&number, sizeof(number), 0);
}

/* Linux ends the wait of a thread that was woken for a signal which another one has taken. */
static int by_signal(void)
{
	const sigset_t set = set_of(SIGRTMIN);
	siginfo_t info;

	while (sigwaitinfo(&set, &info) != SIGRTMIN)
		;
	return info.si_value.sival_int;
}

/* Not more at a time than Linux stores for a user. */
static void to_program(int number)
{
	while (sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = number}))
		usleep(100);
}

struct way {
	int (*receive)(void);
	void (*send)(int number);
};

static void *receives(void *argument)
{
	const struct way *way = argument;
	int wrong = 0, before = 0, number;

	while ((number = way->receive()) != LAST) {
		wrong += number <= before;
		before = number;
		atomic_fetch_add(&received, 1);
	}
	return (void *)(intptr_t)wrong;
}

/* Some signals find a waiter, and some do not. */
static void spin(uint64_t ns)
{
	const uint64_t end_ns = now_ns(CLOCK_MONOTONIC) + ns;

	while (now_ns(CLOCK_MONOTONIC) < end_ns)
		;
}

static void send_in_order(struct way way)
{
	pthread_t each[RECEIVERS];
	long wrong = 0;

	atomic_store(&received, 0);
	for (int i = 0; i < RECEIVERS; i++)
		each[i] = fifo_thread(20 + i, receives, &way);
	for (int i = 1; i <= SENT; i++) {
		way.send(i);
		spin(i % PAUSES * PAUSE_NS);
	}
	while (atomic_load(&received) < SENT)
		usleep(1000);
	for (int i = 0; i < RECEIVERS; i++)
		way.send(LAST);
	for (int i = 0; i < RECEIVERS; i++)
		wrong += (long)(intptr_t)joined(each[i]);
	SHOW(wrong);
}

int main(void)
{
	struct mq_attr attributes = {.mq_maxmsg = 10, .mq_msgsize = SMALL};
	char name[32];

	block(SIG_BLOCK, SIGRTMIN);
	snprintf(name, sizeof(name), "/tactus-order-%d", (int)getpid());
	queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
	SHOW(queue >= 0);
	send_in_order((struct way){by_queue, to_queue});
	SHOW(mq_unlink(name));
	send_in_order((struct way){by_signal, to_program});
	return 0;
}
