/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables of records: see record.h. */
#include "runtime/record.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/names.h"

/* If another thread adds a chunk at the same time, that one is used. */
static bool grow(const struct runtime_table *table, uint32_t records)
{
	const size_t bytes = base_growing_chunk_bytes(table->records);
	void *chunk = base_growing_may_grow(table->records, records) ? malloc(bytes) : NULL;

	if (!chunk)
		return false;
	/* Write it, so that no later use causes a page fault. */
	memset(chunk, 0, bytes);
	if (!base_growing_add(table->records, records, chunk))
		free(chunk);
	return true;
}

static bool win(struct runtime_record *record)
{
	uint32_t free_one = 0;

	return record && !atomic_load_explicit(&record->taken, memory_order_relaxed) &&
	       atomic_compare_exchange_strong_explicit(&record->taken, &free_one, 1,
						       memory_order_acquire, memory_order_relaxed);
}

static void prepare(const struct runtime_table *table, struct runtime_record *record, uint32_t type,
		    const char *name)
{
	record->table = table;
	record->type = type;
	/* Never 0, so that no id is 0. */
	record->generation =
		record->generation >= table->generations_max ? 1 : record->generation + 1;
	atomic_store_explicit(&record->native, TACT_NONE, memory_order_relaxed);
	record->give_back = NULL;
	memset(record + 1, 0, table->records->element_bytes - sizeof(*record));
	runtime_name(record, name);
}

struct runtime_record *runtime_reserve(const struct runtime_table *table, uint32_t type,
				       const char *name)
{
	for (;;) {
		uint32_t records = base_growing_count(table->records);
		uint32_t from = atomic_load_explicit(table->hint, memory_order_relaxed);

		for (uint32_t i = 0; i < records; i++) {
			uint32_t index = (from + i) % records;
			struct runtime_record *record = base_growing_at(table->records, index);

			if (!win(record))
				continue;
			atomic_store_explicit(table->hint, index + 1, memory_order_relaxed);
			prepare(table, record, type, name);
			return record;
		}
		if (!grow(table, records))
			return NULL;
	}
}

uint64_t runtime_id(const struct runtime_record *record)
{
	return (uint64_t)record->generation << RUNTIME_INDEX_BITS |
	       base_growing_index(record->table->records, record);
}

uint64_t runtime_show(struct runtime_record *record, tact_object_t native)
{
	uint64_t id = runtime_id(record);

	atomic_store_explicit(&record->native, native, memory_order_relaxed);
	/* Release: pairs with the acquire of runtime_find(). */
	atomic_store_explicit(&record->id, id, memory_order_release);
	return id;
}

uint64_t runtime_publish(struct runtime_record *record, tact_object_t native)
{
	uint64_t id = runtime_show(record, native);

	if (record->table->hooks->published)
		record->table->hooks->published();
	return id;
}

void runtime_free(struct runtime_record *record)
{
	if (record->give_back)
		record->give_back(record);
	record->give_back = NULL;
	atomic_store_explicit(&record->id, 0, memory_order_relaxed);
	atomic_store_explicit(&record->taken, 0, memory_order_release);
}

/* The record with this index if it is published and of the type, or NULL. */
static struct runtime_record *published_at(const struct runtime_table *table, uint32_t index,
					   uint32_t type)
{
	struct runtime_record *record = base_growing_at(table->records, index);

	return record && atomic_load_explicit(&record->id, memory_order_acquire) &&
			       record->type == type
		       ? record
		       : NULL;
}

struct runtime_record *runtime_search(const struct runtime_table *table, uint32_t type,
				      bool (*is_it)(struct runtime_record *record, void *arg),
				      void *arg)
{
	uint32_t records = base_growing_count(table->records);

	for (uint32_t i = 0; i < records; i++) {
		struct runtime_record *record = published_at(table, i, type);

		if (record && is_it(record, arg))
			return record;
	}
	return NULL;
}

static bool has_native(struct runtime_record *record, void *native)
{
	return tact_same(runtime_native(record), *(const tact_object_t *)native);
}

struct runtime_record *runtime_find_native(const struct runtime_table *table, tact_object_t native,
					   uint32_t type)
{
	return runtime_search(table, type, has_native, &native);
}

static bool has_name(struct runtime_record *record, void *name)
{
	return strncmp(record->name, name, sizeof(record->name) - 1) == 0;
}

struct runtime_record *runtime_find_name(const struct runtime_table *table, uint32_t type,
					 const char *name)
{
	return runtime_search(table, type, has_name, (void *)(uintptr_t)name);
}

void runtime_each(const struct runtime_table *table, uint32_t type,
		  void (*visit)(struct runtime_record *record))
{
	uint32_t records = base_growing_count(table->records);

	for (uint32_t i = 0; i < records; i++) {
		struct runtime_record *record = published_at(table, i, type);

		if (record)
			visit(record);
	}
}
