/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The loop as handlers of periodic alarms. Handlers have no priorities among each other: those due
 * at one instant run one after the other.
 */
#include "tactus_loop.h"

/* A handler that a fault has stopped never tells its end. */
#define GRACE_NS TACT_S(5)

static void handler(void *arg)
{
	struct tactus_entry *entry = arg;
	const uint64_t started_ns = tactus_entry_now_ns(entry);
	const uint64_t period_ns = entry->run->plans[entry->index].period_ns;
	const uint64_t end_ns = tactus_entry_end_ns(entry);
	struct tact_alarm_expiry expiry;

	entry->error = tact_alarm_expiry(&expiry);
	if (entry->error == 0 && expiry.programmed.ns < end_ns)
		tactus_entry_serve(entry, expiry.programmed.ns, started_ns, expiry.missed);
	if (entry->error != 0 || expiry.programmed.ns + period_ns >= end_ns) {
		(void)tact_alarm_stop(entry->handle);
		(void)tact_sem_post(entry->ended);
	}
}

static int start(struct tactus_entry *entries, unsigned int count)
{
	struct latency_run *run = entries[0].run;
	int error = 0;

	run->start_ns = tact_now().ns + RUN_SETTLE_NS;
	for (unsigned int i = 0; i < count && error == 0; i++) {
		const struct task_plan *plan = &run->plans[entries[i].index];
		const tact_time_t first = {run->start_ns + plan->offset_ns};

		error = tact_alarm_start(entries[i].handle, tact_at(first), plan->period_ns);
	}
	return error;
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
		error = tact_alarm_create(NULL, handler, entry,
					  TACT_ON_CPU(entry->run->plans[entry->index].cpu),
					  &entry->handle);
	}
	if (error == 0)
		error = tactus_start_in_task(start, entries, count);
	limit.ns = tactus_entry_end_ns(&entries[0]) + GRACE_NS;
	for (unsigned int i = 0; i < count && error == 0; i++)
		error = tact_sem_wait(ended, tact_at(limit));
	for (unsigned int i = 0; i < count; i++) {
		/* Also waits for a handler that runs. Of one never made, the handle names nothing.
		 */
		(void)tact_alarm_delete(entries[i].handle);
		if (error == 0)
			error = entries[i].error;
	}
	(void)tact_sem_delete(ended);
	return error;
}
