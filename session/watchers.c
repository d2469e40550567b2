/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks that wait for names. 64 of them wait at one group of event flags, each for a bit of its
 * own, and one service of the nucleus wakes them all: none of them runs before all are woken, and
 * then they run in the order of their priorities. This takes no lock and no Linux call. More
 * waiters have more groups, which are woken one after another, regardless of priority.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/growing.h"
#include "session.h"

#define WATCHERS 64u

struct session_watchers {
	_Atomic tact_event_t event; /* 0: not made yet */
	_Atomic uint64_t used;
	_Atomic tact_task_t owner[WATCHERS];
};

BASE_GROWING(groups, struct session_watchers, 0, 1024);

static bool take_free(struct session_watchers *group, uint64_t *bit)
{
	uint64_t used = atomic_load(&group->used);

	while (~used) {
		*bit = ~used & (used + 1);
		if (atomic_compare_exchange_weak(&group->used, &used, used | *bit))
			return true;
	}
	return false;
}

/* Take over the bit of a task that was deleted while it waited. */
static bool take_left(struct session_watchers *group, uint64_t *bit)
{
	for (uint32_t i = 0; i < WATCHERS; i++) {
		tact_task_t owner = atomic_load(&group->owner[i]);

		*bit = (uint64_t)1 << i;
		if (owner.id && tact_task_inquire(owner, NULL) &&
		    atomic_compare_exchange_strong(&group->owner[i], &owner, ((tact_task_t){0})))
			return true;
	}
	return false;
}

static bool add_group(uint32_t count)
{
	void *group = NULL;

	if (base_growing_may_grow(&groups, count))
		group = calloc(1, base_growing_chunk_bytes(&groups));
	if (!group)
		return false;
	if (!base_growing_add(&groups, count, group))
		free(group);
	return true;
}

/* Take a bit of any group. NULL: there is no memory for another group. */
static struct session_watchers *take(uint64_t *bit)
{
	for (uint32_t i = 0;; i++) {
		struct session_watchers *group;

		if (i == base_growing_count(&groups) && !add_group(i))
			return NULL;
		group = base_growing_at(&groups, i);
		if (take_free(group, bit) || take_left(group, bit))
			return group;
	}
}

/* The event flags of an earlier start of the nucleus do not exist any more. */
static int renew(struct session_watchers *group)
{
	tact_event_t event = atomic_load(&group->event);
	tact_event_t made;
	int error;

	if (event.id && !tact_event_inquire(event, NULL))
		return 0;
	error = tact_event_create(NULL, 0, TACT_PRIO, &made);
	if (!error && !atomic_compare_exchange_strong(&group->event, &event, made))
		(void)tact_event_delete(made);
	return error;
}

static uint32_t index_of(uint64_t bit)
{
	return (uint32_t)__builtin_ctzll(bit);
}

int session_watch(struct session_watch *watch)
{
	struct session_watchers *group;
	int error = session_hear() ? -TACT_ENOMEM : 0;

	if (error)
		return error;
	group = take(&watch->bit);
	if (!group)
		return -TACT_ENOMEM;
	watch->group = group;
	atomic_store(&group->owner[index_of(watch->bit)], tact_task_self());
	error = renew(group);
	if (!error)
		error = tact_event_clear(atomic_load(&group->event), watch->bit, NULL);
	if (error)
		session_unwatch(watch);
	return error;
}

int session_await(const struct session_watch *watch, tact_timeout_t timeout)
{
	return tact_event_wait(atomic_load(&watch->group->event), watch->bit, TACT_EVENT_CONSUME,
			       timeout, NULL);
}

void session_unwatch(const struct session_watch *watch)
{
	atomic_store(&watch->group->owner[index_of(watch->bit)], ((tact_task_t){0}));
	atomic_fetch_and(&watch->group->used, ~watch->bit);
}

void session_notify_watchers(void)
{
	for (uint32_t i = 0; i < base_growing_count(&groups); i++) {
		struct session_watchers *group = base_growing_at(&groups, i);
		uint64_t used = atomic_load(&group->used);

		if (used)
			(void)tact_event_set(atomic_load(&group->event), used);
	}
}
