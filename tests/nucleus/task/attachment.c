/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What attachment refuses. */
#include "test.h"

#include <hal/sim.h>

static int attach(struct tact_task_attr attr)
{
	return tact_task_attach(&attr, NULL);
}

static void be_refused(void *deleted_group)
{
	struct tact_sched_param quota = {.sched_class = TACT_SCHED_QUOTA};
	const struct tact_task_attr member = {.sched = &quota};

	expect_error(attach((struct tact_task_attr){.name = "taken"}), TACT_EEXIST);
	expect_error(attach((struct tact_task_attr){.flags = TACT_TASK_LIGHT}), TACT_EINVAL);
	expect_error(attach((struct tact_task_attr){.flags = TACT_TASK_SUSPENDED}), TACT_EINVAL);
	expect_error(attach((struct tact_task_attr){.flags = TACT_ON_CPU(1)}), TACT_ENXIO);
	expect_error(attach(member), TACT_EBADF);
	quota.quota_group = *(tact_quota_t *)deleted_group;
	expect_error(attach(member), TACT_EIDRM);
	expect_none(tact_task_self());
	expect_eq(tact_mode(), TACT_MODE_NONE);
}

TEST(attachment_checks_its_attributes)
{
	struct hal_sim_thread *thread;
	tact_quota_t group;

	expect_ok(tact_sem_create("taken", 0, 1, 0, NULL));
	expect_ok(tact_quota_create(NULL, TEST_MS, 5000, 0, 0, &group));
	expect_ok(tact_quota_delete(group));
	expect_ok(hal_sim_thread_start(&thread, be_refused, &group, "guest"));
	hal_sim_thread_join(thread);
}
