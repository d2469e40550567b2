/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Watchdogs: timers of the nucleus, whose handlers call the program's routine once. */
#include <wdLib.h>

#include <intLib.h>

#include "vxworks_internal.h"

static _Atomic uint32_t counting;

bool vxworks_goes_on(void)
{
	return atomic_load(&counting) || vxworks_clocks_run();
}

static struct vxworks_object *find(WDOG_ID id)
{
	return vxworks_find(id, VXWORKS_WATCHDOG);
}

static tact_timer_t timer_of(const struct vxworks_object *watchdog)
{
	return (tact_timer_t){runtime_native(&watchdog->record).id};
}

static void stops_counting(struct vxworks_object *watchdog)
{
	if (atomic_exchange(&watchdog->watchdog.counts, 0)) {
		atomic_fetch_sub(&counting, 1);
		runtime_stay_again();
	}
}

static void expire(void *arg)
{
	struct vxworks_object *watchdog = arg;
	const FUNCPTR routine = watchdog->watchdog.routine;
	const _Vx_usr_arg_t parameter = watchdog->watchdog.parameter;

	stops_counting(watchdog);
	(void)routine(parameter);
}

static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	tact_timer_t made = {0};
	int error = tact_timer_create(key, expire, record, 0, &made);

	(void)how;
	*native = tact_object(made);
	return error;
}

WDOG_ID wdCreate(void)
{
	return vxworks_begin() == ERROR ? NULL : vxworks_create(VXWORKS_WATCHDOG, make, NULL);
}

STATUS wdDelete(WDOG_ID wdId)
{
	struct runtime_record *record =
		runtime_take(&vxworks_objects, (uintptr_t)wdId, VXWORKS_WATCHDOG);
	struct vxworks_object *watchdog = (struct vxworks_object *)record;

	if (!watchdog)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	/* Also in its own routine, which has read the record already. */
	(void)tact_timer_discard(timer_of(watchdog));
	stops_counting(watchdog);
	runtime_drop(record);
	return OK;
}

STATUS wdStart(WDOG_ID wdId, int delay, FUNCPTR pRoutine, _Vx_usr_arg_t parameter)
{
	struct vxworks_object *watchdog = find(wdId);
	int error;

	if (!watchdog)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	if (!pRoutine)
		return vxworks_fail(EINVAL);
	/* What a run that is due would call must not be half of each. */
	if (atomic_load(&watchdog->watchdog.counts))
		(void)tact_timer_stop(timer_of(watchdog));
	watchdog->watchdog.routine = pRoutine;
	watchdog->watchdog.parameter = parameter;
	if (!atomic_exchange(&watchdog->watchdog.counts, 1))
		atomic_fetch_add(&counting, 1);
	error = tact_timer_start(timer_of(watchdog), vxworks_timeout(delay > 0 ? delay : 1), 0);
	if (error)
		stops_counting(watchdog);
	return vxworks_status(error);
}

STATUS wdCancel(WDOG_ID wdId)
{
	struct vxworks_object *watchdog = find(wdId);

	if (!watchdog)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	(void)tact_timer_stop(timer_of(watchdog));
	stops_counting(watchdog);
	return OK;
}
