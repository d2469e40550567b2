/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Priority ceilings: nested, changed, exceeded. */
#include "actors.h"

static tact_mutex_t mutex[3];
static struct actor owner;
static struct actor other;

static void create(uint32_t i, uint32_t cpu, uint32_t ceiling)
{
	expect_ok(
		tact_mutex_create(NULL, TACT_MUTEX_CEILING | TACT_ON_CPU(cpu), ceiling, &mutex[i]));
}

/* Ceilings 60, 40, 80, locked in this order, unlocked in each. */
static void nest(const uint32_t order[3], uint32_t cpus)
{
	static const uint32_t ceilings[3] = {60, 40, 80};
	static const uint32_t rising[3] = {60, 60, 80};
	uint32_t owned[3] = {60, 40, 80};

	actor_start(&owner, 0, 20);
	for (uint32_t i = 0; i < 3; i++) {
		create(i, i % cpus, ceilings[i]);
		expect_ok(actor_do(&owner, act_lock, mutex[i]));
		expect_priority(&owner, rising[i]);
	}
	for (uint32_t n = 0; n < 3; n++) {
		uint32_t left = 20;

		owned[order[n]] = 0;
		for (uint32_t i = 0; i < 3; i++)
			if (owned[i] > left)
				left = owned[i];
		expect_ok(actor_do(&owner, act_unlock, mutex[order[n]]));
		expect_priority(&owner, left);
	}
	actor_end(&owner);
}

static const uint32_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
				      {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

TEST(nested_ceilings_restore_exactly)
{
	for (int i = 0; i < 6; i++)
		nest(orders[i], 1);
}

TEST_CPUS(3, nested_ceilings_restore_exactly_over_cpus)
{
	for (int i = 0; i < 6; i++)
		nest(orders[i], 3);
}

TEST_CPUS(2, locker_above_the_ceiling_is_refused)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		create(0, 0, 30);
		actor_start(&owner, cpu, 31);
		expect_error(actor_do(&owner, act_lock, mutex[0]), TACT_EINVAL);
		expect_ok(tact_task_set_priority(owner.task, 30, 0, NULL));
		expect_ok(actor_do(&owner, act_lock, mutex[0]));
		expect_ok(actor_do(&owner, act_unlock, mutex[0]));
		actor_end(&owner);
	}
}

TEST_CPUS(2, owner_follows_a_changed_ceiling)
{
	struct tact_mutex_info info = {0};
	uint32_t old = 0;

	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		create(0, 0, 30);
		actor_start(&owner, cpu, 20);
		expect_ok(actor_do(&owner, act_lock, mutex[0]));
		expect_priority(&owner, 30);
		expect_ok(tact_mutex_set_ceiling(mutex[0], 70, &old));
		expect_eq(old, 30);
		expect_priority(&owner, 70);
		expect_ok(tact_mutex_set_ceiling(mutex[0], 10, NULL));
		expect_priority(&owner, 20);
		expect_ok(tact_mutex_inquire(mutex[0], &info));
		expect_eq(info.ceiling, 10);
		expect_ok(actor_do(&owner, act_unlock, mutex[0]));
		expect_error(actor_do(&owner, act_lock, mutex[0]), TACT_EINVAL);
		actor_end(&owner);
	}
}

TEST_CPUS(2, ceiling_passes_with_the_mutex)
{
	create(0, 0, 90);
	actor_start(&owner, 0, 20);
	actor_start(&other, 1, 25);
	expect_ok(actor_do(&owner, act_lock, mutex[0]));
	actor_blocks(&other, act_lock, mutex[0]);
	expect_ok(actor_do(&owner, act_unlock, mutex[0]));
	expect_priority(&owner, 20);
	expect_ok(actor_result(&other));
	expect_priority(&other, 90);
	expect_ok(actor_do(&other, act_unlock, mutex[0]));
	expect_priority(&other, 25);
}

TEST(set_ceiling_checks_its_arguments)
{
	create(0, 0, 30);
	expect_error(tact_mutex_set_ceiling(mutex[0], 0, NULL), TACT_EINVAL);
	expect_error(tact_mutex_set_ceiling(mutex[0], TACT_PRIORITY_MAX + 1, NULL), TACT_EINVAL);
	expect_error(tact_mutex_set_ceiling((tact_mutex_t){0x12345}, 1, NULL), TACT_EBADF);
	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex[1]));
	expect_error(tact_mutex_set_ceiling(mutex[1], 1, NULL), TACT_ENOTSUP);
	expect_ok(tact_mutex_delete(mutex[1]));
	expect_error(tact_mutex_set_ceiling(mutex[1], 1, NULL), TACT_EIDRM);
}
