/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Migration under load: tasks that compute, wait, sleep and post are moved by themselves and by
 * others; no unit and no task is lost.
 */
#include "explore/scenario.h"

static tact_sem_t sem[3];
static uint32_t given[3], taken[3], workers_left;

static void work(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		uint32_t which = explore_below(3);
		int result;

		switch (explore_below(5)) {
		case 0:
			must_succeed(tact_sem_post(sem[which]));
			given[which]++;
			break;
		case 1:
			result = tact_sem_wait(sem[which], tact_in(1 + explore_below(5000)));
			must(!result || result == -TACT_ETIMEDOUT, "wait: %d", result);
			taken[which] += !result;
			break;
		case 2: {
			uint32_t cpu = explore_any_cpu();
			struct explore_status status;

			must_succeed(tact_task_migrate(TACT_SELF, cpu));
			/* Another actor may have moved it since. */
			must(explore_status(self->task, &status), "it runs on no CPU");
			break;
		}
		case 3:
			must_succeed(tact_task_sleep(1 + explore_below(3000)));
			break;
		default:
			tact_compute(explore_below(3000));
		}
		explore_check(self);
	}
	workers_left--;
}

static void mover(struct explore_actor *self)
{
	while (workers_left) {
		const struct explore_actor *other = explore_actor(explore_below(self->number));
		int result = tact_task_migrate(other->task, explore_any_cpu());

		/* It has ended, or has also been joined. */
		must(!result || result == -TACT_EBUSY || result == -TACT_EIDRM, "migrate: %d",
		     result);
		explore_check(self);
		explore_pause(2000);
	}
}

EXPLORE(migration, 2, 3, "tasks moved between CPUs while they compute, wait, sleep and post")
{
	uint32_t workers = explore_between(1, 6);
	struct tact_sem_info info = {0};

	for (int i = 0; i < 3; i++)
		must_succeed(
			tact_sem_create(NULL, 0, TACT_SEM_VALUE_MAX, explore_any_flags(), &sem[i]));
	workers_left = workers;
	for (uint32_t i = 0; i < workers; i++)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 5), work,
			     explore_between(5, 25));
	explore_task(EXPLORE_EITHER, explore_any_cpu(), 9, mover, workers);
	if (explore_chance(2))
		explore_thread(mover, workers);
	explore_join_all();
	for (int i = 0; i < 3; i++) {
		must_succeed(tact_sem_inquire(sem[i], &info));
		must_equal(info.waiters, 0);
		must_equal(info.value, given[i] - taken[i]);
		must_succeed(tact_sem_delete(sem[i]));
	}
}
