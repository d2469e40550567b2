/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of the system: dispatching, locked CPUs, the running task. */
#include "core.h"

struct itron_object *_Atomic itron_locker;
_Atomic uint32_t itron_locks;

/* A task that ends by a fault leaves its locks counted. Then waits ask each caller for its own. */
static void set_lock(struct itron_object *self, uint32_t lock)
{
	self->task.locked |= lock;
	atomic_fetch_add_explicit(&itron_locks, 1, memory_order_relaxed);
}

static void clear_lock(struct itron_object *self, uint32_t lock)
{
	if (!(self->task.locked & lock))
		return;
	self->task.locked &= ~lock;
	atomic_fetch_sub_explicit(&itron_locks, 1, memory_order_relaxed);
}

bool itron_is_locker(const struct itron_object *locker)
{
	return tact_mode() == TACT_MODE_HANDLER ? locker == ITRON_HANDLERS_LOCKED
						: locker == itron_self();
}

static void unlock_cpu(struct itron_object *self)
{
	struct itron_object *locker = self;

	clear_lock(self, ITRON_CPU);
	(void)atomic_compare_exchange_strong(&itron_locker, &locker, NULL);
	(void)tact_task_restore_handlers(0);
}

static void enable_dispatch(struct itron_object *self)
{
	clear_lock(self, ITRON_DISPATCH);
	(void)tact_task_unlock_scheduler();
}

void itron_unlock_all(struct itron_object *self)
{
	if (self->task.locked & ITRON_DISPATCH)
		enable_dispatch(self);
	unlock_cpu(self);
}

void itron_leave_handler(void)
{
	struct itron_object *locker = ITRON_HANDLERS_LOCKED;

	(void)atomic_compare_exchange_strong(&itron_locker, &locker, NULL);
}

ER dis_dsp(void)
{
	struct itron_object *self = itron_self();

	if (!self || self->task.locked & ITRON_CPU)
		return E_CTX;
	if (self->task.locked & ITRON_DISPATCH)
		return E_OK;
	set_lock(self, ITRON_DISPATCH);
	return itron_result(tact_task_lock_scheduler());
}

ER ena_dsp(void)
{
	struct itron_object *self = itron_self();

	if (!self || self->task.locked & ITRON_CPU)
		return E_CTX;
	if (self->task.locked & ITRON_DISPATCH)
		enable_dispatch(self);
	return E_OK;
}

ER loc_cpu(void)
{
	struct itron_object *self = itron_self();

	if (tact_mode() == TACT_MODE_HANDLER && ITRON_HANDLERS_LOCK) {
		/* No handler interrupts another one. */
		atomic_store(&itron_locker, ITRON_HANDLERS_LOCKED);
		return E_OK;
	}
	if (!self)
		return E_CTX;
	if (self->task.locked & ITRON_CPU)
		return E_OK;
	(void)tact_task_lock_handlers();
	set_lock(self, ITRON_CPU);
	atomic_store(&itron_locker, self);
	return E_OK;
}

ER unl_cpu(void)
{
	struct itron_object *self = itron_self();

	if (tact_mode() == TACT_MODE_HANDLER && ITRON_HANDLERS_LOCK) {
		itron_leave_handler();
		return E_OK;
	}
	if (!self)
		return E_CTX;
	if (ITRON_UNLOCK_DISPATCHES && self->task.locked & ITRON_DISPATCH)
		enable_dispatch(self);
	unlock_cpu(self);
	return E_OK;
}

ER rot_rdq(PRI tskpri)
{
	uint32_t own = 0;

	if (tskpri < 0 || tskpri > TMAX_TPRI)
		return E_PAR;
	if (ITRON_LOCKED_REFUSES && itron_cpu_locked())
		return E_CTX;
	if (tskpri)
		return itron_result(tact_sched_rotate(0, itron_native_priority(tskpri)));
	/* In a handler, the priority of the task that it has interrupted is not known. */
	if (!itron_self() || tact_task_get_priority(TACT_SELF, &own, NULL))
		return ITRON_ROTATE_NONE;
	return itron_result(tact_sched_rotate(0, own));
}

ER get_tid(ID *p_tskid)
{
	const struct itron_object *self;

	if (itron_bad(p_tskid))
		return E_PAR;
	if (ITRON_LOCKED_REFUSES && itron_cpu_locked())
		return E_CTX;
	self = itron_self();
	*p_tskid = self ? self->id : 0;
	return E_OK;
}
