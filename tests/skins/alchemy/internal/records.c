/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records: found by their handle while they are published, and never by an old one. */
#include "test.h"

#include "alchemy_internal.h"

#define MANY 5000

static struct alchemy_object *record[MANY];
static uintptr_t handle[MANY];

static tact_object_t native(int number)
{
	return (tact_object_t){(uint32_t)number};
}

static void publish(int i)
{
	record[i] = alchemy_reserve(ALCHEMY_SEM, NULL);
	expect_true(record[i]);
	handle[i] = alchemy_publish(record[i], native(i + 1));
}

TEST_UNSTARTED(handles_name_their_records)
{
	for (int i = 0; i < MANY; i++)
		publish(i);
	for (int i = 0; i < MANY; i++) {
		expect_true(alchemy_find(&handle[i], ALCHEMY_SEM) == record[i]);
		expect_true(!alchemy_find(&handle[i], ALCHEMY_TASK));
		expect_eq(alchemy_native(record[i]).id, i + 1);
	}
	expect_true(alchemy_find_native(native(1234), ALCHEMY_SEM) == record[1233]);
	expect_true(!alchemy_find_native(native(MANY + 1), ALCHEMY_SEM));
	expect_true(!alchemy_find_native(native(1234), ALCHEMY_TASK));
}

TEST_UNSTARTED(old_handles_are_stale)
{
	uintptr_t old;

	publish(0);
	old = handle[0];
	expect_true(alchemy_take(&old, ALCHEMY_SEM) == record[0]);
	/* One taker wins. */
	expect_true(!alchemy_take(&old, ALCHEMY_SEM));
	expect_true(!alchemy_find(&old, ALCHEMY_SEM));
	alchemy_drop(record[0]);
	/* Whoever comes to live there has another handle. */
	for (int i = 0; i < 200; i++) {
		publish(i);
		expect_true(handle[i] != old);
	}
	expect_true(!alchemy_find(&old, ALCHEMY_SEM));
}

TEST_UNSTARTED(reserved_is_not_yet_found)
{
	struct alchemy_object *reserved = alchemy_reserve(ALCHEMY_SEM, "x");

	expect_true(!alchemy_find_native(TACT_NONE, ALCHEMY_SEM));
	expect_str(reserved->name, "x");
	alchemy_drop(reserved);
}

TEST_UNSTARTED(table_has_an_end)
{
	int count = 0;

	while (alchemy_reserve(ALCHEMY_SEM, "x"))
		expect_true(++count <= 65536);
	expect_eq(count, 65536);
}
