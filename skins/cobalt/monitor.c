/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Monitors, as programs call them. A private monitor contains its state. The state of a shared
 * monitor is in the memory of its owner, and the object that programs see refers to it. A thread
 * behind the gate collects signals in this object. Whatever another program has written there can
 * at worst cause a needless wake-up.
 */
#include "sharing.h"
#include "monitor.h"

#include <stdlib.h>

#define MAGIC    0x6d6f6e31u
#define MONITORS 1024u

static __thread struct xnthread_user_window window;

/* The states of shared monitors. They are never freed, so that a later use of a destroyed monitor
 * is recognised by the stale handle of its gate. */
static _Atomic(cobalt_monitor_t *) states[MONITORS];
static _Atomic bool used[MONITORS];

struct target {
	struct session_owner *owner; /* NULL: this program */
	cobalt_monitor_t *state;
	uint64_t object; /* its number there */
};

struct xnthread_user_window *cobalt_get_current_window(void)
{
	return &window;
}

static cobalt_monitor_t *state_of(uint64_t object)
{
	uint32_t place = (uint32_t)(object >> 32);
	cobalt_monitor_t *state = place < MONITORS ? atomic_load(&states[place]) : NULL;

	return state && state->gate == (uint32_t)object && state->magic == MAGIC ? state : NULL;
}

static int find(cobalt_monitor_t *mon, struct target *target)
{
	int error;

	*target = (struct target){NULL, mon, 0};
	if (!mon || mon->magic != MAGIC)
		return -EINVAL;
	if (!(mon->flags & COBALT_MONITOR_SHARED))
		return 0;
	target->object = (uint64_t)mon->place << 32 | mon->gate;
	error = cobalt_owner(&mon->owner, &target->owner);
	if (error || target->owner)
		return error;
	target->state = state_of(target->object);
	return target->state ? 0 : -EINVAL;
}

static int make_shared(cobalt_monitor_t *shadow)
{
	cobalt_monitor_t *state;
	uint32_t place = 0;
	int error = cobalt_own(&shadow->owner);

	if (error)
		return error;
	while (place < MONITORS && atomic_exchange(&used[place], true))
		place++;
	if (place == MONITORS)
		return -ENOMEM;
	state = atomic_load(&states[place]);
	if (!state)
		state = calloc(1, sizeof(*state));
	error = state ? monitor_make(state) : -ENOMEM;
	if (error) {
		atomic_store(&states[place], state);
		atomic_store(&used[place], false);
		return error;
	}
	state->grants = state->waiters = 0;
	state->magic = MAGIC;
	atomic_store(&states[place], state);
	shadow->gate = state->gate;
	shadow->place = place;
	return 0;
}

int cobalt_monitor_init(cobalt_monitor_t *mon, clockid_t clk_id, int flags)
{
	cobalt_monitor_t made = {.clock = clk_id, .magic = MAGIC, .flags = (uint32_t)flags};
	int error;

	if (!mon || !posix_clock_is_served(clk_id) || flags & ~COBALT_MONITOR_SHARED)
		return -EINVAL;
	if (!posix_start())
		return -EPERM;
	error = flags & COBALT_MONITOR_SHARED ? make_shared(&made) : monitor_make(&made);
	if (!error)
		*mon = made;
	return error;
}

static int destroy_local(cobalt_monitor_t *state, uint64_t object)
{
	int error = monitor_destroy(state);

	if (error || !object)
		return error;
	state->magic = 0;
	atomic_store(&used[object >> 32], false);
	return 0;
}

int cobalt_monitor_destroy(cobalt_monitor_t *mon)
{
	struct target target;
	int error = find(mon, &target);

	if (!error)
		error = target.owner ? cobalt_call_plain(target.owner, REMOTE_MONITOR_DESTROY,
							 target.object, 0)
				     : destroy_local(target.state, target.object);
	if (!error)
		mon->magic = 0;
	return error;
}

int cobalt_monitor_enter(cobalt_monitor_t *mon)
{
	struct session_call call = {.service = REMOTE_MONITOR_ENTER, .timeout = TACT_FOREVER};
	struct target target;
	int error = find(mon, &target);

	if (error)
		return error;
	if (!target.owner)
		return monitor_enter(target.state);
	call.object = target.object;
	error = (int)cobalt_call(target.owner, &call);
	return error == -EIDRM ? -EINVAL : error;
}

/* Give the signals that were collected. They stay there if the caller is not behind the gate. */
static int leave(cobalt_monitor_t *mon, uint32_t more, enum cobalt_service service)
{
	struct target target;
	int error = find(mon, &target);
	uint32_t signals;

	if (error)
		return error;
	signals = __atomic_exchange_n(&mon->pending, 0, __ATOMIC_ACQ_REL);
	if (target.owner)
		error = cobalt_call_plain(target.owner, service, target.object, signals | more);
	else if (service == REMOTE_MONITOR_EXIT)
		error = monitor_exit(target.state, signals | more);
	else
		error = monitor_sync(target.state, signals | more);
	if (error == -EPERM)
		(void)__atomic_fetch_or(&mon->pending, signals, __ATOMIC_RELEASE);
	return error;
}

int cobalt_monitor_exit(cobalt_monitor_t *mon)
{
	return leave(mon, 0, REMOTE_MONITOR_EXIT);
}

static int wait_remote(const struct target *target, bool drain, tact_timeout_t timeout,
		       uint32_t signals, bool *all)
{
	struct session_call call = {
		.service = REMOTE_MONITOR_WAIT,
		.object = target->object,
		.timeout = timeout,
		.value = {signals, drain},
	};
	int error = (int)cobalt_call(target->owner, &call);

	*all = !error && call.value[0];
	return error;
}

/* A grant to one thread wakes all. The others return behind the gate and continue to wait. */
static int wait_in(const struct target *target, bool drain, tact_timeout_t timeout,
		   uint32_t signals)
{
	bool all = false;
	int error;

	window.grant_value = 0;
	do {
		error = target->owner ? wait_remote(target, drain, timeout, signals, &all)
				      : monitor_wait(target->state, drain, timeout, signals, &all);
		signals = 0;
	} while (!error && !drain && !window.grant_value && !all);
	return window.grant_value && !drain ? 0 : error;
}

int cobalt_monitor_wait(cobalt_monitor_t *mon, int event, const struct timespec *ts)
{
	tact_timeout_t timeout = TACT_FOREVER;
	struct target target;
	struct timespec date;
	uint32_t signals;
	int error;

	if (ts && !posix_safe_copy(&date, ts, sizeof(date)))
		return -EFAULT;
	if (event & ~COBALT_MONITOR_WAITDRAIN || (ts && !posix_time_is_valid(&date)))
		return -EINVAL;
	error = find(mon, &target);
	if (error)
		return error;
	if (ts)
		timeout = posix_instant(mon->clock, &date);
	signals = __atomic_exchange_n(&mon->pending, 0, __ATOMIC_ACQ_REL);
	error = wait_in(&target, event & COBALT_MONITOR_WAITDRAIN, timeout, signals);
	if (error == -EPERM)
		(void)__atomic_fetch_or(&mon->pending, signals, __ATOMIC_RELEASE);
	return error;
}

void cobalt_monitor_grant(cobalt_monitor_t *mon, struct xnthread_user_window *u_window)
{
	u_window->grant_value = 1;
	mon->pending |= MONITOR_GRANT;
}

int cobalt_monitor_grant_sync(cobalt_monitor_t *mon, struct xnthread_user_window *u_window)
{
	uint32_t before = u_window->grant_value;
	int error;

	u_window->grant_value = 1;
	error = leave(mon, MONITOR_GRANT, REMOTE_MONITOR_SYNC);
	if (error == -EPERM || error == -EINVAL)
		u_window->grant_value = before;
	return error;
}

void cobalt_monitor_grant_all(cobalt_monitor_t *mon)
{
	mon->pending |= MONITOR_GRANT_ALL;
}

int cobalt_monitor_grant_all_sync(cobalt_monitor_t *mon)
{
	return leave(mon, MONITOR_GRANT_ALL, REMOTE_MONITOR_SYNC);
}

void cobalt_monitor_drain(cobalt_monitor_t *mon)
{
	mon->pending |= MONITOR_DRAIN;
}

int cobalt_monitor_drain_sync(cobalt_monitor_t *mon)
{
	return leave(mon, MONITOR_DRAIN, REMOTE_MONITOR_SYNC);
}

void cobalt_monitor_drain_all(cobalt_monitor_t *mon)
{
	mon->pending |= MONITOR_DRAIN_ALL;
}

int cobalt_monitor_drain_all_sync(cobalt_monitor_t *mon)
{
	return leave(mon, MONITOR_DRAIN_ALL, REMOTE_MONITOR_SYNC);
}

static int held(int error, int change)
{
	if (!error)
		session_holds(change);
	return error;
}

int64_t cobalt_serve_monitor(struct session_call *call)
{
	cobalt_monitor_t *state = state_of(call->object);
	uint32_t signals = (uint32_t)call->value[0];
	bool all = false;
	int error;

	if (!state)
		return -EINVAL;
	switch (call->service) {
	case REMOTE_MONITOR_ENTER:
		return held(monitor_enter(state), 1);
	case REMOTE_MONITOR_EXIT:
		return held(monitor_exit(state, signals), -1);
	case REMOTE_MONITOR_SYNC:
		return monitor_sync(state, signals);
	case REMOTE_MONITOR_DESTROY:
		return held(destroy_local(state, call->object), -1);
	case REMOTE_MONITOR_WAIT:
		error = monitor_wait(state, call->value[1], call->timeout, signals, &all);
		call->value[0] = all;
		return error;
	default:
		return -EINVAL;
	}
}
