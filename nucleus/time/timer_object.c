/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timers. The timer only notes that an instant has passed, and queues the handler for the CPU's
 * server. All instants that pass before the server runs the handler are one run and a count. The
 * timer of a periodic timer is armed again only by the server: otherwise an instant that gravity
 * has reached already would be taken for passed. Invariants: the work is queued only while pending
 * is not 0; the timer rests only then.
 */
#include <tactus/timer.h>
#include <tactus/timer_discard.h>

#include "kernel/sized.h"
#include "object/object.h"
#include "task/server.h"

/*
 * The members that starts and stops use come first, within two cache lines: with many timers each
 * line is a wait for memory.
 */
struct timer_object {
	struct nuc_object object;
	struct nuc_timer expiry;
	uint64_t pending; /* instants since the last run began; see rests */
	uint64_t next_ns; /* while the timer is armed */
	uint64_t period_ns;
	enum nuc_clock clock;
	enum nuc_clock last_clock;
	bool rests; /* after due_ns the timer of a periodic timer is not armed: the server arms it
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

struct timer_create_call {
	struct nuc_call call;
	void (*handler)(void *arg);
	void *arg;
};

struct timer_start_call {
	struct nuc_call call;
	uint64_t period_ns;
};

static struct timer_object *timer_of(struct nuc_object *object)
{
	return base_container_of(object, struct timer_object, object);
}

static void arm(struct nuc_cpu *cpu, struct timer_object *timer, uint64_t instant_ns)
{
	timer->next_ns = instant_ns;
	/* An instant beyond the range of the clock never comes. */
	if (instant_ns != UINT64_MAX)
		nuc_timer_arm(cpu, &timer->expiry, timer->clock, instant_ns);
}

static void expire(struct nuc_cpu *cpu, struct nuc_timer *expiry)
{
	struct timer_object *timer = base_container_of(expiry, struct timer_object, expiry);

	timer->due_ns = timer->next_ns;
	timer->local_ns = cpu->expiry.earliest_ns;
	timer->expiries++;
	timer->pending++;
	timer->rests = timer->period_ns != 0;
	nuc_server_queue(cpu, &timer->work);
}

/* Instants that have passed while the timer rests. By arithmetic, so that catching up after a long
 * stop costs nothing. */
static uint64_t passed(const struct nuc_cpu *cpu, const struct timer_object *timer)
{
	uint64_t now;

	if (!timer->rests)
		return 0;
	now = hal_now_ns();
	if (timer->clock == NUC_CLOCK_WALL)
		now += (uint64_t)cpu->wall_offset_ns;
	return now > timer->due_ns ? (now - timer->due_ns) / timer->period_ns : 0;
}

static uint64_t next_after(const struct timer_object *timer, uint64_t more)
{
	return tact_time_add((tact_time_t){timer->due_ns + more * timer->period_ns},
			     timer->period_ns)
		.ns;
}

/* Count the instants that have passed. The timer does not rest any more; the caller may arm it. */
static void catch_up(const struct nuc_cpu *cpu, struct timer_object *timer)
{
	uint64_t more = passed(cpu, timer);

	if (more)
		timer->local_ns = 0;
	timer->due_ns += more * timer->period_ns;
	timer->expiries += more;
	timer->pending += more;
	timer->rests = false;
}

static void run_handler(struct nuc_work *work)
{
	struct timer_object *timer = base_container_of(work, struct timer_object, work);
	struct nuc_cpu *cpu = nuc_enter();

	/* The timer was stopped or started anew after the work had left the server's queue. */
	if (!timer->pending) {
		nuc_leave(cpu);
		return;
	}
	if (timer->rests) {
		catch_up(cpu, timer);
		arm(cpu, timer, next_after(timer, 0));
	}
	timer->last_ns = timer->due_ns;
	timer->last_clock = timer->clock;
	timer->last_missed = timer->pending - 1;
	timer->missed += timer->last_missed;
	timer->pending = 0;
	nuc_leave(cpu);
	timer->handler(timer->arg);
}

static void disarm(struct nuc_cpu *cpu, struct timer_object *timer)
{
	nuc_timer_cancel(cpu, &timer->expiry);
	if (!timer->pending)
		return;
	catch_up(cpu, timer);
	/* An instant that gravity reached early has not come, and will not. An instant that has
	 * come is counted, even if a clock is set. */
	if (timer->local_ns > hal_now_ns()) {
		timer->expiries--;
		timer->pending--;
	}
	nuc_server_cancel(&timer->work);
	timer->missed += timer->pending;
	timer->pending = 0;
}

/* The handler has returned, or was ended by a fault. */
static void handler_done(struct nuc_cpu *cpu, struct nuc_work *work, bool faulted)
{
	if (faulted)
		disarm(cpu, base_container_of(work, struct timer_object, work));
}

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct timer_create_call *args = base_container_of(call, struct timer_create_call, call);
	struct timer_object *timer;
	int error = nuc_timer_reserve(cpu);

	if (error)
		return error;
	object = nuc_object_new(cpu, NUC_TYPE_TIMER, sizeof(*timer), &error);
	if (!object) {
		nuc_timer_unreserve(cpu);
		return error;
	}
	timer = timer_of(object);
	nuc_timer_init(&timer->expiry, expire, NUC_CONTEXT_HANDLER);
	nuc_work_init(&timer->work, object, run_handler, handler_done);
	timer->handler = args->handler;
	timer->arg = args->arg;
	call->handle = object->handle;
	return 0;
}

int tact_timer_create(const char *name, void (*handler)(void *arg), void *arg, uint32_t flags,
		      tact_timer_t *timer)
{
	NUC_CALL(struct timer_create_call, args, create_run, NUC_TYPE_CPU, 0, NUC_CALL_TASKS);

	if (!handler)
		return -TACT_EINVAL;
	args.handler = handler;
	args.arg = arg;
	return nuc_create(&args.call, name, flags, 0, NUC_ID_OF(timer));
}

/* deleter: waits for a run that has begun; NULL: nothing does. */
static int erase(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *deleter)
{
	struct timer_object *timer = timer_of(object);
	int result;

	disarm(cpu, timer);
	nuc_timer_unreserve(cpu);
	result = nuc_work_retire(cpu, &timer->work, deleter);
	nuc_object_retire(cpu, object);
	return result;
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	return erase(cpu, object, call);
}

static void release(struct nuc_cpu *cpu, struct nuc_object *object)
{
	nuc_work_release(cpu, &timer_of(object)->work);
}

const struct nuc_type_ops nuc_timer_type = {
	.name = "timer",
	.destroy = destroy,
	.release = release,
};

int tact_timer_delete(tact_timer_t timer)
{
	return nuc_delete(timer.id, NUC_TYPE_TIMER);
}

static int discard_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)call;
	return erase(cpu, object, NULL);
}

int tact_timer_discard(tact_timer_t timer)
{
	NUC_CALL(struct nuc_plain_call, args, discard_run, NUC_TYPE_TIMER, timer.id, NUC_CALL_CAST);

	return nuc_call(&args.call);
}

static int start_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct timer_start_call *args = base_container_of(call, struct timer_start_call, call);
	struct timer_object *timer = timer_of(object);
	uint64_t first = call->timeout.ns;

	if (call->timeout.kind == TACT_TIMEOUT_RELATIVE)
		first = tact_time_add((tact_time_t){hal_now_ns()}, first).ns;
	disarm(cpu, timer);
	timer->clock =
		call->timeout.kind == TACT_TIMEOUT_WALL ? NUC_CLOCK_WALL : NUC_CLOCK_MONOTONIC;
	timer->period_ns = args->period_ns;
	arm(cpu, timer, first);
	return 0;
}

int tact_timer_start(tact_timer_t timer, tact_timeout_t first, uint64_t period_ns)
{
	NUC_CALL(struct timer_start_call, args, start_run, NUC_TYPE_TIMER, timer.id, NUC_CALL_CAST);

	if (first.kind == TACT_TIMEOUT_FOREVER || first.kind == TACT_TIMEOUT_NOWAIT ||
	    (period_ns && period_ns < TACT_TIMER_PERIOD_MIN_NS))
		return -TACT_EINVAL;
	args.period_ns = period_ns;
	return nuc_call_timeout(&args.call, first);
}

static int stop_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)call;
	disarm(cpu, timer_of(object));
	return 0;
}

int tact_timer_stop(tact_timer_t timer)
{
	NUC_CALL(struct nuc_plain_call, args, stop_run, NUC_TYPE_TIMER, timer.id, NUC_CALL_CAST);

	return nuc_call(&args.call);
}

int tact_timer_expiry(struct tact_timer_expiry *expiry)
{
	struct nuc_cpu *cpu = nuc_enter();
	struct tact_timer_expiry known = {0};
	struct nuc_work *work;
	int result = -TACT_EPERM;

	if (!cpu)
		return result;
	work = cpu->in_handler ? nuc_server_work(cpu) : NULL;
	if (work && work->run == run_handler) {
		const struct timer_object *timer =
			base_container_of(work, struct timer_object, work);

		known.timer.id = timer->object.handle;
		known.clock = timer->last_clock;
		known.programmed.ns = timer->last_ns;
		known.missed = timer->last_missed;
		result = nuc_sized_check(expiry, sizeof(*expiry));
	}
	nuc_leave(cpu);
	if (!result && expiry)
		nuc_sized_write(expiry, sizeof(*expiry), &known, sizeof(known));
	return result;
}

static void fill_info(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	const struct timer_object *timer = base_container_of(object, struct timer_object, object);
	struct tact_timer_info *info = result;
	uint64_t more = passed(cpu, timer);
	uint64_t next_ns = timer->rests ? next_after(timer, more) : timer->next_ns;

	info->active = timer->rests ? next_ns != UINT64_MAX : nuc_timer_armed(&timer->expiry);
	info->clock = timer->clock;
	info->next.ns = info->active ? next_ns : 0;
	info->period_ns = timer->period_ns;
	info->last.ns = timer->last_ns;
	info->last_clock = timer->last_clock;
	info->expiries = timer->expiries + more;
	info->missed = timer->missed;
}

int tact_timer_inquire(tact_timer_t timer, struct tact_timer_info *info)
{
	return nuc_inquire(timer.id, NUC_TYPE_TIMER, info, sizeof(*info), fill_info);
}
