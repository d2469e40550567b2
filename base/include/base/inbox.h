/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Inbox: many senders, one receiver, lock-free, FIFO for each sender. Senders push onto a stack
 * with one compare-and-swap; the receiver takes the whole stack with one exchange and turns it
 * round. A sender that is stopped at any instruction holds nothing that the receiver or another
 * sender needs, which is what allows signal handlers and threads that Linux may preempt to send.
 * Source: R. K. Treiber, "Systems programming: coping with parallelism", IBM RJ 5118, 1986; taking
 * the whole stack at once removes the ABA case.
 */
#ifndef BASE_INBOX_H
#define BASE_INBOX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct base_inbox_node {
	struct base_inbox_node *next;
};

struct base_inbox {
	_Atomic(struct base_inbox_node *) top;
};

/* Returns true when the inbox was empty. Async-signal-safe. */
static inline bool base_inbox_push(struct base_inbox *inbox, struct base_inbox_node *node)
{
	struct base_inbox_node *top = atomic_load_explicit(&inbox->top, memory_order_relaxed);

	do {
		node->next = top;
		/* Release: pairs with the acquire of base_inbox_take(), the node is whole there. */
	} while (!atomic_compare_exchange_weak_explicit(
		&inbox->top, &top, node, memory_order_release, memory_order_relaxed));
	return top == NULL;
}

static inline bool base_inbox_empty(struct base_inbox *inbox)
{
	return atomic_load_explicit(&inbox->top, memory_order_relaxed) == NULL;
}

/* Receiver only: all nodes, oldest first, linked by next; NULL when there are none. */
static inline struct base_inbox_node *base_inbox_take(struct base_inbox *inbox)
{
	struct base_inbox_node *node;
	struct base_inbox_node *oldest = NULL;

	if (base_inbox_empty(inbox))
		return NULL;
	/* Acquire: pairs with the release of base_inbox_push(). */
	node = atomic_exchange_explicit(&inbox->top, NULL, memory_order_acquire);
	while (node) {
		struct base_inbox_node *next = node->next;

		node->next = oldest;
		oldest = node;
		node = next;
	}
	return oldest;
}

#endif
