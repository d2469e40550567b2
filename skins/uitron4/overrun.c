/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The overrun handler. A task above all priorities of µITRON looks at the time that each limited
 * task has run. A task cannot use up its limit before as much time has passed, so that is when this
 * task looks again. It calls the handler, and counts as a handler itself.
 */
#include "uitron4.h"

static FP handler;
static tact_sem_t look; /* 0: not made yet */
static uint64_t next_ns;

static uint64_t run_ns(struct itron_object *task)
{
	struct tact_task_info info = {.size = sizeof(info)};

	return tact_task_inquire(itron_task(task), &info) ? 0 : info.run_ns;
}

static void check(struct runtime_record *record)
{
	struct itron_object *task = (struct itron_object *)record;
	void (*entry)(ID, VP_INT) = (void (*)(ID, VP_INT))handler;
	uint64_t ran;

	if (!task->task.more.limited)
		return;
	ran = run_ns(task);
	if (ran < task->task.more.limit_ns) {
		if (task->task.more.limit_ns - ran < next_ns)
			next_ns = task->task.more.limit_ns - ran;
		return;
	}
	task->task.more.limited = false;
	if (!entry)
		return;
	runtime_handler_begins();
	entry(task->id, task->exinf);
	runtime_handler_ends();
}

static void watch(void *unused)
{
	tact_timeout_t until = TACT_FOREVER;

	(void)unused;
	while (tact_sem_wait(look, until) != -TACT_EIDRM) {
		next_ns = UINT64_MAX;
		runtime_each(&itron_objects, ITRON_TASK, check);
		until = next_ns == UINT64_MAX ? TACT_FOREVER : tact_in(next_ns);
	}
}

static int make_watcher(void)
{
	const struct tact_task_attr attr = {
		.name = ITRON_SKIN ":overruns",
		.priority = TACT_PRIORITY_MAX,
		.flags = TACT_TASK_NO_JOIN | TACT_ON_CPU(0),
	};
	tact_task_t watcher;
	int error = look.id ? 0 : tact_sem_create(NULL, 0, 1, TACT_ON_CPU(0), &look);

	if (!error)
		error = runtime_task_create(&attr, &watcher);
	if (error)
		return error;
	runtime_runs_handlers(watcher);
	return tact_task_start(watcher, watch, NULL);
}

ER def_ovr(const T_DOVR *pk_dovr)
{
	static bool made;
	FP entry;
	ER code = itron_defined(pk_dovr, &entry);

	if (!code)
		code = itron_begin();
	if (!code && entry && !made) {
		code = itron_result(make_watcher());
		made = !code;
	}
	if (!code)
		handler = entry;
	return code;
}

/* A task that is not dormant, while a handler is defined. */
static ER find_limited(ID id, struct itron_object **task)
{
	ER code = itron_find_task(id, task);

	if (code)
		return code;
	if (runtime_in_handler())
		return E_CTX;
	return handler ? E_OK : E_OBJ;
}

ER sta_ovr(ID tskid, OVRTIM ovrtim)
{
	struct itron_object *task;
	ER code = ovrtim ? find_limited(tskid, &task) : E_PAR;

	if (code)
		return code;
	if (!atomic_load(&task->task.active))
		return E_OBJ;
	task->task.more.limit_ns = run_ns(task) + ovrtim * ITRON_NS_MS;
	task->task.more.limited = true;
	/* It is at its maximum if the watcher is about to look already. */
	(void)tact_sem_post(look);
	return E_OK;
}

ER stp_ovr(ID tskid)
{
	struct itron_object *task;
	ER code = find_limited(tskid, &task);

	if (!code)
		task->task.more.limited = false;
	return code;
}

ER ref_ovr(ID tskid, T_ROVR *pk_rovr)
{
	struct itron_object *task;
	uint64_t ran;
	ER code;

	if (itron_bad(pk_rovr))
		return E_PAR;
	code = find_limited(tskid, &task);
	if (code)
		return code;
	*pk_rovr = (T_ROVR){.ovrstat = TOVR_STP};
	if (!task->task.more.limited)
		return E_OK;
	ran = run_ns(task);
	pk_rovr->ovrstat = TOVR_STA;
	pk_rovr->leftotm =
		task->task.more.limit_ns > ran
			? (OVRTIM)((task->task.more.limit_ns - ran + ITRON_NS_MS - 1) / ITRON_NS_MS)
			: 0;
	return E_OK;
}
