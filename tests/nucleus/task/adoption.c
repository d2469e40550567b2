/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What adoption refuses. */
#include "test.h"

#include <hal/sim.h>

static int adopt(struct tact_task_attr attr)
{
	return tact_task_adopt(&attr, NULL);
}

static void be_refused(void *deleted_group)
{
	struct tact_task_attr member = {.sched = {.sched_class = TACT_SCHED_QUOTA}};

	expect_error(adopt((struct tact_task_attr){.name = "taken"}), TACT_EEXIST);
	expect_error(adopt((struct tact_task_attr){.flags = TACT_TASK_LIGHT}), TACT_EINVAL);
	expect_error(adopt((struct tact_task_attr){.flags = TACT_TASK_SUSPENDED}), TACT_EINVAL);
	expect_error(adopt((struct tact_task_attr){.flags = TACT_ON_CPU(1)}), TACT_ENXIO);
	expect_error(adopt(member), TACT_EBADF);
	member.sched.quota_group = *(tact_quota_t *)deleted_group;
	expect_error(adopt(member), TACT_EIDRM);
	expect_eq(tact_task_self(), 0);
	expect_eq(tact_mode(), TACT_MODE_NONE);
}

TEST(adoption_checks_its_attributes)
{
	struct hal_sim_thread *thread;
	tact_quota_t group;

	expect_ok(tact_sem_create("taken", 0, 1, 0, NULL));
	expect_ok(tact_quota_create(NULL, TEST_MS, 5000, 0, 0, &group));
	expect_ok(tact_quota_delete(group));
	expect_ok(hal_sim_thread_start(&thread, be_refused, &group, "guest"));
	hal_sim_thread_join(thread);
}
