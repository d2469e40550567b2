/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From a native task to its record: a table with open addressing. Thread-local storage cannot be
 * used: handlers have none, and in virtual time all tasks share that of one thread. There is no
 * lock: the key of an entry is one word, which the task's creator enters once and which is removed
 * once.
 */
#include "task_map.h"

#define ENTRIES 8192u
#define REMOVED 1u /* a free entry that does not end a chain */

struct entry {
	_Atomic uint32_t key; /* 0: never used; REMOVED: free again; else the handle of a task */
	struct runtime_record *_Atomic record;
};

static struct entry map[ENTRIES];

/* Handles differ mostly in their low bits. */
static uint32_t index_of(tact_task_t native, uint32_t step)
{
	return (native.id * 2654435761u + step) % ENTRIES;
}

int task_map_enter(tact_task_t native, struct runtime_record *record)
{
	for (uint32_t step = 0; step < ENTRIES; step++) {
		struct entry *entry = &map[index_of(native, step)];
		uint32_t key = atomic_load_explicit(&entry->key, memory_order_relaxed);

		if (key > REMOVED || !atomic_compare_exchange_strong_explicit(
					     &entry->key, &key, native.id, memory_order_acq_rel,
					     memory_order_relaxed))
			continue;
		/* Release: pairs with the acquire of runtime_task_find(). */
		atomic_store_explicit(&entry->record, record, memory_order_release);
		return 0;
	}
	return -TACT_ENOMEM;
}

static struct entry *entry_of(tact_task_t native)
{
	for (uint32_t step = 0; native.id > REMOVED && step < ENTRIES; step++) {
		struct entry *entry = &map[index_of(native, step)];
		uint32_t key = atomic_load_explicit(&entry->key, memory_order_acquire);

		if (key == native.id)
			return entry;
		if (!key)
			break;
	}
	return NULL;
}

void task_map_leave(tact_task_t native)
{
	struct entry *entry = entry_of(native);

	if (!entry)
		return;
	atomic_store_explicit(&entry->record, NULL, memory_order_relaxed);
	atomic_store_explicit(&entry->key, REMOVED, memory_order_release);
}

struct runtime_record *runtime_task_find(const struct runtime_table *table, tact_task_t native)
{
	const struct entry *entry = entry_of(native);
	struct runtime_record *record =
		entry ? atomic_load_explicit(&entry->record, memory_order_acquire) : NULL;

	return record && record->table == table ? record : NULL;
}

struct runtime_record *runtime_task_current(const struct runtime_table *table)
{
	return tact_mode() == TACT_MODE_HANDLER ? NULL : runtime_task_find(table, tact_task_self());
}
