/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a mutex refuses, with the documented code. */
#include "actors.h"

static tact_mutex_t mutex;

TASK_TEST(creation_checks_its_arguments)
{
	expect_error(tact_mutex_create(NULL, 0x10, 0, &mutex), TACT_EINVAL);
	expect_error(tact_mutex_create(NULL, 0, 1, &mutex), TACT_EINVAL);
	expect_error(tact_mutex_create(NULL, TACT_MUTEX_CEILING, 0, &mutex), TACT_EINVAL);
	expect_error(tact_mutex_create(NULL, TACT_MUTEX_CEILING, TACT_PRIORITY_MAX + 1, &mutex),
		     TACT_EINVAL);
	expect_error(tact_mutex_create(NULL, TACT_MUTEX_CEILING | TACT_MUTEX_PLAIN, 5, &mutex),
		     TACT_EINVAL);
	expect_error(tact_mutex_create("", 0, 0, &mutex), TACT_EINVAL);
	expect_error(tact_mutex_create(NULL, TACT_ON_CPU(1), 0, &mutex), TACT_ENXIO);
	expect_ok(tact_mutex_create("taken", 0, 0, NULL));
	expect_error(tact_mutex_create("taken", 0, 0, &mutex), TACT_EEXIST);
}

TASK_TEST(handle_of_another_type_is_refused)
{
	const tact_mutex_t self = {tact_task_self().id};

	expect_error(tact_mutex_lock(self, TACT_NOWAIT), TACT_EBADF);
	expect_error(tact_mutex_unlock(self), TACT_EBADF);
	expect_error(tact_mutex_consistent((tact_mutex_t){0}), TACT_EBADF);
	expect_error(tact_mutex_delete((tact_mutex_t){0x7fffffff}), TACT_EBADF);
	expect_error(tact_mutex_inquire(self, NULL), TACT_EBADF);
}

TASK_TEST_CPUS(2, only_the_owner_unlocks)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(cpu), 0, &mutex));
		expect_error(tact_mutex_unlock(mutex), TACT_EPERM);
		expect_error(tact_mutex_consistent(mutex), TACT_EPERM);
		expect_ok(tact_mutex_lock(mutex, TACT_FOREVER));
		expect_error(tact_mutex_consistent(mutex), TACT_ESRCH);
		expect_ok(tact_mutex_unlock(mutex));
	}
}

TASK_TEST(timeout_of_unknown_kind_is_refused)
{
	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex));
	expect_error(tact_mutex_lock(mutex, ((tact_timeout_t){0, 5})), TACT_EINVAL);
}

TEST(linux_thread_cannot_own)
{
	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex));
	expect_error(tact_mutex_lock(mutex, TACT_FOREVER), TACT_EPERM);
	expect_error(tact_mutex_unlock(mutex), TACT_EPERM);
	expect_error(tact_mutex_consistent(mutex), TACT_EPERM);
	expect_ok(tact_mutex_inquire(mutex, NULL));
}

TEST_CPUS(2, foreign_owner_keeps_it)
{
	static struct actor owner;
	static struct actor other;

	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(0), 0, &mutex));
		actor_start(&owner, 1 - cpu, 10);
		actor_start(&other, cpu, 10);
		expect_ok(actor_do(&owner, act_lock, mutex));
		expect_error(actor_do(&other, act_unlock, mutex), TACT_EPERM);
		expect_ok(actor_do(&owner, act_unlock, mutex));
	}
}

static void in_handler(void *arg)
{
	(void)arg;
	expect_error(tact_mutex_lock(mutex, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_mutex_unlock(mutex), TACT_EPERM);
	expect_error(tact_mutex_consistent(mutex), TACT_EPERM);
	expect_error(tact_mutex_set_ceiling(mutex, 1, NULL), TACT_EPERM);
	expect_error(tact_mutex_delete(mutex), TACT_EPERM);
	expect_error(tact_mutex_create(NULL, 0, 0, NULL), TACT_EPERM);
	expect_ok(tact_mutex_inquire(mutex, NULL));
}

TEST(handler_may_only_inquire)
{
	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex));
	test_in_handler(in_handler, NULL);
}

TEST_UNSTARTED(nothing_works_before_the_start)
{
	expect_error(tact_mutex_create(NULL, 0, 0, &mutex), TACT_EPERM);
	expect_error(tact_mutex_lock((tact_mutex_t){0x40001}, TACT_NOWAIT), TACT_EPERM);
}
