/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Groups of bits: event flags of the nucleus with rules, which are RTAI's tests. */
#include <rtai_bits.h>

#include "rtai_task.h"

static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	tact_event_t made = {0};
	int error = tact_event_create(key, *(const unsigned long *)how,
				      TACT_PRIO | TACT_EVENT_RULES, &made);

	(void)record;
	*native = tact_object(made);
	return error;
}

BITS *rt_bits_init(unsigned long name, unsigned long mask)
{
	return rtai_create(RTAI_BITS, name, make, &mask);
}

int rt_bits_delete(BITS *bits)
{
	struct runtime_record *record = rtai_take(bits, RTAI_BITS);

	if (!record)
		return -EFAULT;
	(void)tact_delete(runtime_native(record));
	runtime_drop(record);
	return 1;
}

unsigned long rt_get_bits(BITS *bits)
{
	const struct runtime_record *record = rtai_find(bits, RTAI_BITS);
	struct tact_event_info info = {0};

	if (!record || tact_event_inquire(rtai_native_event(record), &info))
		return RTE_OBJINV;
	return info.bits;
}

/* What a function does to the bits. */
struct change {
	uint64_t set;
	uint64_t clear;
};

static bool change_of(int function, unsigned long masks, struct change *change)
{
	*change = (struct change){0, 0};
	switch (function) {
	case SET_BITS:
		change->set = masks;
		return true;
	case CLR_BITS:
		change->clear = masks;
		return true;
	case SET_CLR_BITS:
		change->set = (uint32_t)masks;
		change->clear = masks >> 32;
		return true;
	default:
		return function == NOP_BITS;
	}
}

/* As the structure of a module is laid out (module/, rtai_bits.h). */
struct shown {
	BITS bits;
	unsigned long mask;
};

/* The bits may have changed: a module sees them in its structure. */
static void show(const struct runtime_record *record)
{
	struct shown *shown = ((const struct rtai_object *)record)->structure;

	if (!shown)
		return;
	rtai_hold();
	shown->mask = rt_get_bits(&shown->bits);
	rtai_let_go();
}

unsigned long rt_bits_reset(BITS *bits, unsigned long mask)
{
	const struct runtime_record *record = rtai_find(bits, RTAI_BITS);
	uint64_t before = 0;
	int error;

	if (!record)
		return RTE_OBJINV;
	rtai_hold();
	/* First the waiters, so that none of them is woken by its test. */
	(void)tact_event_flush(rtai_native_event(record));
	error = tact_event_change(rtai_native_event(record), mask, ~(uint64_t)mask, &before);
	show(record);
	rtai_let_go();
	return error < 0 ? (unsigned long)rtai_result_now(error) : before;
}

unsigned long rt_bits_signal(BITS *bits, int setfun, unsigned long masks)
{
	const struct runtime_record *record = rtai_find(bits, RTAI_BITS);
	struct change change;
	uint64_t before = 0;
	int error;

	if (!record || !change_of(setfun, masks, &change))
		return RTE_OBJINV;
	error = tact_event_change(rtai_native_event(record), change.set, change.clear, &before);
	show(record);
	return error < 0 ? (unsigned long)rtai_result_now(error)
			 : (before | change.set) & ~change.clear;
}

/* The two tests of ALL_SET_AND_ANY_SET …, in the order of RTAI's numbers. */
static const uint8_t pair[6][2] = {
	{TACT_EVENT_ALL_SET, TACT_EVENT_ANY_SET},   {TACT_EVENT_ALL_SET, TACT_EVENT_ALL_CLEAR},
	{TACT_EVENT_ALL_SET, TACT_EVENT_ANY_CLEAR}, {TACT_EVENT_ANY_SET, TACT_EVENT_ALL_CLEAR},
	{TACT_EVENT_ANY_SET, TACT_EVENT_ANY_CLEAR}, {TACT_EVENT_ALL_CLEAR, TACT_EVENT_ANY_CLEAR},
};
_Static_assert(ALL_SET == (int)TACT_EVENT_ALL_SET && ANY_SET == (int)TACT_EVENT_ANY_SET &&
		       ALL_CLR == (int)TACT_EVENT_ALL_CLEAR && ANY_CLR == (int)TACT_EVENT_ANY_CLEAR,
	       "the single tests have the nucleus's numbers");

static bool rule_of(int test, unsigned long masks, struct tact_event_rule *rule)
{
	const int combined = test - ALL_SET_AND_ANY_SET;

	if (test < ALL_SET || test > ALL_CLR_OR_ANY_CLR)
		return false;
	if (combined < 0) {
		rule->join = TACT_EVENT_FIRST;
		rule->term[0].test = (uint32_t)test;
		rule->term[0].bits = masks;
		return masks;
	}
	rule->join = combined < 6 ? TACT_EVENT_BOTH : TACT_EVENT_EITHER;
	for (int i = 0; i < 2; i++) {
		rule->term[i].test = pair[combined % 6][i];
		rule->term[i].bits = i ? masks >> 32 : (uint32_t)masks;
	}
	return rule->term[0].bits && rule->term[1].bits;
}

struct wish {
	BITS *bits;
	int test;
	unsigned long masks;
	int function;
	unsigned long function_masks;
	unsigned long *result;
};

/* A reset ends a wait as if the test were met, with the bits that it set. */
static int end_by_reset(tact_event_t event, const struct change *change, uint64_t *received)
{
	return tact_event_change(event, change->set, change->clear, received) < 0 ? -TACT_EIDRM : 0;
}

/* Returns 0, or an error of the nucleus; -TACT_EBADF: no such group, test or function. */
static int wait_for(const struct wish *wish, tact_timeout_t timeout)
{
	const struct runtime_record *record = rtai_find(wish->bits, RTAI_BITS);
	struct tact_event_rule rule = {.size = sizeof(rule)};
	struct runtime_record *self;
	struct change change;
	uint64_t received = 0;
	int error;

	if (!record || !rule_of(wish->test, wish->masks, &rule) ||
	    !change_of(wish->function, wish->function_masks, &change))
		return -TACT_EBADF;
	rule.then_set = change.set;
	rule.then_clear = change.clear;
	self = rtai_waits(RT_SCHED_SEMAPHORE |
			  (timeout.kind == TACT_TIMEOUT_FOREVER ? 0 : RT_SCHED_DELAYED));
	error = tact_event_wait_rule(rtai_native_event(record), &rule, timeout, &received);
	rtai_waited(self);
	if (error == -TACT_ECANCELED)
		error = end_by_reset(rtai_native_event(record), &change, &received);
	if (!error)
		show(record);
	if (wish->result)
		*wish->result = received;
	return error;
}

static int wait_told(const struct wish *wish, tact_timeout_t timeout)
{
	int error = wait_for(wish, rtai_as_caller(timeout));

	return error == -TACT_EAGAIN ? RTE_PERM : rtai_result(error);
}

int rt_bits_wait(BITS *bits, int testfun, unsigned long testmasks, int exitfun,
		 unsigned long exitmasks, unsigned long *resulting_mask)
{
	const struct wish wish = {bits, testfun, testmasks, exitfun, exitmasks, resulting_mask};

	return wait_told(&wish, TACT_FOREVER);
}

int rt_bits_wait_until(BITS *bits, int testfun, unsigned long testmasks, int exitfun,
		       unsigned long exitmasks, RTIME time, unsigned long *resulting_mask)
{
	const struct wish wish = {bits, testfun, testmasks, exitfun, exitmasks, resulting_mask};

	return wait_told(&wish, rtai_until(time));
}

int rt_bits_wait_timed(BITS *bits, int testfun, unsigned long testmasks, int exitfun,
		       unsigned long exitmasks, RTIME delay, unsigned long *resulting_mask)
{
	const struct wish wish = {bits, testfun, testmasks, exitfun, exitmasks, resulting_mask};

	return wait_told(&wish, rtai_in(delay));
}

int rt_bits_wait_if(BITS *bits, int testfun, unsigned long testmasks, int exitfun,
		    unsigned long exitmasks, unsigned long *resulting_mask)
{
	unsigned long now = rt_get_bits(bits);
	const struct wish wish = {bits, testfun, testmasks, exitfun, exitmasks, &now};
	int error = wait_for(&wish, TACT_NOWAIT);

	if (error == -TACT_EAGAIN)
		now = rt_get_bits(bits);
	if (resulting_mask && error != -TACT_EBADF)
		*resulting_mask = now;
	return error == -TACT_EAGAIN ? 0 : error ? rtai_result_now(error) : 1;
}
