/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table of records. There is no lock: a record is reserved by one exchange of its `taken`, and
 * a handle is valid from one store to one exchange of its `handle`. A record's name and type change
 * only while its handle is 0.
 */
#include "remote.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_RECORDS 64u
#define CHUNKS        1024u
#define INDEX_BITS    16u
_Static_assert(CHUNK_RECORDS *CHUNKS == 1u << INDEX_BITS, "a handle's index names each record");

static struct alchemy_object first_chunk[CHUNK_RECORDS];
static struct alchemy_object *_Atomic chunks[CHUNKS] = {first_chunk};
static _Atomic uint32_t chunks_used = 1;
static _Atomic uint32_t hint;

static struct alchemy_object *record_at(uint32_t index)
{
	struct alchemy_object *chunk =
		atomic_load_explicit(&chunks[index / CHUNK_RECORDS], memory_order_acquire);

	return chunk ? &chunk[index % CHUNK_RECORDS] : NULL;
}

/* Another thread may add the same chunk at the same time; then this thread frees its own. */
static bool grow(uint32_t used)
{
	struct alchemy_object *none = NULL;
	struct alchemy_object *chunk;

	if (used == CHUNKS)
		return false;
	chunk = aligned_alloc(_Alignof(struct alchemy_object), CHUNK_RECORDS * sizeof(*chunk));
	if (!chunk)
		return false;
	/* Write it, so that no later use causes a page fault. */
	memset(chunk, 0, CHUNK_RECORDS * sizeof(*chunk));
	if (!atomic_compare_exchange_strong_explicit(&chunks[used], &none, chunk,
						     memory_order_acq_rel, memory_order_acquire))
		free(chunk);
	atomic_compare_exchange_strong(&chunks_used, &used, used + 1);
	return true;
}

static bool win(struct alchemy_object *record)
{
	uint32_t free_one = 0;

	return record && !atomic_load_explicit(&record->taken, memory_order_relaxed) &&
	       atomic_compare_exchange_strong_explicit(&record->taken, &free_one, 1,
						       memory_order_acquire, memory_order_relaxed);
}

struct alchemy_object *alchemy_reserve(enum alchemy_type type, const char *name)
{
	for (;;) {
		uint32_t used = atomic_load_explicit(&chunks_used, memory_order_acquire);
		uint32_t records = used * CHUNK_RECORDS;
		uint32_t from = atomic_load_explicit(&hint, memory_order_relaxed);

		for (uint32_t i = 0; i < records; i++) {
			uint32_t index = (from + i) % records;
			struct alchemy_object *record = record_at(index);

			if (!win(record))
				continue;
			atomic_store_explicit(&hint, index + 1, memory_order_relaxed);
			record->type = type;
			/* Never 0, so that no handle is 0. */
			record->generation += record->generation == UINT32_MAX ? 2 : 1;
			atomic_store_explicit(&record->native, TACT_NONE, memory_order_relaxed);
			record->give_back = NULL;
			memset(record->extra, 0, sizeof(record->extra));
			alchemy_name(record, name);
			return record;
		}
		if (!grow(used))
			return NULL;
	}
}

static uint32_t index_of(const struct alchemy_object *object)
{
	for (uint32_t i = 0; i < CHUNKS; i++) {
		struct alchemy_object *chunk =
			atomic_load_explicit(&chunks[i], memory_order_relaxed);

		if (chunk && object >= chunk && object < chunk + CHUNK_RECORDS)
			return i * CHUNK_RECORDS + (uint32_t)(object - chunk);
	}
	abort();
}

uintptr_t alchemy_handle(const struct alchemy_object *object)
{
	return (uintptr_t)object->generation << INDEX_BITS | index_of(object);
}

uintptr_t alchemy_show(struct alchemy_object *object, tact_object_t native)
{
	uintptr_t handle = alchemy_handle(object);

	atomic_store_explicit(&object->native, native, memory_order_relaxed);
	atomic_store_explicit(&object->handle, handle, memory_order_release);
	return handle;
}

uintptr_t alchemy_publish(struct alchemy_object *object, tact_object_t native)
{
	uintptr_t handle = alchemy_show(object, native);

	session_notify_watchers();
	return handle;
}

void alchemy_free(struct alchemy_object *object)
{
	if (object->give_back)
		object->give_back(object);
	if (object->announced)
		session_withdraw(alchemy_type_name(object->type), object->name);
	object->announced = false;
	atomic_store_explicit(&object->handle, 0, memory_order_relaxed);
	atomic_store_explicit(&object->taken, 0, memory_order_release);
}

void alchemy_drop(struct alchemy_object *object)
{
	if (!object->announced || !alchemy_defer_free(object))
		alchemy_free(object);
}

static struct alchemy_object *find_handle(uintptr_t handle, enum alchemy_type type)
{
	struct alchemy_object *record = record_at(handle & ((1u << INDEX_BITS) - 1));

	if (!handle || !record ||
	    atomic_load_explicit(&record->handle, memory_order_acquire) != handle ||
	    record->type != (uint32_t)type)
		return NULL;
	return record;
}

struct alchemy_object *alchemy_find(const void *descriptor, enum alchemy_type type)
{
	return alchemy_bad_pointer(descriptor) ? NULL
					       : find_handle(*(const uintptr_t *)descriptor, type);
}

struct alchemy_object *alchemy_take(const void *descriptor, enum alchemy_type type)
{
	struct alchemy_object *record = alchemy_find(descriptor, type);
	uintptr_t handle;

	if (!record)
		return NULL;
	handle = *(const uintptr_t *)descriptor;
	return atomic_compare_exchange_strong_explicit(&record->handle, &handle, 0,
						       memory_order_acq_rel, memory_order_relaxed)
		       ? record
		       : NULL;
}

struct alchemy_object *alchemy_find_native(tact_object_t native, enum alchemy_type type)
{
	uint32_t records = CHUNK_RECORDS * atomic_load_explicit(&chunks_used, memory_order_acquire);

	for (uint32_t i = 0; i < records; i++) {
		struct alchemy_object *record = record_at(i);

		if (record && atomic_load_explicit(&record->handle, memory_order_acquire) &&
		    record->type == (uint32_t)type && tact_same(alchemy_native(record), native))
			return record;
	}
	return NULL;
}

void alchemy_each(enum alchemy_type type, void (*visit)(struct alchemy_object *object))
{
	uint32_t records = CHUNK_RECORDS * atomic_load_explicit(&chunks_used, memory_order_acquire);

	for (uint32_t i = 0; i < records; i++) {
		struct alchemy_object *record = record_at(i);

		if (record && atomic_load_explicit(&record->handle, memory_order_acquire) &&
		    record->type == (uint32_t)type)
			visit(record);
	}
}
