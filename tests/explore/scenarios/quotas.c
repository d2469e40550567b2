/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A quota group whose tasks compute, sleep, leave and come back while they are inspected and
 * suspended and the limits change: all together never use more than was granted until then.
 */
#include "hal/sim.h"

#include "explore/scenario.h"

#define STEPS 15

static tact_quota_t group;
struct limits {
	uint64_t interval_ns, quota_ns, peak_ns;
	uint64_t since_ns; /* not after the begin of the first interval */
};

static struct limits limits;
static uint64_t granted_ns; /* maximum under earlier limits */
static uint64_t used_ns;    /* finished computing time of the members */
static bool sure;           /* the limits are not being changed */
static uint32_t workers_left;

static uint64_t grants(const struct limits *by)
{
	return by->quota_ns * ((hal_sim_now() - by->since_ns) / by->interval_ns + 1);
}

static struct limits draw_limits(void)
{
	uint32_t interval_ns = explore_between(20000, 200000);
	uint32_t quota_ns = explore_between(1000, interval_ns / 2);

	return (struct limits){
		.interval_ns = interval_ns,
		.quota_ns = quota_ns,
		.peak_ns = explore_chance(2) ? 0 : quota_ns + explore_below(quota_ns),
		.since_ns = tact_now().ns,
	};
}

static void join(bool in)
{
	struct tact_sched_param sched = {.sched_class = in ? TACT_SCHED_QUOTA : TACT_SCHED_FIFO,
					 .quota_group = group};

	must_succeed(tact_task_set_sched(TACT_SELF, &sched));
}

/* The CPU of a running task has handled all due events: its finished work was in time. */
static void use(const struct explore_actor *self)
{
	uint64_t duration_ns = explore_below(10000);

	tact_compute(duration_ns);
	used_ns += duration_ns;
	explore_check(self);
	must(!sure || used_ns <= granted_ns + grants(&limits),
	     "actor %u: %llu ns used, %llu granted", self->index, (unsigned long long)used_ns,
	     (unsigned long long)(granted_ns + grants(&limits)));
}

static void work(struct explore_actor *self)
{
	join(true);
	for (int i = 0; i < STEPS; i++) {
		switch (explore_below(8)) {
		case 0:
			join(false);
			tact_compute(explore_below(5000));
			join(true);
			break;
		case 1:
			explore_pause(50000);
			break;
		case 2:
			must_succeed(tact_task_yield());
			break;
		default:
			use(self);
		}
	}
	workers_left--;
}

static void set_limits(void)
{
	struct limits next = draw_limits();

	sure = false;
	must_succeed(tact_quota_set(group, next.interval_ns, next.quota_ns, next.peak_ns));
	/* The old limits were in force until then, at the latest. */
	granted_ns += grants(&limits);
	limits = next;
	sure = true;
}

static void disturb(struct explore_actor *self)
{
	while (workers_left) {
		const struct explore_actor *worker = explore_actor(explore_below(self->number));
		struct tact_quota_info info = {0};
		struct tact_task_info task = {0};
		int result = 0;

		switch (explore_below(4)) {
		case 0:
			result = tact_task_inquire(worker->task, &task);
			break;
		case 1:
			must_succeed(tact_quota_inquire(group, &info));
			must(info.budget_ns <= info.peak_ns, "a budget above the peak");
			break;
		case 2:
			result = tact_task_suspend(worker->task);
			explore_pause(20000);
			(void)tact_task_resume(worker->task);
			break;
		default:
			tact_compute(explore_below(5000));
		}
		/* It may have ended, or have been joined. */
		must(!result || result == -TACT_EBUSY || result == -TACT_EIDRM, "it gave %d",
		     result);
		explore_check(self);
		explore_pause(10000);
	}
}

EXPLORE(quotas, 1, 2, "a group never runs for more than its quota, whatever is done to it")
{
	uint32_t workers = explore_between(2, 6);

	limits = draw_limits();
	must_succeed(tact_quota_create(NULL, limits.interval_ns, limits.quota_ns, limits.peak_ns,
				       TACT_ON_CPU(0), &group));
	sure = true;
	workers_left = workers;
	for (uint32_t i = 0; i < workers; i++)
		explore_task(EXPLORE_EITHER, 0, explore_between(1, 9), work, 0);
	for (uint32_t i = explore_below(4); i; i--)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), disturb,
			     workers);
	for (uint32_t i = explore_below(3); i && workers_left; i--) {
		tact_compute(explore_below(1000000));
		set_limits();
	}
	explore_join_all();
	must_succeed(tact_quota_delete(group));
}
