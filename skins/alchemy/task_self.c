/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From a native task to its record: a table with open addressing. Thread-local storage cannot be
 * used: handlers have none, and in virtual time all tasks share that of one thread. There is no
 * lock: the key of an entry is one word, which the task's creator enters once and which is removed
 * once.
 */
#include "alchemy_task.h"

#define ENTRIES 8192u
#define REMOVED 1u /* a free entry that does not end a chain */

struct entry {
	_Atomic uint32_t key; /* 0: never used; REMOVED: free again; else the handle of a task */
	struct alchemy_object *_Atomic object;
};

static struct entry table[ENTRIES];

/* Handles differ mostly in their low bits. */
static uint32_t place_of(tact_task_t native, uint32_t step)
{
	return (native.id * 2654435761u + step) % ENTRIES;
}

int alchemy_task_enter(tact_task_t native, struct alchemy_object *object)
{
	for (uint32_t step = 0; step < ENTRIES; step++) {
		struct entry *entry = &table[place_of(native, step)];
		uint32_t key = atomic_load_explicit(&entry->key, memory_order_relaxed);

		if (key > REMOVED || !atomic_compare_exchange_strong_explicit(
					     &entry->key, &key, native.id, memory_order_acq_rel,
					     memory_order_relaxed))
			continue;
		atomic_store_explicit(&entry->object, object, memory_order_release);
		return 0;
	}
	return -ENOMEM;
}

static struct entry *entry_of(tact_task_t native)
{
	for (uint32_t step = 0; native.id > REMOVED && step < ENTRIES; step++) {
		struct entry *entry = &table[place_of(native, step)];
		uint32_t key = atomic_load_explicit(&entry->key, memory_order_acquire);

		if (key == native.id)
			return entry;
		if (!key)
			break;
	}
	return NULL;
}

void alchemy_task_leave(tact_task_t native)
{
	struct entry *entry = entry_of(native);

	if (!entry)
		return;
	atomic_store_explicit(&entry->object, NULL, memory_order_relaxed);
	atomic_store_explicit(&entry->key, REMOVED, memory_order_release);
}

static struct alchemy_object *object_of(tact_task_t native)
{
	const struct entry *entry = entry_of(native);

	return entry ? atomic_load_explicit(&entry->object, memory_order_acquire) : NULL;
}

struct alchemy_object *alchemy_task_current(void)
{
	/* A handler only interrupts a task; it is not this task. */
	return tact_mode() == TACT_MODE_HANDLER ? NULL : object_of(tact_task_self());
}

RT_TASK alchemy_task_descriptor(tact_task_t native)
{
	struct alchemy_object *object = object_of(native);

	return object ? alchemy_task_of(object)->self : NO_ALCHEMY_TASK;
}

RT_TASK *rt_task_self(void)
{
	struct alchemy_object *object = alchemy_task_current();

	return object ? &alchemy_task_of(object)->self : NULL;
}

int rt_task_same(RT_TASK *task1, RT_TASK *task2)
{
	return task1->handle == task2->handle;
}

int alchemy_task_find(RT_TASK *task, struct alchemy_object **object)
{
	*object = task ? alchemy_find(task, ALCHEMY_TASK) : alchemy_task_current();
	if (!*object)
		return task ? -EINVAL : -EPERM;
	return atomic_load_explicit(&alchemy_task_of(*object)->over, memory_order_relaxed) ? -EINVAL
											   : 0;
}

int alchemy_task_result(int result)
{
	return result == -TACT_EIDRM || result == -TACT_EBUSY ? -EINVAL : alchemy_result(result);
}
