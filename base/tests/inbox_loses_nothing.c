/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Many senders, one receiver: every message arrives once, those of one sender in order, and a
 * receiver that looks only when it was kicked misses none. Meant for TSan as well.
 */
#include <pthread.h>
#include <sched.h>

#include "base/inbox.h"
#include "base/list.h"
#include "check.h"

#define SENDERS  4
#define MESSAGES 20000

struct message {
	struct base_inbox_node node;
	unsigned sender;
	unsigned number;
};

static struct message messages[SENDERS][MESSAGES];
static struct base_inbox inbox;
static atomic_uint kicks;

static void *send_all(void *argument)
{
	struct message *mine = argument;

	for (unsigned i = 0; i < MESSAGES; i++)
		if (base_inbox_push(&inbox, &mine[i].node))
			atomic_fetch_add_explicit(&kicks, 1, memory_order_release);
	return NULL;
}

int main(void)
{
	pthread_t thread[SENDERS];
	unsigned next[SENDERS] = {0};
	unsigned received = 0;
	unsigned seen = 0;

	expect("empty", true, base_inbox_empty(&inbox));
	expect_pointer("take of nothing", NULL, base_inbox_take(&inbox));
	for (unsigned s = 0; s < SENDERS; s++) {
		for (unsigned i = 0; i < MESSAGES; i++) {
			messages[s][i].sender = s;
			messages[s][i].number = i;
		}
		expect("thread", 0, pthread_create(&thread[s], NULL, send_all, messages[s]));
	}
	while (received < SENDERS * MESSAGES) {
		struct base_inbox_node *node;

		/* Sleeps until a kick: a message without one would stop the test (its time limit).
		 */
		while (atomic_load_explicit(&kicks, memory_order_acquire) == seen)
			sched_yield();
		seen++;
		for (node = base_inbox_take(&inbox); node; received++) {
			struct message *m = base_container_of(node, struct message, node);

			node = node->next; /* afterwards the node is the sender's again */
			expect("in order", next[m->sender], m->number);
			next[m->sender]++;
		}
	}
	for (unsigned s = 0; s < SENDERS; s++)
		expect("join", 0, pthread_join(thread[s], NULL));
	expect("empty at the end", true, base_inbox_empty(&inbox));
	return 0;
}
