/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records: found by their id while they are published, and never by an old one. */
#include "test.h"

#include <pthread.h>

#include "runtime/life.h"

enum { TASK = 1, SEM };

struct object {
	struct runtime_record record;
	char extra[64];
};

static const char *const type_name[] = {"", "task", "sem"};
static const struct runtime_hooks hooks = {0};
RUNTIME_TABLE(table, struct object, RUNTIME_INT_IDS, type_name, 0, &hooks);

#define MANY 5000

static struct runtime_record *records[MANY];
static uint64_t id[MANY];

static tact_object_t native(int number)
{
	return (tact_object_t){(uint32_t)number};
}

static void publish(int i)
{
	records[i] = runtime_reserve(&table, SEM, NULL);
	expect_true(records[i]);
	id[i] = runtime_publish(records[i], native(i + 1));
}

TEST_UNSTARTED(ids_name_their_records)
{
	for (int i = 0; i < MANY; i++)
		publish(i);
	for (int i = 0; i < MANY; i++) {
		expect_true(runtime_find(&table, id[i], SEM) == records[i]);
		expect_true(!runtime_find(&table, id[i], TASK));
		expect_eq(runtime_native(records[i]).id, i + 1);
	}
	expect_true(runtime_find_native(&table, native(1234), SEM) == records[1233]);
	expect_true(!runtime_find_native(&table, native(MANY + 1), SEM));
	expect_true(!runtime_find_native(&table, native(1234), TASK));
}

TEST_UNSTARTED(old_ids_are_stale)
{
	uint64_t old;

	publish(0);
	old = id[0];
	expect_true(runtime_take(&table, old, SEM) == records[0]);
	/* One taker wins. */
	expect_true(!runtime_take(&table, old, SEM));
	expect_true(!runtime_find(&table, old, SEM));
	runtime_drop(records[0]);
	/* The next record at that place has another id. */
	for (int i = 0; i < 200; i++) {
		publish(i);
		expect_true(id[i] != old);
	}
	expect_true(!runtime_find(&table, old, SEM));
}

TEST_UNSTARTED(reserved_is_not_yet_found)
{
	struct runtime_record *reserved = runtime_reserve(&table, SEM, "x");

	expect_true(!runtime_find_native(&table, TACT_NONE, SEM));
	expect_str(reserved->name, "x");
	runtime_drop(reserved);
}

TEST_UNSTARTED(table_has_an_end)
{
	int count = 0;

	while (runtime_reserve(&table, SEM, "x"))
		expect_true(++count <= 65536);
	expect_eq(count, 65536);
}

/* The generations of an id that fits an int are used again, the longest ago first. */
TEST_UNSTARTED(ids_fit_an_int)
{
	struct runtime_record *only;
	uint64_t first = 0;

	for (int i = 0; i < 63; i++)
		expect_true(runtime_reserve(&table, SEM, "x"));
	for (uint32_t i = 0; i < RUNTIME_INT_IDS; i++) {
		uint64_t now;

		only = runtime_reserve(&table, SEM, "x");
		now = runtime_publish(only, native(1));
		expect_true(now && now <= INT32_MAX && now != first);
		first = first ? first : now;
		expect_true(runtime_take(&table, now, SEM) == only);
		runtime_drop(only);
	}
	only = runtime_reserve(&table, SEM, "x");
	expect_eq(runtime_publish(only, native(1)), first);
}

TEST_UNSTARTED(what_follows_a_record_is_zero)
{
	struct runtime_record *record = runtime_reserve(&table, SEM, "x");

	memset(runtime_extra(record), 1, 64);
	runtime_drop(record);
	for (int i = 0; i < 64; i++) {
		record = runtime_reserve(&table, SEM, "x");
		for (int j = 0; j < 64; j++)
			expect_eq(((char *)runtime_extra(record))[j], 0);
	}
}

#define THREADS 4
#define EACH    3000

static void *make_and_delete(void *unused)
{
	(void)unused;
	for (int i = 0; i < EACH; i++) {
		struct runtime_record *own = runtime_reserve(&table, SEM, NULL);
		uint64_t now = runtime_publish(own, native(i + 1));

		expect_true(runtime_find(&table, now, SEM) == own);
		expect_eq(runtime_native(own).id, i + 1);
		if (i % 2)
			continue;
		expect_true(runtime_take(&table, now, SEM) == own);
		runtime_drop(own);
	}
	return NULL;
}

static int left;

static void count_one(struct runtime_record *record)
{
	(void)record;
	left++;
}

TEST_UNSTARTED(threads_share_the_table)
{
	pthread_t thread[THREADS];

	for (int i = 0; i < THREADS; i++)
		expect_ok(pthread_create(&thread[i], NULL, make_and_delete, NULL));
	for (int i = 0; i < THREADS; i++)
		expect_ok(pthread_join(thread[i], NULL));
	runtime_each(&table, SEM, count_one);
	expect_eq(left, THREADS * EACH / 2);
}

static struct runtime_record *given_back;

static void give_back(struct runtime_record *record)
{
	given_back = record;
}

TEST_UNSTARTED(what_linux_has_of_a_record_is_given_back_once)
{
	struct runtime_record *record = runtime_reserve(&table, SEM, "x");

	record->give_back = give_back;
	runtime_drop(record);
	expect_true(given_back == record);
	given_back = NULL;
	for (int i = 0; i < 64; i++)
		runtime_drop(runtime_reserve(&table, SEM, "x"));
	expect_true(!given_back);
}
