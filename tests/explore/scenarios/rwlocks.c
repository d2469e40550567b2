/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reader-writer locks: a writer is alone, there are not more readers than allowed, and all get in
 * at last.
 */
#include "explore/scenario.h"

static tact_rwlock_t lock;
static uint32_t readers, readers_max, writers, work_left;

static void visit(struct explore_actor *self)
{
	for (int i = 0; i < 10; i++) {
		bool write = explore_chance(3);
		tact_timeout_t timeout =
			explore_chance(4) ? tact_in(1 + explore_below(20000)) : TACT_FOREVER;
		int result =
			write ? tact_rwlock_write(lock, timeout) : tact_rwlock_read(lock, timeout);

		explore_check(self);
		must(!result || result == -TACT_ETIMEDOUT || result == -TACT_ECANCELED,
		     "locking: %d", result);
		if (result)
			continue;
		if (write)
			writers++;
		else
			readers++;
		must(writers <= 1 && (!writers || !readers) && readers <= readers_max,
		     "%u writers and %u readers are inside", writers, readers);
		explore_dawdle(3000);
		if (write)
			writers--;
		else
			readers--;
		must_succeed(tact_rwlock_unlock(lock));
		explore_check(self);
		explore_dawdle(1000);
	}
	work_left--;
}

static void disturb(struct explore_actor *self)
{
	while (work_left) {
		(void)explore_disturb(explore_actor(explore_below(self->number)));
		explore_check(self);
		explore_pause(5000);
	}
}

EXPLORE(rwlocks, 1, 3, "readers and writers: a writer is alone, no task is left outside")
{
	static const uint32_t kinds[] = {0, TACT_RWLOCK_READERS, TACT_RWLOCK_FAIR};
	uint32_t visitors = explore_between(2, 7);
	struct tact_rwlock_info info = {0};

	readers_max = explore_between(1, 4);
	must_succeed(tact_rwlock_create(NULL, readers_max,
					explore_any_flags() | kinds[explore_below(3)], &lock));
	work_left = visitors;
	for (uint32_t i = 0; i < visitors; i++)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), visit, i);
	if (explore_chance(2))
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 12), disturb,
			     visitors);
	explore_join_all();
	must_succeed(tact_rwlock_inquire(lock, &info));
	must_equal(info.readers + info.waiting_readers + info.waiting_writers, 0);
	must_equal(info.writer.id, 0);
	must_succeed(tact_rwlock_delete(lock));
}
