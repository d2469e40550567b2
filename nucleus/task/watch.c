/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the shadow of a task watches while the task is in primary mode. */
#include <tactus/skin.h>
#include <tactus/watch.h>

#include "task/task.h"

static int to_shadow(const struct tact_watch *watch, struct hal_shadow **shadow)
{
	struct nuc_task *task;
	int error;

	if (!watch)
		return -TACT_EINVAL;
	error = tact_task_relax();
	if (error)
		return error;
	task = hal_shadow_owner();
	*shadow = task->shadow;
	return 0;
}

int tact_task_watch(struct tact_watch *watch)
{
	struct hal_shadow *shadow;
	int error = to_shadow(watch, &shadow);

	return error ? error : hal_shadow_watch(shadow, watch->fd, watch);
}

int tact_task_unwatch(struct tact_watch *watch)
{
	struct hal_shadow *shadow;
	int error = to_shadow(watch, &shadow);

	if (!error)
		hal_shadow_unwatch(shadow, watch->fd);
	return error;
}

int tact_task_signal_mask(uint64_t *mask)
{
	struct nuc_cpu *cpu = nuc_enter();
	int result = -TACT_EPERM;

	if (!cpu)
		return result;
	if (!cpu->in_handler && cpu->current->shadow) {
		if (mask)
			*mask = hal_shadow_mask(cpu->current->shadow);
		result = 0;
	}
	hal_leave();
	return result;
}

static void (*_Atomic handlers_hook)(uint64_t pending);

void tact_on_handlers(void (*hook)(uint64_t pending))
{
	atomic_store_explicit(&handlers_hook, hook, memory_order_release);
}

void nuc_upcall_handlers(uint64_t pending)
{
	void (*hook)(uint64_t) = atomic_load_explicit(&handlers_hook, memory_order_acquire);

	if (hook)
		hook(pending);
}

void nuc_upcall_watched(void *argument)
{
	struct tact_watch *watch = argument;

	/*
	 * Pairs with the task, which clears `told` and then reads the file: either this exchange
	 * sees the zero, or the task sees what came. A watch that was told already gives no further
	 * unit: Linux may report a file again because of the first report.
	 */
	if (!__atomic_exchange_n(&watch->told, 1, __ATOMIC_SEQ_CST) && watch->sem.id)
		(void)tact_sem_post(watch->sem);
}
