/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Event flags (event.h) by rules: waits for bits that are clear as well as for bits that are set,
 * and changes that set and clear bits in one step. The group has to be created with
 * TACT_EVENT_RULES. All calls for event flags can be used with it. Its waiters, by rule and of
 * tact_event_wait(), are in one queue, and every change of the bits, also by a waiter, looks at all
 * of them.
 */
#ifndef TACTUS_EVENT_RULE_H
#define TACTUS_EVENT_RULE_H

#include <tactus/event.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Flag of tact_event_create(): the group has waits by rule. */
#define TACT_EVENT_RULES 0x20u

/* What is tested of the bits of a term. */
enum tact_event_test {
	TACT_EVENT_ALL_SET = 0,
	TACT_EVENT_ANY_SET = 1,
	TACT_EVENT_ALL_CLEAR = 2,
	TACT_EVENT_ANY_CLEAR = 3,
};

/* How the two terms are joined. */
enum tact_event_join {
	TACT_EVENT_FIRST = 0, /* the second term is not read */
	TACT_EVENT_BOTH = 1,
	TACT_EVENT_EITHER = 2,
};

struct tact_event_term {
	uint64_t bits; /* at least one */
	uint32_t test; /* enum tact_event_test */
	uint32_t reserved;
};

struct tact_event_rule {
	uint32_t size; /* sizeof(struct tact_event_rule) */
	uint32_t join; /* enum tact_event_join */
	struct tact_event_term term[2];
	uint64_t then_set;   /* when the rule is met: bits to set, */
	uint64_t then_clear; /* and then bits to clear */
};

/**
 * Wait until a rule is met.
 * rule:     copied.
 * received: the bits of the whole group at the instant that ended the wait, before then_set and
 *           then_clear; or NULL. Written only if 0 is returned.
 *
 * Returns as tact_event_wait(), or
 *   -TACT_ENOTSUP the group was created without TACT_EVENT_RULES
 *   -TACT_EINVAL  rule is NULL, has an unknown size, test or join, or a term without bits; or as
 *                 for tact_event_wait()
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: O(1), O(waiters) with TACT_PRIO; O(waiters × waiters released) if the rule is met at once
 * and changes bits.
 * Source: RTAI, rt_bits_wait().
 */
int tact_event_wait_rule(tact_event_t event, const struct tact_event_rule *rule,
			 tact_timeout_t timeout, uint64_t *received);

/**
 * Set and clear bits in one step: first the bits in set are set, then those in clear are cleared.
 * Every waiter whose bits or rule are met then is released, in the order of the queue. If a group
 * with TACT_EVENT_RULES is changed by a waiter that was released, the queue is looked through
 * again.
 * before: receives the group as it was, or NULL.
 *
 * Returns the number of waiters released (from a handler to another CPU's group: 0 once it is
 * sent), or
 *   -TACT_EBADF   not a group of event flags
 *   -TACT_EIDRM   deleted
 *   -TACT_ENOMEM  from a handler to another CPU's group: no message record is free
 *   -TACT_EPERM   from a handler, another CPU's group, and before is not NULL
 * Context: task, handler, linux. Cost: O(waiters), O(waiters × waiters released) with
 * TACT_EVENT_RULES.
 * Source: RTAI, rt_bits_signal() (SET_BITS, CLR_BITS, SET_CLR_BITS).
 */
int tact_event_change(tact_event_t event, uint64_t set, uint64_t clear, uint64_t *before);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
