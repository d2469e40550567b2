/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Groups of bits: deletion, broken waits, times, bad arguments, handlers. */
#include <rtai_bits.h>

#include "rtai_test.h"

static BITS *bits;
static unsigned long result;

static void deleted_rt_bits_wait(void *arg)
{
	(void)arg;
	FAILS(rt_bits_wait, RTE_OBJREM, rt_bits_wait(bits, ALL_SET, 3, NOP_BITS, 0, &result));
}

static void deleted_rt_bits_wait_until(void *arg)
{
	(void)arg;
	FAILS(rt_bits_wait_until, RTE_OBJREM,
	      rt_bits_wait_until(bits, ANY_SET, 2, NOP_BITS, 0, rt_get_time() + LONG, &result));
}

static void deleted_rt_bits_wait_timed(void *arg)
{
	(void)arg;
	FAILS(rt_bits_wait_timed, RTE_OBJREM,
	      rt_bits_wait_timed(bits, ALL_CLR, 1, NOP_BITS, 0, LONG, NULL));
}

static void (*const bits_deleted[])(void *) = {
	deleted_rt_bits_wait,
	deleted_rt_bits_wait_until,
	deleted_rt_bits_wait_timed,
};

static void broken_rt_bits_wait(void *arg)
{
	(void)arg;
	FAILS(rt_bits_wait, RTE_UNBLKD, rt_bits_wait(bits, ALL_SET, 3, NOP_BITS, 0, &result));
}

static void broken_rt_bits_wait_until(void *arg)
{
	(void)arg;
	FAILS(rt_bits_wait_until, RTE_UNBLKD,
	      rt_bits_wait_until(bits, ANY_SET, 2, NOP_BITS, 0, rt_get_time() + LONG, &result));
}

static void broken_rt_bits_wait_timed(void *arg)
{
	(void)arg;
	FAILS(rt_bits_wait_timed, RTE_UNBLKD,
	      rt_bits_wait_timed(bits, ALL_CLR, 1, NOP_BITS, 0, LONG, NULL));
}

static void (*const bits_broken[])(void *) = {
	broken_rt_bits_wait,
	broken_rt_bits_wait_until,
	broken_rt_bits_wait_timed,
};

static void erase_bits(struct peer *peer)
{
	(void)peer;
	WORKS(rt_bits_delete, rt_bits_delete(bits) <= 0);
}

RTAI_TEST(deletion_ends_waits_of_bits)
{
	for (size_t i = 0; i < COUNT(bits_deleted); i++) {
		WORKS(rt_bits_init, !(bits = rt_bits_init(0, 1)));
		while_it_waits(bits_deleted[i], erase_bits);
	}
}

RTAI_TEST(waits_of_bits_are_broken)
{
	WORKS(rt_bits_init, !(bits = rt_bits_init(0, 1)));
	for (size_t i = 0; i < COUNT(bits_broken); i++)
		while_it_waits(bits_broken[i], break_its_wait);
}

RTAI_TEST(waits_for_bits_end_with_their_time)
{
	bits = rt_bits_init(0, 0);
	FAILS(rt_bits_wait_until, RTE_TIMOUT,
	      rt_bits_wait_until(bits, ALL_SET, 1, NOP_BITS, 0, rt_get_time() + MS(1), NULL));
	FAILS(rt_bits_wait_timed, RTE_TIMOUT,
	      rt_bits_wait_timed(bits, ALL_SET, 1, NOP_BITS, 0, MS(1), &result));
}

RTAI_TEST(bad_arguments_of_bits)
{
	void *const bad[] = {NULL, GARBAGE, NOTHING, rt_agent()};

	for (size_t i = 0; i < COUNT(bad); i++) {
		FAILS(rt_bits_delete, EFAULT, -rt_bits_delete(bad[i]));
		FAILS(rt_get_bits, RTE_OBJINV, rt_get_bits(bad[i]));
		FAILS(rt_bits_reset, RTE_OBJINV, rt_bits_reset(bad[i], 1));
		FAILS(rt_bits_signal, RTE_OBJINV, rt_bits_signal(bad[i], SET_BITS, 1));
		FAILS(rt_bits_wait, RTE_OBJINV, rt_bits_wait(bad[i], 0, 1, 0, 0, NULL));
		FAILS(rt_bits_wait_if, RTE_OBJINV, rt_bits_wait_if(bad[i], 0, 1, 0, 0, NULL));
		FAILS(rt_bits_wait_until, RTE_OBJINV,
		      rt_bits_wait_until(bad[i], 0, 1, 0, 0, LONG, NULL));
		FAILS(rt_bits_wait_timed, RTE_OBJINV,
		      rt_bits_wait_timed(bad[i], 0, 1, 0, 0, LONG, NULL));
	}
	bits = rt_bits_init(nam2num("B"), 0);
	FAILS(rt_bits_init, NULL, rt_bits_init(nam2num("B"), 0));
	FAILS(rt_bits_signal, RTE_OBJINV, rt_bits_signal(bits, 4, 1));
	FAILS(rt_bits_wait, RTE_OBJINV, rt_bits_wait(bits, 16, 1, NOP_BITS, 0, NULL));
	FAILS(rt_bits_wait, RTE_OBJINV, rt_bits_wait(bits, -1, 1, NOP_BITS, 0, NULL));
	FAILS(rt_bits_wait, RTE_OBJINV, rt_bits_wait(bits, ALL_SET, 0, NOP_BITS, 0, NULL));
	FAILS(rt_bits_wait_if, RTE_OBJINV,
	      rt_bits_wait_if(bits, ALL_SET_OR_ANY_SET, 5, NOP_BITS, 0, NULL));
	FAILS(rt_bits_wait_if, RTE_OBJINV, rt_bits_wait_if(bits, ALL_SET, 1, 9, 0, NULL));
}

static void use_in_handler(void *arg)
{
	(void)arg;
	FAILS(rt_bits_wait, RTE_PERM, rt_bits_wait(bits, ALL_SET, 3, NOP_BITS, 0, &result));
	FAILS(rt_bits_wait_until, RTE_PERM,
	      rt_bits_wait_until(bits, ANY_SET, 2, NOP_BITS, 0, rt_get_time() + LONG, &result));
	FAILS(rt_bits_wait_timed, RTE_PERM,
	      rt_bits_wait_timed(bits, ALL_CLR, 1, NOP_BITS, 0, LONG, NULL));
	WORKS(rt_bits_wait_if, rt_bits_wait_if(bits, ALL_SET, 2, NOP_BITS, 0, &result));
	WORKS(rt_bits_signal, rt_bits_signal(bits, SET_BITS, 2) != 3);
	FAILS(rt_bits_delete, EFAULT, -rt_bits_delete(bits));
}

RTAI_TEST(handlers_do_not_wait_for_bits)
{
	bits = rt_bits_init(0, 1);
	in_handler(use_in_handler);
	expect_eq(result, 1);
}
