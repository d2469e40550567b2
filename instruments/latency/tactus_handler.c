/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loop as handlers of periodic timers. Handlers have no relative priorities: those that are due
 * at one instant run one after the other. */
#include "tactus_loop.h"

/* A handler that a fault has stopped never reports its end. */
#define GRACE_NS    TACT_S(5)
#define START_TRIES 20

/* The release for which the handler was ready, as with tasks, not the latest one, for which the
 * library calls it. The releases between them have no run: they are overruns of the next sample. */
static void serve(struct tactus_entry *entry, uint64_t latest_ns, uint64_t started_ns)
{
	const uint64_t period_ns = entry->run->plans[entry->index].period_ns;
	uint32_t skipped;
	uint64_t release_ns = run_next_release(entry->last_ns, period_ns, entry->done_ns, &skipped);

	/* There are two clocks: an instant that has passed on one may be ahead on the other. */
	if (release_ns > latest_ns) {
		skipped -= (uint32_t)((release_ns - latest_ns) / period_ns);
		release_ns = latest_ns;
	}
	if (release_ns < tactus_entry_end_ns(entry))
		tactus_entry_serve(entry, release_ns, started_ns, skipped + entry->gone);
	entry->gone = (latest_ns - release_ns) / period_ns;
	entry->last_ns = latest_ns;
	entry->done_ns = tactus_entry_now_ns(entry);
}

static void handler(void *arg)
{
	struct tactus_entry *entry = arg;
	const uint64_t started_ns = tactus_entry_first_ns(entry);
	const uint64_t period_ns = entry->run->plans[entry->index].period_ns;
	struct tact_timer_expiry expiry = {0};

	if (!atomic_load(&entry->armed))
		return;
	entry->error = tact_timer_expiry(&expiry);
	if (entry->error == 0)
		serve(entry, expiry.programmed.ns, started_ns);
	if (entry->error != 0 || expiry.programmed.ns + period_ns >= tactus_entry_end_ns(entry)) {
		(void)tact_timer_stop(entry->timer);
		(void)tact_sem_post(entry->ended);
	}
}

static int start_all(struct tactus_entry *entries, unsigned int count)
{
	struct latency_run *run = entries[0].run;
	int error = 0;

	tactus_start_soon(run);
	for (unsigned int i = 0; i < count && error == 0; i++) {
		const struct task_plan *plan = &run->plans[entries[i].index];
		const tact_time_t first = {run->start_ns + plan->offset_ns};

		entries[i].last_ns = first.ns - plan->period_ns;
		error = tact_timer_start(entries[i].timer, tact_at(first), plan->period_ns);
	}
	return error;
}

/* If a first release passed before it was set, it would be late through no fault of the library. */
static int start(struct tactus_entry *entries, unsigned int count)
{
	int error = 0;

	for (int tries = 0; error == 0 && tries < START_TRIES; tries++) {
		error = start_all(entries, count);
		if (error == 0 && tact_now().ns + RUN_SETTLE_NS / 2 < entries[0].run->start_ns) {
			for (unsigned int i = 0; i < count; i++)
				atomic_store(&entries[i].armed, true);
			return 0;
		}
		for (unsigned int i = 0; i < count; i++)
			(void)tact_timer_stop(entries[i].timer);
	}
	return error != 0 ? error : -TACT_ETIMEDOUT;
}

int tactus_handlers_run(struct tactus_entry *entries, unsigned int count)
{
	tact_time_t limit;
	tact_sem_t ended;
	int error = tact_sem_create(NULL, 0, LATENCY_TASKS_MAX, 0, &ended);

	if (error != 0)
		return error;
	for (unsigned int i = 0; i < count && error == 0; i++) {
		struct tactus_entry *entry = &entries[i];

		entry->ended = ended;
		error = tact_timer_create(NULL, handler, entry,
					  TACT_ON_CPU(entry->run->plans[entry->index].cpu),
					  &entry->timer);
	}
	if (error == 0)
		error = tactus_start_in_task(start, entries, count);
	limit.ns = tactus_entry_end_ns(&entries[0]) + GRACE_NS;
	for (unsigned int i = 0; i < count && error == 0; i++)
		error = tact_sem_wait(ended, tact_at(limit));
	for (unsigned int i = 0; i < count; i++) {
		/* Also waits for a handler that runs. If the timer was never made, the handle names
		 * nothing. */
		(void)tact_timer_delete(entries[i].timer);
		if (error == 0)
			error = entries[i].error;
	}
	(void)tact_sem_delete(ended);
	return error;
}
