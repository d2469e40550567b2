/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Intrusive circular doubly linked list. The head is a node; an idle node links to itself, so that
 * membership can be asked of the node alone and unlinking an idle node does nothing.
 */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct base_list {
	struct base_list *next;
	struct base_list *prev;
};

#define base_container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

#define base_list_for_each(pos, head) \
	for (struct base_list *pos = (head)->next; pos != (head); pos = pos->next)

/* The body may unlink pos. */
#define base_list_for_each_safe(pos, head)                                                 \
	for (struct base_list *pos = (head)->next, *pos##_next = pos->next; pos != (head); \
	     pos = pos##_next, pos##_next = pos->next)

static inline void base_list_init(struct base_list *node)
{
	node->next = node;
	node->prev = node;
}

static inline bool base_list_empty(const struct base_list *head)
{
	return head->next == head;
}

static inline bool base_list_linked(const struct base_list *node)
{
	return node->next != node;
}

static inline void base_list_insert_before(struct base_list *node, struct base_list *where)
{
	node->next = where;
	node->prev = where->prev;
	where->prev->next = node;
	where->prev = node;
}

static inline void base_list_push_back(struct base_list *node, struct base_list *head)
{
	base_list_insert_before(node, head);
}

static inline void base_list_push_front(struct base_list *node, struct base_list *head)
{
	base_list_insert_before(node, head->next);
}

static inline void base_list_unlink(struct base_list *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
	base_list_init(node);
}

/* All nodes of one list become the last ones of another, in their order. */
static inline void base_list_move_all(struct base_list *from, struct base_list *to)
{
	if (base_list_empty(from))
		return;
	from->next->prev = to->prev;
	to->prev->next = from->next;
	from->prev->next = to;
	to->prev = from->prev;
	base_list_init(from);
}

static inline struct base_list *base_list_first(const struct base_list *head)
{
	return base_list_empty(head) ? NULL : head->next;
}

static inline struct base_list *base_list_last(const struct base_list *head)
{
	return base_list_empty(head) ? NULL : head->prev;
}

static inline struct base_list *base_list_pop_front(struct base_list *head)
{
	struct base_list *node = base_list_first(head);

	if (node)
		base_list_unlink(node);
	return node;
}

#endif
