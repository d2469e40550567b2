/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks and time: periods, sleep, yielding. */
#include <sched.h>

#include "alchemy_task.h"
#include "remote.h"
#include "period.h"

int rt_task_set_periodic(RT_TASK *task, RTIME idate, RTIME period)
{
	struct runtime_record *object;
	tact_time_t first = {0};
	int error = alchemy_task_find(task, &object);

	if (error)
		return alchemy_remote_instead(task, error, REMOTE_TASK_SET_PERIODIC,
					      alchemy_until_ns(idate), alchemy_ns(period));
	if (period != TM_INFINITE && idate != TM_NOW)
		first.ns = alchemy_until_ns(idate);
	return alchemy_task_result(
		tact_task_set_periodic(alchemy_task(object), first, alchemy_ns(period)));
}

int rt_task_wait_period(unsigned long *overruns_r)
{
	uint64_t overruns = 0;
	int error;

	if (!runtime_may_wait())
		return -EPERM;
	if (!tact_task_self().id)
		return -EWOULDBLOCK; /* main() */
	error = skin_wait_period(&overruns);
	if (overruns_r && (!error || error == -TACT_ETIMEDOUT))
		*overruns_r = (unsigned long)overruns;
	return alchemy_result(error);
}

/* If a signal breaks the wait, it is continued, unless rt_task_unblock() was called. */
static int task_sleep(tact_timeout_t timeout)
{
	struct runtime_record *object = alchemy_task_current();
	struct alchemy_task *own = object ? alchemy_task_of(object) : NULL;
	int error;

	if (timeout.kind == TACT_TIMEOUT_RELATIVE)
		timeout = tact_at(tact_time_add(tact_now(), timeout.ns));
	if (own)
		atomic_store_explicit(&own->unblocked, 0, memory_order_relaxed);
	do
		error = tact_task_sleep_until(timeout);
	while (error == -TACT_EINTR &&
	       !(own && atomic_exchange_explicit(&own->unblocked, 0, memory_order_acq_rel)));
	return alchemy_result(error);
}

static int sleep_with(tact_timeout_t timeout)
{
	int error;

	if (tact_task_self().id)
		return task_sleep(timeout);
	/* main(), which is not a task in virtual time, or if the nucleus was started by other
	 * means. */
	error = tact_sem_wait(runtime_never(), timeout);
	return error == -TACT_ETIMEDOUT ? 0 : alchemy_result(error);
}

int rt_task_sleep(RTIME delay)
{
	if (!runtime_may_wait() || alchemy_begin())
		return -EPERM;
	return delay ? sleep_with(tact_in(alchemy_until_ns(delay))) : 0;
}

int rt_task_sleep_until(RTIME date)
{
	if (!runtime_may_wait() || alchemy_begin())
		return -EPERM;
	if (date == TM_INFINITE)
		return sleep_with(TACT_FOREVER);
	if (alchemy_until_ns(date) <= tact_now().ns)
		return -ETIMEDOUT;
	return sleep_with(tact_at((tact_time_t){alchemy_until_ns(date)}));
}

int rt_task_yield(void)
{
	if (!runtime_may_wait())
		return -EPERM;
	if (tact_task_self().id)
		return alchemy_result(tact_task_yield());
	sched_yield();
	return 0;
}
