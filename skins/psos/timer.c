/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timers that send events to the task that armed them, and sleeps. */
#include "psos_calendar.h"
#include "psos_task.h"

#include <tactus/timer_discard.h>

#include "psos_errors.h"

/* What follows the record of a timer. */
struct psos_timer {
	uint64_t owner; /* the task */
	tact_event_t events;
	unsigned long bits;
	unsigned long interval; /* in ticks; 0: once */
	uint64_t tick;          /* the next one, of an interval */
};

static struct psos_timer *timer_of(struct runtime_record *record)
{
	return runtime_extra(record);
}

/* Also in the run of its own handler, and in that of another timer. */
static void drop(struct runtime_record *record)
{
	(void)tact_timer_discard(psos_timer(record));
	runtime_drop(record);
	psos_release(PSOS_TIMER);
}

/* A timer of a rate that is no whole number of ns does not drift: each instant is that of a tick.
 */
static void arm_next(struct runtime_record *record)
{
	struct psos_timer *timer = timer_of(record);

	timer->tick += timer->interval;
	(void)tact_timer_start(psos_timer(record), runtime_at(&psos_ticks, timer->tick), 0);
}

static void expire(void *arg)
{
	const uint64_t id = (uintptr_t)arg;
	struct runtime_record *record = psos_find(id, PSOS_TIMER);

	if (!record)
		return;
	(void)tact_event_set(timer_of(record)->events, timer_of(record)->bits);
	if (timer_of(record)->interval)
		arm_next(record);
	else if (psos_take(id, PSOS_TIMER))
		drop(record);
}

static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	tact_timer_t made = {0};
	int error =
		tact_timer_create(NULL, expire, (void *)(uintptr_t)runtime_id(record), 0, &made);

	/* Timers have no names. */
	(void)key;
	*timer_of(record) = *(const struct psos_timer *)how;
	*native = tact_object(made);
	return error;
}

static const struct psos_kind kind = {PSOS_TIMER, make, psos_timer_errors};

/* Returns the code of the call. */
static unsigned long arm(struct psos_timer *timer, tact_timeout_t first, unsigned long *tmid)
{
	struct runtime_record *record = psos_task_current();
	unsigned long id = 0;
	unsigned long code;

	if (!record || runtime_in_handler())
		return ERR_SSFN;
	timer->owner = runtime_id(record);
	timer->events = psos_task_of(record)->events;
	code = psos_create(&kind, NULL, timer, &id);
	if (code)
		return code;
	/* Written first: the timer may expire at once. */
	psos_give(tmid, id);
	record = psos_find(id, PSOS_TIMER);
	return record ? psos_result(psos_timer_errors,
				    tact_timer_start(psos_timer(record), first, 0))
		      : 0;
}

static tact_timeout_t in_ticks(unsigned long ticks)
{
	return ticks ? runtime_on_tick(&psos_ticks, ticks) : tact_in(0);
}

unsigned long tm_evafter(unsigned long ticks, unsigned long events, unsigned long *tmid)
{
	struct psos_timer timer = {.bits = events & 0xffffffffu};

	return arm(&timer, in_ticks(ticks), tmid);
}

unsigned long tm_evevery(unsigned long ticks, unsigned long events, unsigned long *tmid)
{
	struct psos_timer timer = {.bits = events & 0xffffffffu, .interval = ticks};

	if (!ticks)
		return ERR_ILLTICKS;
	timer.tick = runtime_ns_ticks(&psos_ticks, tact_now().ns) + ticks;
	return arm(&timer, runtime_at(&psos_ticks, timer.tick), tmid);
}

unsigned long tm_evwhen(unsigned long date, unsigned long time, unsigned long ticks,
			unsigned long events, unsigned long *tmid)
{
	struct psos_timer timer = {.bits = events & 0xffffffffu};
	tact_time_t instant = {0};
	unsigned long code = psos_instant(date, time, ticks, &instant);

	return code ? code : arm(&timer, tact_at_wall(instant), tmid);
}

unsigned long tm_cancel(unsigned long tmid)
{
	struct runtime_record *record = psos_take(tmid, PSOS_TIMER);

	if (!record)
		return ERR_BADTMID;
	drop(record);
	return 0;
}

/* What psos_timers_cancel() looks for. Each call has its own, so several may look at a time. */
static void cancel_if_of(struct runtime_record *record, uint64_t owner)
{
	const uint64_t id = atomic_load_explicit(&record->id, memory_order_acquire);

	if (id && timer_of(record)->owner == owner && psos_take(id, PSOS_TIMER))
		drop(record);
}

void psos_timers_cancel(uint64_t tid)
{
	const uint32_t records = base_growing_count(psos_objects.records);

	for (uint32_t i = 0; i < records; i++) {
		struct runtime_record *record = base_growing_at(psos_objects.records, i);

		if (record && record->type == PSOS_TIMER)
			cancel_if_of(record, tid);
	}
}

/* The caller is a task, or main(), which is none in virtual time. */
static unsigned long sleep_until(tact_timeout_t timeout)
{
	const bool is_task = tact_task_self().id;
	int result;

	if (!runtime_may_wait() || psos_begin())
		return ERR_SSFN;
	do
		result = is_task ? tact_task_sleep_until(timeout)
				 : tact_sem_wait(runtime_never(), timeout);
	while (psos_was_broken(result));
	return result == -TACT_ETIMEDOUT ? 0 : psos_result(psos_timer_errors, result);
}

unsigned long tm_wkafter(unsigned long ticks)
{
	if (ticks)
		return sleep_until(runtime_on_tick(&psos_ticks, ticks));
	if (!runtime_may_wait())
		return ERR_SSFN;
	/* main() lets Linux choose what runs. */
	if (tact_task_self().id)
		(void)tact_task_yield();
	return 0;
}

unsigned long tm_wkwhen(unsigned long date, unsigned long time, unsigned long ticks)
{
	tact_time_t instant = {0};
	unsigned long code = psos_instant(date, time, ticks, &instant);

	return code ? code : sleep_until(tact_at_wall(instant));
}

unsigned long tm_getm(unsigned long long *ns)
{
	if (ns)
		*ns = tact_now().ns;
	return 0;
}

unsigned long tm_getc(unsigned long long *ticks)
{
	if (ticks)
		*ticks = runtime_ns_ticks(&psos_ticks, tact_now().ns);
	return 0;
}
