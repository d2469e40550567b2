/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Circular lists whose links lie in their elements. The lists have no lock. If threads share a
 * list, the caller must hold a lock of its own.
 *
 * Source: Xenomai 3, <boilerplate/list.h>: lists private to a process.
 */
#ifndef BOILERPLATE_LIST_H
#define BOILERPLATE_LIST_H

#include <boilerplate/compiler.h>

struct pvholder {
	struct pvholder *next;
	struct pvholder *prev;
};

struct pvlistobj {
	struct pvholder head;
};

#define PRIVATE_LIST_INITIALIZER(name)                                    \
	{                                                                 \
		.head = {.next = &((name).head), .prev = &((name).head) } \
	}
#define DEFINE_PRIVATE_LIST(name) struct pvlistobj name = PRIVATE_LIST_INITIALIZER(name)

static inline void pvholder_init(struct pvholder *holder)
{
	holder->next = holder->prev = holder;
}

/* Is the holder in a list? It must have been initialised, and must leave lists by
 * pvlist_remove_init(). */
static inline int pvholder_linked(const struct pvholder *holder)
{
	return holder->next != holder;
}

static inline void pvlist_init(struct pvlistobj *list)
{
	pvholder_init(&list->head);
}

static inline int pvlist_empty(const struct pvlistobj *list)
{
	return list->head.next == &list->head;
}

/* Insert holder after where. */
static inline void pvlist_insert(struct pvholder *holder, struct pvholder *where)
{
	struct pvholder *behind = where->next;

	holder->prev = where;
	holder->next = behind;
	behind->prev = holder;
	where->next = holder;
}

static inline void pvlist_prepend(struct pvholder *holder, struct pvlistobj *list)
{
	pvlist_insert(holder, &list->head);
}

static inline void pvlist_append(struct pvholder *holder, struct pvlistobj *list)
{
	pvlist_insert(holder, list->head.prev);
}

static inline void pvlist_remove(struct pvholder *holder)
{
	holder->next->prev = holder->prev;
	holder->prev->next = holder->next;
}

static inline void pvlist_remove_init(struct pvholder *holder)
{
	pvlist_remove(holder);
	pvholder_init(holder);
}

/* Remove the first element. The list must have one. */
static inline struct pvholder *pvlist_pop(struct pvlistobj *list)
{
	struct pvholder *first = list->head.next;

	pvlist_remove_init(first);
	return first;
}

/* Is it the first one? */
static inline int pvlist_heading_p(const struct pvholder *holder, const struct pvlistobj *list)
{
	return list->head.next == holder;
}

#define pvlist_entry(ptr, type, member)        container_of(ptr, type, member)
#define pvlist_first_entry(list, type, member) pvlist_entry((list)->head.next, type, member)
#define pvlist_last_entry(list, type, member)  pvlist_entry((list)->head.prev, type, member)
#define pvlist_pop_entry(list, type, member)   pvlist_entry(pvlist_pop(list), type, member)

#define pvlist_for_each(pos, list) \
	for (pos = (list)->head.next; pos != &(list)->head; pos = pos->next)

#define pvlist_for_each_reverse(pos, list) \
	for (pos = (list)->head.prev; pos != &(list)->head; pos = pos->prev)

/* With _safe in its name: the body of the loop may remove pos; tmp holds the next element. */
#define pvlist_for_each_safe(pos, tmp, list)                                 \
	for (pos = (list)->head.next, tmp = pos->next; pos != &(list)->head; \
	     pos = tmp, tmp = pos->next)

#define pvlist_for_each_entry(pos, list, member)                       \
	for (pos = pvlist_first_entry(list, __typeof__(*pos), member); \
	     &pos->member != &(list)->head;                            \
	     pos = pvlist_entry(pos->member.next, __typeof__(*pos), member))

#define pvlist_for_each_entry_safe(pos, tmp, list, member)                  \
	for (pos = pvlist_first_entry(list, __typeof__(*pos), member),      \
	    tmp = pvlist_entry(pos->member.next, __typeof__(*pos), member); \
	     &pos->member != &(list)->head;                                 \
	     pos = tmp, tmp = pvlist_entry(pos->member.next, __typeof__(*pos), member))

#define pvlist_for_each_entry_reverse(pos, list, member)              \
	for (pos = pvlist_last_entry(list, __typeof__(*pos), member); \
	     &pos->member != &(list)->head;                           \
	     pos = pvlist_entry(pos->member.prev, __typeof__(*pos), member))

#define pvlist_for_each_entry_reverse_safe(pos, tmp, list, member)          \
	for (pos = pvlist_last_entry(list, __typeof__(*pos), member),       \
	    tmp = pvlist_entry(pos->member.prev, __typeof__(*pos), member); \
	     &pos->member != &(list)->head;                                 \
	     pos = tmp, tmp = pvlist_entry(pos->member.prev, __typeof__(*pos), member))

#endif
