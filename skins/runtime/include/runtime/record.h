/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records: what a skin knows of an object behind the number that programs have of it, its id. Each
 * skin has one table of records.
 *
 * An id is the place of the record in the table and a generation, by which the id of a deleted
 * object is recognised. Records are never given back to Linux, so a stale id reads memory that is
 * still a record. A record names the object of the nucleus that does the work.
 *
 * Creation: runtime_reserve(), make the native object, runtime_publish(); runtime_drop() undoes a
 * reservation. Deletion: runtime_take(), which succeeds for one caller; delete the native object;
 * runtime_drop(). Most objects are made and deleted by runtime_create() and runtime_delete()
 * (life.h).
 *
 * There is no lock: a record is reserved by one exchange of its `taken`, and an id is valid from
 * one store to one exchange of the record's `id`. A record's name and type change only while its id
 * is 0. Context of all calls, unless stated otherwise: any.
 */
#ifndef RUNTIME_RECORD_H
#define RUNTIME_RECORD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tactus/tact.h>

#include "base/growing.h"
#include "base/inbox.h"

#define RUNTIME_NAME_BYTES 32

/* A table has at most 65536 records. */
#define RUNTIME_INDEX_BITS 16u
#define RUNTIME_CHUNK_BITS 6u
#define RUNTIME_CHUNKS     (1u << (RUNTIME_INDEX_BITS - RUNTIME_CHUNK_BITS))

struct runtime_table;

struct runtime_record {
	_Alignas(16) _Atomic uint64_t id; /* 0: reserved or free */
	_Atomic uint32_t taken;           /* 0: free */
	uint32_t generation;
	uint32_t type;                /* of the skin, from 1 on */
	_Atomic tact_object_t native; /* the nucleus's object that carries the name */
	const struct runtime_table *table;
	/* Called when the record is freed, to free what the object has in Linux: its name in a
	 * session, memory that other processes have mapped. NULL: it has nothing there. */
	void (*give_back)(struct runtime_record *record);
	struct base_inbox_node left;   /* until it is freed (deferred_free.h) */
	char name[RUNTIME_NAME_BYTES]; /* copied by memcpy(), as handlers have no stdio */
};

/* What a skin does for the runtime; each may be NULL. */
struct runtime_hooks {
	/* Make the name of a reserved record known elsewhere. name: as the program gave it. Returns
	 * 0, or what the service returns. */
	int (*announce)(struct runtime_record *record, const char *name);
	/* A record was published. */
	void (*published)(void);
	/* In a task (task.h): it is about to run its entry; and it is about to end, so that its
	 * mode switches are not the program's any more. */
	void (*task_begins)(struct runtime_record *record);
	void (*task_ends)(void);
};

/*
 * The table of a skin, which RUNTIME_TABLE() defines. The type of its records begins with a struct
 * runtime_record; what follows is the skin's (runtime_extra()), and zero in a record that was
 * reserved.
 */
struct runtime_table {
	const struct base_growing *records;
	void *_Atomic *chunk; /* of the records, here for runtime_find() */
	uint32_t record_bytes;
	_Atomic uint32_t *hint;       /* where to look for a free one first */
	uint32_t generations_max;     /* RUNTIME_INT_IDS, or UINT32_MAX for ids of 48 bits */
	const char *const *type_name; /* of each type, and something for type 0 (names.h) */
	_Atomic uint32_t *made_up;    /* how many names of each type were made up */
	uint32_t task_type;           /* of the records that are tasks (task.h); 0: none */
	const struct runtime_hooks *hooks;
};
/* Ids that are positive as an int. */
#define RUNTIME_INT_IDS 0x7fffu

#define RUNTIME_TABLE(NAME, TYPE, GENERATIONS, TYPE_NAMES, TASK_TYPE, HOOKS)                  \
	BASE_GROWING_KNOWN(NAME##_records, TYPE, RUNTIME_CHUNK_BITS, RUNTIME_CHUNKS);         \
	static _Atomic uint32_t NAME##_hint;                                                  \
	static _Atomic uint32_t NAME##_made_up[sizeof(TYPE_NAMES) / sizeof((TYPE_NAMES)[0])]; \
	const struct runtime_table NAME = {                                                   \
		.records = &NAME##_records,                                                   \
		.chunk = NAME##_records_chunk,                                                \
		.record_bytes = sizeof(TYPE),                                                 \
		.hint = &NAME##_hint,                                                         \
		.generations_max = (GENERATIONS),                                             \
		.type_name = (TYPE_NAMES),                                                    \
		.made_up = NAME##_made_up,                                                    \
		.task_type = (TASK_TYPE),                                                     \
		.hooks = (HOOKS),                                                             \
	}

/*
 * Declare a table for the sources of its skin, where services look up most ids: NAME_find(id,
 * type) and NAME_take(id, type) are runtime_find() and runtime_take() of this table, for which the
 * compiler knows the size of a record and where the first ones are.
 */
#define RUNTIME_TABLE_OF(NAME, TYPE)                                                             \
	extern const struct runtime_table NAME __attribute__((visibility("hidden")));            \
	BASE_GROWING_DECLARED(NAME##_records, TYPE, RUNTIME_CHUNK_BITS, RUNTIME_CHUNKS);         \
	static inline struct runtime_record *NAME##_find(uint64_t id, uint32_t type)             \
	{                                                                                        \
		return runtime_find_in(NAME##_records_first, NAME##_records_chunk, sizeof(TYPE), \
				       id, type);                                                \
	}                                                                                        \
	static inline struct runtime_record *NAME##_take(uint64_t id, uint32_t type)             \
	{                                                                                        \
		return runtime_take_found(NAME##_find(id, type), id);                            \
	}                                                                                        \
	_Static_assert(sizeof(TYPE) >= sizeof(struct runtime_record), "a record and what is more")

/* A record of the type with this name; NULL and "": a name is made up. Returns NULL if there is no
 * memory. */
struct runtime_record *runtime_reserve(const struct runtime_table *table, uint32_t type,
				       const char *name);
/* The id that a reserved record will have. Cost: O(records / 64). */
uint64_t runtime_id(const struct runtime_record *record);
/* From here on the id is valid. */
uint64_t runtime_show(struct runtime_record *record, tact_object_t native);
/* The same, and the skin is told. */
uint64_t runtime_publish(struct runtime_record *record, tact_object_t native);
/* Free the record: now, or soon if a task in primary mode would have to go to Linux for that
 * (deferred_free.h). */
void runtime_drop(struct runtime_record *record);
/* Free it now. Context: linux, if Linux has something of it. */
void runtime_free(struct runtime_record *record);

/* The record at the place of an id, whatever id it has now, among those of a list of chunks, whose
 * first one is given: most programs have no more objects. As base_growing_at(), for which the
 * compiler knows the size of a chunk, and that each place is within the list. NULL: there are
 * fewer. */
static inline struct runtime_record *runtime_place_in(void *first, void *_Atomic const *chunks,
						      size_t record_bytes, uint64_t id)
{
	uint32_t place = id & ((1u << RUNTIME_INDEX_BITS) - 1);
	unsigned char *chunk = first;

	if (__builtin_expect(place >> RUNTIME_CHUNK_BITS, 0)) {
		/* Acquire: pairs with the release of base_growing_add(), the chunk is zeroed
		 * there. */
		chunk = atomic_load_explicit(&chunks[place >> RUNTIME_CHUNK_BITS],
					     memory_order_acquire);
		if (!chunk)
			return NULL;
		place %= 1u << RUNTIME_CHUNK_BITS;
	}
	return (struct runtime_record *)(void *)(chunk + place * record_bytes);
}

static inline struct runtime_record *runtime_place(const struct runtime_table *table, uint64_t id)
{
	return runtime_place_in(table->chunk[0], table->chunk, table->record_bytes, id);
}

/* The record of an id in such a list. NULL: no object of this type has the id. */
static inline struct runtime_record *runtime_find_in(void *first, void *_Atomic const *chunks,
						     size_t record_bytes, uint64_t id,
						     uint32_t type)
{
	struct runtime_record *record = runtime_place_in(first, chunks, record_bytes, id);

	/* Acquire: pairs with the release of runtime_show(), the record is whole there. */
	if (__builtin_expect(!record || !id ||
				     atomic_load_explicit(&record->id, memory_order_acquire) !=
					     id ||
				     record->type != type,
			     0))
		return NULL;
	return record;
}

/* The record of an id; NULL: no object of this type has it. */
static inline struct runtime_record *runtime_find(const struct runtime_table *table, uint64_t id,
						  uint32_t type)
{
	return runtime_find_in(table->chunk[0], table->chunk, table->record_bytes, id, type);
}

/* The record belongs to the caller alone from here on: its id is stale. NULL: it was taken by
 * another caller, or record is NULL. */
static inline struct runtime_record *runtime_take_found(struct runtime_record *record, uint64_t id)
{
	return record && atomic_compare_exchange_strong_explicit(
				 &record->id, &id, 0, memory_order_acq_rel, memory_order_relaxed)
		       ? record
		       : NULL;
}

/* Find the record of an id and take it. */
static inline struct runtime_record *runtime_take(const struct runtime_table *table, uint64_t id,
						  uint32_t type)
{
	return runtime_take_found(runtime_find(table, id, type), id);
}

/* What follows a record; aligned to 16 bytes. */
static inline void *runtime_extra(struct runtime_record *record)
{
	return record + 1;
}

static inline tact_object_t runtime_native(const struct runtime_record *record)
{
	return atomic_load_explicit(&record->native, memory_order_relaxed);
}

/* The first published record of the type of which is_it is true; NULL: there is none. Cost:
 * O(records). */
struct runtime_record *runtime_search(const struct runtime_table *table, uint32_t type,
				      bool (*is_it)(struct runtime_record *record, void *arg),
				      void *arg);
/* The published record of a native object; NULL: there is none. Cost: O(records). */
struct runtime_record *runtime_find_native(const struct runtime_table *table, tact_object_t native,
					   uint32_t type);
/* The published record of the type with this name, the first of several; NULL: there is none.
 * Cost: O(records). */
struct runtime_record *runtime_find_name(const struct runtime_table *table, uint32_t type,
					 const char *name);
/* Call visit for each published record of the type. */
void runtime_each(const struct runtime_table *table, uint32_t type,
		  void (*visit)(struct runtime_record *record));

#endif
