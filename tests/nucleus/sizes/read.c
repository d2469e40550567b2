/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Structures that calls read, by their size: fields that the library does not know must be 0. */
#include "sizes.h"

static tact_task_t made;

static void nothing(void *unused)
{
	(void)unused;
}

static void expect_like_attr(const struct tact_task_attr *attr)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(made, &info));
	expect_str(info.name, attr->name);
	expect_eq(info.base_priority, attr->priority);
	expect_eq(info.sched_class, attr->sched ? attr->sched->sched_class : TACT_SCHED_FIFO);
}

static int create(const void *structure)
{
	struct tact_task_attr attr;
	int result = tact_task_create(structure, &made);

	if (result)
		return result;
	memcpy(&attr, structure, sizeof(attr));
	expect_like_attr(&attr);
	expect_ok(tact_task_delete(made));
	return 0;
}

static int spawn(const void *structure)
{
	int result = tact_task_spawn(structure, nothing, NULL, &made);

	if (!result)
		expect_ok(tact_task_delete(made));
	return result;
}

static const struct tact_sched_param turns = {.sched_class = TACT_SCHED_RR,
					      .quantum_ns = 50 * TEST_MS};

TASK_TEST(attributes_of_a_task_are_read_by_their_size)
{
	const struct tact_task_attr attr = {.name = "sized", .priority = 7};
	const struct tact_task_attr in_turns = {.name = "turns", .priority = 8, .sched = &turns};

	expect_read_by_size("create", create, &attr, sizeof(attr));
	expect_read_by_size("create in turns", create, &in_turns, sizeof(in_turns));
	expect_read_by_size("spawn", spawn, &attr, sizeof(attr));
	expect_ok(tact_task_create(NULL, NULL));
}

static int create_of_class(const void *sched)
{
	const struct tact_task_attr attr = {.name = "class", .priority = 9, .sched = sched};
	int result = tact_task_create(&attr, &made);

	if (result)
		return result;
	expect_like_attr(&attr);
	expect_ok(tact_task_delete(made));
	return 0;
}

static int set_sched(const void *sched)
{
	struct tact_sched_param fifo = {0}, now = {0};
	int result = tact_task_set_sched(TACT_SELF, sched);

	expect_ok(tact_task_get_sched(TACT_SELF, &now));
	expect_eq(now.size, sizeof(now));
	expect_eq(now.sched_class, result ? TACT_SCHED_FIFO : TACT_SCHED_RR);
	expect_eq(now.quantum_ns, result ? 0 : turns.quantum_ns);
	expect_ok(tact_task_set_sched(TACT_SELF, &fifo));
	return result;
}

TASK_TEST(parameters_of_a_class_are_read_by_their_size)
{
	expect_read_by_size("create", create_of_class, &turns, sizeof(turns));
	expect_read_by_size("set_sched", set_sched, &turns, sizeof(turns));
	expect_error(tact_task_set_sched(TACT_SELF, NULL), TACT_EINVAL);
}

/* Values are returned in the form in which they can be given back. */
TASK_TEST(parameters_that_are_told_can_be_given_back)
{
	struct tact_sched_param now = {0};

	expect_ok(tact_task_set_sched(TACT_SELF, &turns));
	expect_ok(tact_task_get_sched(TACT_SELF, &now));
	expect_ok(tact_task_set_sched(TACT_SELF, &now));
	expect_ok(tact_task_get_sched(TACT_SELF, NULL));
}

static int start_and_stop(const void *config)
{
	char reason[TACT_REASON_BYTES] = "";
	int result = test_start(config, reason);

	if (result) {
		/* The reason says what is wrong. */
		expect_true(strstr(reason, "size") != NULL);
		expect_eq(tact_cpus(), 0);
		return result;
	}
	expect_eq(tact_cpus(), 1);
	expect_str(tact_program(), "sized");
	return tact_stop();
}

TEST_UNSTARTED(configuration_is_read_by_its_size)
{
	const struct tact_config config = {.name = "sized"};

	expect_read_by_size("start", start_and_stop, &config, sizeof(config));
}
