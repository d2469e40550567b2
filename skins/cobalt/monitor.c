/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Monitors: a mutex of the nucleus is the gate, and two conditions are what is waited for. Signals
 * are collected in the monitor and given when their sender leaves the gate, so that nobody is woken
 * to find it shut. All members are changed behind the gate only.
 */
#include "cobalt_internal.h"

#include "posix/wait.h"

#define MAGIC 0x6d6f6e31u

enum {
	PENDING_GRANT = 1u << 0,
	PENDING_DRAIN = 1u << 1,
	PENDING_DRAIN_ALL = 1u << 2,
};

static __thread struct xnthread_user_window window;

struct xnthread_user_window *cobalt_get_current_window(void)
{
	return &window;
}

static bool is_monitor(const cobalt_monitor_t *mon)
{
	return mon && mon->magic == MAGIC;
}

int cobalt_monitor_init(cobalt_monitor_t *mon, clockid_t clk_id, int flags)
{
	cobalt_monitor_t made = {.clock = clk_id, .magic = MAGIC};
	int error;

	if (!mon || !posix_clock_is_served(clk_id) || flags & ~COBALT_MONITOR_SHARED)
		return -EINVAL;
	if (flags & COBALT_MONITOR_SHARED)
		return -ENOSYS;
	if (!posix_start())
		return -EPERM;
	error = tact_mutex_create(NULL, TACT_PRIO, 0, &made.gate);
	if (error)
		return error;
	error = tact_cond_create(NULL, TACT_PRIO, &made.granted);
	if (error)
		goto delete_gate;
	error = tact_cond_create(NULL, TACT_PRIO, &made.drained);
	if (error)
		goto delete_granted;
	*mon = made;
	return 0;
delete_granted:
	(void)tact_cond_delete(made.granted);
delete_gate:
	(void)tact_mutex_delete(made.gate);
	return error;
}

/* As an old owner's signals and state are the monitor's own, nothing is to be repaired. */
static int repaired(const cobalt_monitor_t *mon, int error)
{
	return error == -TACT_EOWNERDEAD ? tact_mutex_consistent(mon->gate) : error;
}

int cobalt_monitor_enter(cobalt_monitor_t *mon)
{
	int error;

	if (!is_monitor(mon))
		return -EINVAL;
	error = cobalt_be_task();
	if (error)
		return error;
	do {
		posix_native_wait_begin();
		error = tact_mutex_lock(mon->gate, TACT_FOREVER);
		posix_native_wait_end(error);
	} while (error == -TACT_EINTR);
	error = repaired(mon, error);
	return error == -TACT_EIDRM ? -EINVAL : cobalt_result(error);
}

static bool is_behind(const cobalt_monitor_t *mon)
{
	struct tact_mutex_info info;

	return is_monitor(mon) && tact_task_self() && !tact_mutex_inquire(mon->gate, &info) &&
	       info.owner == tact_task_self();
}

static void give_signals(cobalt_monitor_t *mon)
{
	uint32_t pending = mon->pending;

	mon->pending = 0;
	if (pending & PENDING_GRANT)
		(void)tact_cond_broadcast(mon->granted);
	if (pending & PENDING_DRAIN_ALL)
		(void)tact_cond_broadcast(mon->drained);
	else if (pending & PENDING_DRAIN)
		(void)tact_cond_signal(mon->drained);
}

int cobalt_monitor_exit(cobalt_monitor_t *mon)
{
	if (!is_monitor(mon))
		return -EINVAL;
	if (!is_behind(mon))
		return -EPERM;
	give_signals(mon);
	return cobalt_result(tact_mutex_unlock(mon->gate));
}

int cobalt_monitor_destroy(cobalt_monitor_t *mon)
{
	if (!is_monitor(mon))
		return -EINVAL;
	if (!is_behind(mon))
		return -EPERM;
	if (mon->waiters)
		return -EBUSY;
	mon->magic = 0;
	(void)tact_cond_delete(mon->granted);
	(void)tact_cond_delete(mon->drained);
	return cobalt_result(tact_mutex_delete(mon->gate));
}

/* Whoever was behind the gate meanwhile may have ended there. */
static int wait_at(cobalt_monitor_t *mon, tact_cond_t condition, tact_timeout_t timeout)
{
	int error;

	posix_native_wait_begin();
	error = repaired(mon, tact_cond_wait(condition, mon->gate, timeout));
	if (error == -TACT_EINTR)
		mon->waiters--;
	posix_native_wait_end(error);
	if (error == -TACT_EINTR)
		mon->waiters++;
	return error;
}

/* A grant to one wakes all, and those whom it was not for wait on. */
static int wait_for_grant(cobalt_monitor_t *mon, tact_timeout_t timeout)
{
	uint32_t grants = mon->grants;
	int error;

	window.grant_value = 0;
	do
		error = wait_at(mon, mon->granted, timeout);
	while (!error && !window.grant_value && mon->grants == grants);
	return window.grant_value || mon->grants != grants ? 0 : error;
}

int cobalt_monitor_wait(cobalt_monitor_t *mon, int event, const struct timespec *ts)
{
	tact_timeout_t timeout = TACT_FOREVER;
	int error;

	if (!is_monitor(mon) || event & ~COBALT_MONITOR_WAITDRAIN ||
	    (ts && !posix_time_is_valid(ts)))
		return -EINVAL;
	if (!is_behind(mon))
		return -EPERM;
	if (ts)
		timeout = posix_instant(mon->clock, ts);
	give_signals(mon);
	mon->waiters++;
	error = event & COBALT_MONITOR_WAITDRAIN ? wait_at(mon, mon->drained, timeout)
						 : wait_for_grant(mon, timeout);
	mon->waiters--;
	return cobalt_result(error);
}

/* Let those who were signalled have the gate now. */
static int sync_now(cobalt_monitor_t *mon)
{
	int error;

	if (!mon->waiters)
		return 0;
	error = cobalt_monitor_exit(mon);
	return error ? error : cobalt_monitor_enter(mon);
}

void cobalt_monitor_grant(cobalt_monitor_t *mon, struct xnthread_user_window *u_window)
{
	u_window->grant_value = 1;
	mon->pending |= PENDING_GRANT;
}

int cobalt_monitor_grant_sync(cobalt_monitor_t *mon, struct xnthread_user_window *u_window)
{
	if (!is_behind(mon))
		return is_monitor(mon) ? -EPERM : -EINVAL;
	cobalt_monitor_grant(mon, u_window);
	return sync_now(mon);
}

void cobalt_monitor_grant_all(cobalt_monitor_t *mon)
{
	mon->grants++;
	mon->pending |= PENDING_GRANT;
}

int cobalt_monitor_grant_all_sync(cobalt_monitor_t *mon)
{
	if (!is_behind(mon))
		return is_monitor(mon) ? -EPERM : -EINVAL;
	cobalt_monitor_grant_all(mon);
	return sync_now(mon);
}

void cobalt_monitor_drain(cobalt_monitor_t *mon)
{
	mon->pending |= PENDING_DRAIN;
}

int cobalt_monitor_drain_sync(cobalt_monitor_t *mon)
{
	if (!is_behind(mon))
		return is_monitor(mon) ? -EPERM : -EINVAL;
	cobalt_monitor_drain(mon);
	return sync_now(mon);
}

void cobalt_monitor_drain_all(cobalt_monitor_t *mon)
{
	mon->pending |= PENDING_DRAIN_ALL;
}

int cobalt_monitor_drain_all_sync(cobalt_monitor_t *mon)
{
	if (!is_behind(mon))
		return is_monitor(mon) ? -EPERM : -EINVAL;
	cobalt_monitor_drain_all(mon);
	return sync_now(mon);
}
