/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Alarms. The timer only notes that an instant has passed, and queues the handler for the CPU's
 * server. All instants that pass before the server runs the handler are one run and a count. The
 * timer of a periodic alarm is armed again only by the server: otherwise an instant that gravity
 * has reached already would be taken for passed. Invariants: the work is queued only while pending
 * is not 0; the timer rests only then.
 */
#include <tactus/alarm.h>

#include "object/object.h"
#include "task/server.h"

/*
 * The members that starts and stops use come first, within two cache lines: with many alarms each
 * line is a wait for memory.
 */
struct alarm {
	struct nuc_object object;
	struct nuc_timer timer;
	uint64_t pending; /* instants since the last run began; see rests */
	uint64_t next_ns; /* while the timer is armed */
	uint64_t period_ns;
	enum nuc_clock clock;
	enum nuc_clock last_clock;
	bool rests; /* after due_ns the timer of a periodic alarm is not armed: the server arms it
		     */
	struct nuc_work work;
	void (*handler)(void *arg);
	void *arg;
	uint64_t due_ns;   /* the latest instant that has passed */
	uint64_t local_ns; /* when that passes on the monotonic clock, if gravity was early; else 0
			    */
	uint64_t last_ns;  /* the instant of the last run */
	uint64_t last_missed;
	uint64_t expiries;
	uint64_t missed;
};

struct alarm_create_call {
	struct nuc_call call;
	void (*handler)(void *arg);
	void *arg;
};

struct alarm_start_call {
	struct nuc_call call;
	uint64_t period_ns;
};

static struct alarm *alarm_of(struct nuc_object *object)
{
	return base_container_of(object, struct alarm, object);
}

static void arm(struct nuc_cpu *cpu, struct alarm *alarm, uint64_t instant_ns)
{
	alarm->next_ns = instant_ns;
	/* An instant beyond the range of the clock never comes. */
	if (instant_ns != UINT64_MAX)
		nuc_timer_arm(cpu, &alarm->timer, alarm->clock, instant_ns);
}

static void expire(struct nuc_cpu *cpu, struct nuc_timer *timer)
{
	struct alarm *alarm = base_container_of(timer, struct alarm, timer);

	alarm->due_ns = alarm->next_ns;
	alarm->local_ns = cpu->earliest_ns;
	alarm->expiries++;
	alarm->pending++;
	alarm->rests = alarm->period_ns != 0;
	nuc_server_queue(cpu, &alarm->work);
}

/* Instants that have passed while the timer rests. By arithmetic, so that catching up after a long
 * stop costs nothing. */
static uint64_t passed(const struct nuc_cpu *cpu, const struct alarm *alarm)
{
	uint64_t now;

	if (!alarm->rests)
		return 0;
	now = hal_now_ns();
	if (alarm->clock == NUC_CLOCK_WALL)
		now += (uint64_t)cpu->wall_offset_ns;
	return now > alarm->due_ns ? (now - alarm->due_ns) / alarm->period_ns : 0;
}

static uint64_t next_after(const struct alarm *alarm, uint64_t more)
{
	return tact_time_add((tact_time_t){alarm->due_ns + more * alarm->period_ns},
			     alarm->period_ns)
		.ns;
}

/* Count the instants that have passed. The timer does not rest any more; the caller may arm it. */
static void catch_up(const struct nuc_cpu *cpu, struct alarm *alarm)
{
	uint64_t more = passed(cpu, alarm);

	if (more)
		alarm->local_ns = 0;
	alarm->due_ns += more * alarm->period_ns;
	alarm->expiries += more;
	alarm->pending += more;
	alarm->rests = false;
}

static void run_handler(struct nuc_work *work)
{
	struct alarm *alarm = base_container_of(work, struct alarm, work);
	struct nuc_cpu *cpu = nuc_enter();

	/* The alarm was stopped or started anew after the work had left the server's queue. */
	if (!alarm->pending) {
		nuc_leave(cpu);
		return;
	}
	if (alarm->rests) {
		catch_up(cpu, alarm);
		arm(cpu, alarm, next_after(alarm, 0));
	}
	alarm->last_ns = alarm->due_ns;
	alarm->last_clock = alarm->clock;
	alarm->last_missed = alarm->pending - 1;
	alarm->missed += alarm->last_missed;
	alarm->pending = 0;
	nuc_leave(cpu);
	alarm->handler(alarm->arg);
}

static void disarm(struct nuc_cpu *cpu, struct alarm *alarm)
{
	nuc_timer_cancel(cpu, &alarm->timer);
	if (!alarm->pending)
		return;
	catch_up(cpu, alarm);
	/* An instant that gravity reached early has not come, and will not. An instant that has
	 * come is counted, even if a clock is set. */
	if (alarm->local_ns > hal_now_ns()) {
		alarm->expiries--;
		alarm->pending--;
	}
	nuc_server_cancel(&alarm->work);
	alarm->missed += alarm->pending;
	alarm->pending = 0;
}

/* The handler has returned, or was ended by a fault. */
static void handler_done(struct nuc_cpu *cpu, struct nuc_work *work, bool faulted)
{
	if (faulted)
		disarm(cpu, base_container_of(work, struct alarm, work));
}

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct alarm_create_call *args = base_container_of(call, struct alarm_create_call, call);
	struct alarm *alarm;
	int error = nuc_timer_reserve(cpu);

	if (error)
		return error;
	object = nuc_object_new(cpu, NUC_TYPE_ALARM, sizeof(*alarm), &error);
	if (!object) {
		nuc_timer_unreserve(cpu);
		return error;
	}
	alarm = alarm_of(object);
	nuc_timer_init(&alarm->timer, expire, NUC_CONTEXT_HANDLER);
	nuc_work_init(&alarm->work, object, run_handler, handler_done);
	alarm->handler = args->handler;
	alarm->arg = args->arg;
	call->handle = object->handle;
	return 0;
}

int tact_alarm_create(const char *name, void (*handler)(void *arg), void *arg, uint32_t flags,
		      tact_alarm_t *alarm)
{
	NUC_CALL(struct alarm_create_call, args, create_run, NUC_TYPE_CPU, 0, NUC_CALL_TASKS);

	if (!handler)
		return -TACT_EINVAL;
	args.handler = handler;
	args.arg = arg;
	return nuc_create(&args.call, name, flags, 0, alarm);
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct alarm *alarm = alarm_of(object);
	int result;

	disarm(cpu, alarm);
	nuc_timer_unreserve(cpu);
	result = nuc_work_retire(cpu, &alarm->work, call);
	nuc_object_retire(cpu, object);
	return result;
}

static void release(struct nuc_cpu *cpu, struct nuc_object *object)
{
	nuc_work_release(cpu, &alarm_of(object)->work);
}

const struct nuc_type_ops nuc_alarm_type = {
	.name = "alarm",
	.destroy = destroy,
	.release = release,
};

int tact_alarm_delete(tact_alarm_t alarm)
{
	return nuc_delete(alarm, NUC_TYPE_ALARM);
}

static int start_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct alarm_start_call *args = base_container_of(call, struct alarm_start_call, call);
	struct alarm *alarm = alarm_of(object);
	uint64_t first = call->timeout.ns;

	if (call->timeout.kind == TACT_TIMEOUT_RELATIVE)
		first = tact_time_add((tact_time_t){hal_now_ns()}, first).ns;
	disarm(cpu, alarm);
	alarm->clock =
		call->timeout.kind == TACT_TIMEOUT_WALL ? NUC_CLOCK_WALL : NUC_CLOCK_MONOTONIC;
	alarm->period_ns = args->period_ns;
	arm(cpu, alarm, first);
	return 0;
}

int tact_alarm_start(tact_alarm_t alarm, tact_timeout_t first, uint64_t period_ns)
{
	NUC_CALL(struct alarm_start_call, args, start_run, NUC_TYPE_ALARM, alarm, NUC_CALL_CAST);

	if (first.kind == TACT_TIMEOUT_FOREVER || first.kind == TACT_TIMEOUT_NOWAIT ||
	    (period_ns && period_ns < TACT_ALARM_PERIOD_MIN_NS))
		return -TACT_EINVAL;
	args.period_ns = period_ns;
	return nuc_call_timeout(&args.call, first);
}

static int stop_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)call;
	disarm(cpu, alarm_of(object));
	return 0;
}

int tact_alarm_stop(tact_alarm_t alarm)
{
	NUC_CALL(struct nuc_plain_call, args, stop_run, NUC_TYPE_ALARM, alarm, NUC_CALL_CAST);

	return nuc_call(&args.call);
}

int tact_alarm_expiry(struct tact_alarm_expiry *expiry)
{
	struct nuc_cpu *cpu = nuc_enter();
	struct nuc_work *work;
	int result = -TACT_EPERM;

	if (!cpu)
		return result;
	work = cpu->in_handler ? nuc_server_work(cpu) : NULL;
	if (work && work->run == run_handler) {
		const struct alarm *alarm = base_container_of(work, struct alarm, work);

		if (expiry) {
			expiry->alarm = alarm->object.handle;
			expiry->clock = alarm->last_clock;
			expiry->programmed.ns = alarm->last_ns;
			expiry->missed = alarm->last_missed;
		}
		result = 0;
	}
	nuc_leave(cpu);
	return result;
}

static void fill_info(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	const struct alarm *alarm = base_container_of(object, struct alarm, object);
	struct tact_alarm_info *info = result;
	uint64_t more = passed(cpu, alarm);
	uint64_t next_ns = alarm->rests ? next_after(alarm, more) : alarm->next_ns;

	info->active = alarm->rests ? next_ns != UINT64_MAX : nuc_timer_armed(&alarm->timer);
	info->clock = alarm->clock;
	info->next.ns = info->active ? next_ns : 0;
	info->period_ns = alarm->period_ns;
	info->last.ns = alarm->last_ns;
	info->last_clock = alarm->last_clock;
	info->expiries = alarm->expiries + more;
	info->missed = alarm->missed;
}

int tact_alarm_inquire(tact_alarm_t alarm, struct tact_alarm_info *info)
{
	return nuc_inquire(alarm, NUC_TYPE_ALARM, info, fill_info);
}
