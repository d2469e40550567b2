/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hooks: functions of the program that are called when a task is created, switched or deleted.
 * Create and switch hooks run in the order in which they were added, delete hooks in the opposite
 * order; those of creation and deletion in the task that creates or deletes.
 */
#include <taskHookLib.h>

#include "vxworks_internal.h"

#define HOOKS 16u

struct hooks {
	_Atomic uintptr_t hook[HOOKS]; /* 0: none */
};

static struct hooks create_hooks;
static struct hooks delete_hooks;
static struct hooks switch_hooks;

static STATUS add(struct hooks *hooks, FUNCPTR hook)
{
	if (!hook)
		return vxworks_fail(EINVAL);
	for (uint32_t i = 0; i < HOOKS; i++) {
		uintptr_t none = 0;

		if (atomic_compare_exchange_strong(&hooks->hook[i], &none, (uintptr_t)hook))
			return OK;
	}
	return vxworks_fail(S_taskLib_TASK_HOOK_TABLE_FULL);
}

/* The later ones move up, so that the order stays. */
static STATUS delete (struct hooks *hooks, FUNCPTR hook)
{
	for (uint32_t i = 0; hook && i < HOOKS; i++) {
		if (atomic_load(&hooks->hook[i]) != (uintptr_t)hook)
			continue;
		for (; i + 1 < HOOKS; i++)
			atomic_store(&hooks->hook[i], atomic_load(&hooks->hook[i + 1]));
		atomic_store(&hooks->hook[i], 0);
		return OK;
	}
	return vxworks_fail(S_taskLib_TASK_HOOK_NOT_FOUND);
}

static void run(const struct hooks *hooks, uint32_t i, WIND_TCB *tcb)
{
	const uintptr_t hook = atomic_load(&hooks->hook[i]);

	if (hook)
		((void (*)(WIND_TCB *))hook)(tcb);
}

void vxworks_run_create_hooks(WIND_TCB *tcb)
{
	for (uint32_t i = 0; i < HOOKS; i++)
		run(&create_hooks, i, tcb);
}

void vxworks_run_delete_hooks(WIND_TCB *tcb)
{
	for (uint32_t i = HOOKS; i > 0; i--)
		run(&delete_hooks, i - 1, tcb);
}

/* There is nothing to prepare. */
void taskHookInit(void)
{
}

STATUS taskCreateHookAdd(FUNCPTR createHook)
{
	return add(&create_hooks, createHook);
}

STATUS taskCreateHookDelete(FUNCPTR createHook)
{
	return delete (&create_hooks, createHook);
}

STATUS taskDeleteHookAdd(FUNCPTR deleteHook)
{
	return add(&delete_hooks, deleteHook);
}

STATUS taskDeleteHookDelete(FUNCPTR deleteHook)
{
	return delete (&delete_hooks, deleteHook);
}

void vxworks_run_switch_hooks(WIND_TCB *former, WIND_TCB *next)
{
	for (uint32_t i = 0; i < HOOKS; i++) {
		const uintptr_t hook = atomic_load(&switch_hooks.hook[i]);

		if (hook)
			((void (*)(WIND_TCB *, WIND_TCB *))hook)(former, next);
	}
}

STATUS taskSwitchHookAdd(FUNCPTR switchHook)
{
	return vxworks_watch_switches() == ERROR ? ERROR : add(&switch_hooks, switchHook);
}

STATUS taskSwitchHookDelete(FUNCPTR switchHook)
{
	return delete (&switch_hooks, switchHook);
}
