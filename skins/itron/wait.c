/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waiting: who may wait, for how long, and which tasks wait for an object. */
#include "core.h"

struct runtime_ticks itron_ticks = {RUNTIME_RATE(1000000, 1)};

static _Atomic uint32_t stamps;

ER itron_wait(TMO tmout, uint32_t kind, ID object, tact_timeout_t *timeout)
{
	struct itron_object *self;

	if (tmout < TMO_FEVR)
		return E_PAR;
	*timeout = TACT_NOWAIT;
	if (tmout == TMO_POL)
		return E_OK;
	*timeout = tmout == TMO_FEVR ? TACT_FOREVER : runtime_in(&itron_ticks, (uint64_t)tmout);
	self = itron_self();
	if (!self)
		return runtime_may_wait() ? E_OK : E_CTX;
	if (self->task.locked)
		return E_CTX;
	self->task.kind = kind;
	self->task.object = object;
	self->task.until_ns = tmout == TMO_FEVR ? 0 : tact_now().ns + timeout->ns;
	self->task.stamp = atomic_fetch_add_explicit(&stamps, 1, memory_order_relaxed);
	return E_OK;
}

void itron_wait_over(void)
{
	struct itron_object *self = itron_self();

	if (self)
		self->task.until_ns = 0;
}

static bool finds(const struct tact_task_info *info, enum itron_type type, ID *object)
{
	const struct runtime_record *record =
		runtime_find_native(&itron_objects, info->waits_for, type);

	if (record)
		*object = ((const struct itron_object *)record)->id;
	return record;
}

void itron_wait_of(const struct itron_object *task, const struct tact_task_info *info,
		   uint32_t *kind, ID *object)
{
	*kind = task->task.kind;
	*object = task->task.object;
	if (finds(info, ITRON_SEM, object))
		*kind = TTW_SEM;
	else if (finds(info, ITRON_FLAG, object))
		*kind = TTW_FLG;
}

/* The search runs in one task at a time: its callers have locked the handlers. */
static struct {
	uint32_t kind;
	ID object;
	bool by_priority;
	struct itron_object *best;
	uint32_t priority; /* of the best one */
	void (*visit)(struct itron_object *task);
} search;

static bool waits_there(struct itron_object *task, uint32_t *priority)
{
	struct tact_task_info info = {.size = sizeof(info)};
	uint32_t kind;
	ID object;

	if (task->task.kind != search.kind || task->task.object != search.object ||
	    tact_task_inquire(itron_task(task), &info) ||
	    !(info.state & (TACT_TASK_STATE_WAITING | TACT_TASK_STATE_SLEEPING)))
		return false;
	*priority = info.priority;
	itron_wait_of(task, &info, &kind, &object);
	return kind == search.kind && object == search.object;
}

static void consider(struct runtime_record *record)
{
	struct itron_object *task = (struct itron_object *)record;
	uint32_t priority;
	bool before;

	if (!waits_there(task, &priority))
		return;
	before = !search.best || (int32_t)(task->task.stamp - search.best->task.stamp) < 0;
	if (search.best && search.by_priority && priority != search.priority)
		before = priority > search.priority;
	if (!before)
		return;
	search.best = task;
	search.priority = priority;
}

ID itron_first_waiter(uint32_t kind, ID object, ATR attributes)
{
	struct itron_key key = itron_lock();
	ID first;

	search.kind = kind;
	search.object = object;
	search.by_priority = attributes & TA_TPRI;
	search.best = NULL;
	runtime_each(&itron_objects, ITRON_TASK, consider);
	first = search.best ? search.best->id : 0;
	itron_unlock(key);
	return first;
}

static bool is_next_served(struct runtime_record *record, void *native)
{
	struct tact_task_info info = {.size = sizeof(info)};

	return !tact_task_inquire(itron_task((struct itron_object *)record), &info) &&
	       info.waits_first && tact_same(info.waits_for, *(const tact_object_t *)native);
}

ID itron_next_served(const struct itron_object *object)
{
	tact_object_t native = runtime_native(&object->record);
	const struct runtime_record *task =
		runtime_search(&itron_objects, ITRON_TASK, is_next_served, &native);

	return task ? ((const struct itron_object *)task)->id : 0;
}

static void visit_waiter(struct runtime_record *record)
{
	struct itron_object *task = (struct itron_object *)record;
	uint32_t priority;

	if (waits_there(task, &priority))
		search.visit(task);
}

void itron_each_waiter(uint32_t kind, ID object, void (*visit)(struct itron_object *task))
{
	struct itron_key key = itron_lock();

	search.kind = kind;
	search.object = object;
	search.visit = visit;
	runtime_each(&itron_objects, ITRON_TASK, visit_waiter);
	itron_unlock(key);
}
