/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The shared part of the cases of the walk, and the verdict. */
#include "walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Instructions, as CAVEATS.md states them for gcc. clang has some more, most where contents are
 * copied. */
#ifdef __clang__
#define BOUND   4400u
#define PERCENT 150u
#else
#define BOUND   4000u
#define PERCENT 120u
#endif
#define BOUND_EVENT \
	24000u /* of an event, or a turn of an idle CPU: eight timers, with their tasks */
/* Of each name so many sections are stepped through first, and others while there were no more
 * steps than that. WALK_FIRST in the environment sets another number, without an end. */
#define FIRST 4u
#define STEPS 6000u
/* A million timers and their handles; unused memory is not present. */
#define POOL_BYTES (1u << 30)
/* A step takes up to 20 us where other programs compute: a section may last longer than the back
 * end bears. */
#define OPTIONS "watchdog=0"

/* Sections that are not divided, and grow: CAVEATS.md says with what. */
static const struct {
	const char *name; /* the beginning of it */
	uint32_t each;
	uint32_t number;
} exceptions[] = {
	{"tact_event_change of nobody's", 24, WALK_MANY},
	{"tact_event_change, all released", 105, WALK_MANY},
	{"tact_event_clear of nobody's", 24, WALK_MANY},
	{"tact_event_pulse, all released", 67, WAITERS},
	{"tact_event_set of nobody's", 13, WAITERS},
	{"tact_buffer_write over many", 70, WALK_MANY},
	{"tact_buffer_write to many", 150, WALK_MANY},
	{"tact_zqueue_send, to all", 35, WAITERS},
	{"tact_heap_free", 226, WALK_MANY},
	{"tact_mailbox_broadcast", 38, WAITERS},
	{"tact_mutex_lock behind a chain", 650, WALK_CHAIN},
	{"tact_mutex_lock behind crowds from afar", 6, WAITERS / WALK_CROWDS},
	{"tact_partition_", 270, WALK_TASKS},
	{"tact_pipe_end_write idle", 162, WALK_MANY},
	{"tact_port_accept beside a crowd", 6, WAITERS},
	{"tact_port_call beside a crowd", 6, WAITERS},
	{"tact_port_delete, being served", 1090, WALK_SERVED},
	{"tact_port_forward to a crowd", 6, WAITERS},
	{"tact_queue_broadcast", 34, WAITERS},
	{"tact_queue_flush, filled anew", 150, WALK_MANY},
	{"tact_quota_", 270, WALK_TASKS},
	{"quota of many tasks", 270, WALK_TASKS},
	{"tact_rwlock_create", 96, WALK_MANY},
	{"tact_task_unsafe of an ordered one", 9, WALK_MANY},
	{"tact_task_unsafe with 1000 who delete", 36, WALK_MANY},
	{"tact_rwlock_read of one who holds 5000", 5, WAITERS},
	{"tact_rwlock_unlock of one who holds 5000", 5, WAITERS},
	{"tact_rwlock_delete of many", 38, WALK_MANY},
	{"tact_rwlock_unlock to readers", 126, WALK_MANY},
	{"tact_stop", 820, 100},
	{"tact_task_set_priority ahead, behind a chain", 650, 200},
	{"tact_word_post beside a crowd", 5, WAITERS},
	{"watchdog", 60, WALK_MANY},
};

void walk_spawn(void (*entry)(void *), uint32_t count)
{
	struct tact_task_attr attr = {.flags = TACT_TASK_LIGHT | TACT_TASK_NO_JOIN,
				      .stack_bytes = 16384};

	for (uint32_t i = 0; i < count; i++) {
		attr.priority = 1 + i * 7 % 200;
		expect_ok(tact_task_spawn(&attr, entry, (void *)(uintptr_t)i, NULL));
	}
	/* The body is more urgent: they come to wait while it sleeps. */
	for (int i = 0; i < 20; i++)
		expect_ok(tact_task_sleep(TEST_MS));
}

void walk_let_end(void)
{
	for (int i = 0; i < 5; i++)
		expect_ok(tact_task_sleep(10 * TEST_MS));
	sections_count(NULL);
}

void walk_limit(uint32_t first)
{
	const char *wanted = getenv("WALK_FIRST");
	const uint32_t at_least = wanted ? (uint32_t)strtoul(wanted, NULL, 10) : 0;

	sections_limit(first > at_least ? first : at_least, wanted ? UINT64_MAX : STEPS);
}

void walk_expect(const char *what, int64_t result, int error)
{
	if (error ? result != -error : result < 0)
		test_fail(__FILE__, __LINE__, "%s: expected %d, actual %" PRId64, what, -error,
			  result);
}

static bool counts_stop;

void walk_count_stop(void)
{
	counts_stop = true;
}

void walk_run(void (*body)(void *), uint32_t cpus)
{
	walk_run_hogged(body, cpus, 0);
}

void walk_run_hogged(void (*body)(void *), uint32_t cpus, uint32_t hog_timeout_ms)
{
	struct tact_config config = {.name = "walk",
				     .pool_bytes = POOL_BYTES,
				     .cpus = cpus,
				     .hog_timeout_ms = hog_timeout_ms,
				     .options = OPTIONS};
	char reason[TACT_REASON_BYTES];

	expect_ok(test_start(&config, reason));
	walk_limit(FIRST);
	test_join(test_spawn(TEST_PRIORITY + 200, body, NULL));
	sections_count(counts_stop ? "tact_stop" : NULL);
	expect_ok(tact_stop());
	sections_count(NULL);
}

void walk_run_in_linux(void (*body)(void))
{
	struct tact_config config = {
		.name = "walk", .pool_bytes = POOL_BYTES, .cpus = 1, .options = OPTIONS};
	char reason[TACT_REASON_BYTES];

	expect_ok(test_start(&config, reason));
	walk_limit(FIRST);
	body();
	sections_count(NULL);
	expect_ok(tact_stop());
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text);

	return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static uint32_t bound_of(const char *name)
{
	for (size_t i = 0; i < sizeof(exceptions) / sizeof(exceptions[0]); i++)
		if (strncmp(name, exceptions[i].name, strlen(exceptions[i].name)) == 0)
			return exceptions[i].each * exceptions[i].number / 100 * PERCENT;
	return ends_with(name, " event") || ends_with(name, " idle") ? BOUND_EVENT : BOUND;
}

TEST_UNSTARTED(no_section_is_longer_than_stated)
{
	uint64_t count = 0, steps = 0;
	bool good = true;

	for (unsigned i = 0; sections_rank(i); i++) {
		const struct section *section = sections_rank(i);

		if (i < 10 || section->instructions > bound_of(section->name))
			printf("# %6u%s instructions: %s, section %u\n", section->instructions,
			       section->instructions < SECTIONS_COUNT_MAX ? "" : " or more",
			       section->name, section->number);
		count += section->times;
		steps += section->steps;
		good &= section->instructions <= bound_of(section->name);
	}
	printf("# %" PRIu64 " sections, %" PRIu64 " instructions\n", count, steps);
	fflush(stdout);
	expect_true(good);
}
