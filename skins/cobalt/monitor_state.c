/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Monitors: the gate is a mutex of the nucleus, and threads wait for two conditions. Signals are
 * given when their sender leaves the gate, so that no thread is woken only to wait for the gate.
 */
#include "monitor.h"

static tact_mutex_t gate_of(const cobalt_monitor_t *state)
{
	return (tact_mutex_t){state->gate};
}

static tact_cond_t granted_of(const cobalt_monitor_t *state)
{
	return (tact_cond_t){state->granted};
}

static tact_cond_t drained_of(const cobalt_monitor_t *state)
{
	return (tact_cond_t){state->drained};
}

int monitor_make(cobalt_monitor_t *state)
{
	tact_cond_t granted, drained;
	tact_mutex_t gate;
	int error = tact_mutex_create(NULL, TACT_PRIO, 0, &gate);

	if (error)
		return error;
	error = tact_cond_create(NULL, TACT_PRIO, &granted);
	if (error)
		goto delete_gate;
	error = tact_cond_create(NULL, TACT_PRIO, &drained);
	if (error)
		goto delete_granted;
	state->gate = gate.id;
	state->granted = granted.id;
	state->drained = drained.id;
	return 0;
delete_granted:
	(void)tact_cond_delete(granted);
delete_gate:
	(void)tact_mutex_delete(gate);
	return error;
}

/* The state and the signals belong to the monitor, so nothing needs a repair if an owner has
 * ended. */
static int repaired(const cobalt_monitor_t *state, int error)
{
	return error == -TACT_EOWNERDEAD ? tact_mutex_consistent(gate_of(state)) : error;
}

int monitor_enter(cobalt_monitor_t *state)
{
	int error = cobalt_be_task();

	if (error)
		return error;
	do {
		posix_native_wait_begin();
		error = tact_mutex_lock(gate_of(state), TACT_FOREVER);
		posix_native_wait_end(error);
	} while (error == -TACT_EINTR || error == -TACT_ECANCELED);
	error = repaired(state, error);
	return error == -TACT_EIDRM ? -EINVAL : cobalt_result(error);
}

static bool is_behind(const cobalt_monitor_t *state)
{
	struct tact_mutex_info info = {0};

	return tact_task_self().id && !tact_mutex_inquire(gate_of(state), &info) &&
	       info.owner.id == tact_task_self().id;
}

static void give(cobalt_monitor_t *state, uint32_t signals)
{
	if (signals & MONITOR_GRANT_ALL)
		state->grants++;
	if (signals & (MONITOR_GRANT | MONITOR_GRANT_ALL))
		(void)tact_cond_broadcast(granted_of(state));
	if (signals & MONITOR_DRAIN_ALL)
		(void)tact_cond_broadcast(drained_of(state));
	else if (signals & MONITOR_DRAIN)
		(void)tact_cond_signal(drained_of(state));
}

int monitor_exit(cobalt_monitor_t *state, uint32_t signals)
{
	if (!is_behind(state))
		return -EPERM;
	give(state, signals);
	return cobalt_result(tact_mutex_unlock(gate_of(state)));
}

int monitor_sync(cobalt_monitor_t *state, uint32_t signals)
{
	int error;

	if (!is_behind(state))
		return -EPERM;
	if (!state->waiters)
		return 0;
	error = monitor_exit(state, signals);
	return error ? error : monitor_enter(state);
}

int monitor_destroy(cobalt_monitor_t *state)
{
	if (!is_behind(state))
		return -EPERM;
	if (state->waiters)
		return -EBUSY;
	(void)tact_cond_delete(granted_of(state));
	(void)tact_cond_delete(drained_of(state));
	return cobalt_result(tact_mutex_delete(gate_of(state)));
}

/* A thread that was behind the gate meanwhile may have ended there. The count is lowered before a
 * cancellation takes effect. */
static int wait_at(cobalt_monitor_t *state, tact_cond_t condition, tact_timeout_t timeout)
{
	int error;

	state->waiters++;
	posix_native_wait_begin();
	error = repaired(state, tact_cond_wait(condition, gate_of(state), timeout));
	state->waiters--;
	posix_native_wait_end(error);
	return error;
}

int monitor_wait(cobalt_monitor_t *state, bool drain, tact_timeout_t timeout, uint32_t signals,
		 bool *all)
{
	uint32_t grants;
	int error;

	if (!is_behind(state))
		return -EPERM;
	give(state, signals);
	grants = state->grants;
	error = wait_at(state, drain ? drained_of(state) : granted_of(state), timeout);
	*all = !drain && state->grants != grants;
	error = cobalt_result(error);
	return *all && (error == -ETIMEDOUT || error == -EINTR) ? 0 : error;
}
