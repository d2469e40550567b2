/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handle table of one CPU: lookup, entry and removal in constant time, growing included. Each start
 * of the nucleus begins with another generation, so that a handle from an earlier start does not
 * lead to an object of this one.
 */
#include "kernel/handle_table.h"

#include "kernel/lifecycle.h"

_Static_assert(NUC_HANDLE_REST *(NUC_HANDLE_GENERATIONS - 1) > NUC_HANDLE_APART,
	       "one handle's two uses are that far apart");

static void rest(struct nuc_handle_table *table, uint32_t index)
{
	nuc_handle_entry(table, index)->next_free = 0;
	if (table->resting++)
		nuc_handle_entry(table, table->resting_last)->next_free = index;
	else
		table->resting_first = index;
	table->resting_last = index;
}

static struct nuc_handle_entry *reuse(struct nuc_handle_table *table, uint32_t *index)
{
	struct nuc_handle_entry *entry = nuc_handle_entry(table, table->resting_first);

	*index = table->resting_first;
	table->resting_first = entry->next_free;
	table->resting--;
	return entry;
}

/* Take an index that was never used; NULL: no memory. A chunk is read only up to the last index in
 * use, so a new chunk need not be cleared. */
static struct nuc_handle_entry *extend(struct nuc_cpu *cpu, uint32_t *index)
{
	struct nuc_handle_table *table = &cpu->handles;
	struct nuc_handle_entry *entry;

	if (table->known / NUC_HANDLE_CHUNK == table->chunks) {
		struct nuc_handle_entry *chunk =
			nuc_pool_get_raw(cpu, NUC_HANDLE_CHUNK * sizeof(*chunk));

		if (!chunk)
			return NULL;
		table->chunk[table->chunks++] = chunk;
	}
	*index = table->known++;
	entry = nuc_handle_entry(table, *index);
	entry->object = NULL;
	entry->generation = (uint16_t)table->first_generation;
	entry->all_used = 0;
	return entry;
}

int nuc_handle_table_init(struct nuc_cpu *cpu, struct nuc_object *self)
{
	struct nuc_handle_table *table = &cpu->handles;
	uint32_t life = atomic_load_explicit(&nuc_life, memory_order_relaxed);
	struct nuc_handle_entry *entry;
	uint32_t index;

	__builtin_memset(table, 0, sizeof(*table));
	table->first_generation = life % NUC_HANDLE_GENERATIONS + 1;
	entry = extend(cpu, &index);
	if (!entry)
		return -TACT_ENOMEM;
	/* The CPU itself has the same handle after each start. */
	entry->generation = 1;
	entry->object = self;
	self->handle = nuc_handle_of_cpu(cpu->hal.index);
	self->type = NUC_TYPE_CPU;
	return 0;
}

int nuc_handle_enter(struct nuc_cpu *cpu, struct nuc_object *object)
{
	struct nuc_handle_table *table = &cpu->handles;
	struct nuc_handle_entry *entry;
	uint32_t index;

	if (table->resting >= NUC_HANDLE_REST) {
		entry = reuse(table, &index);
	} else if (table->known <= NUC_HANDLE_INDEX_MAX) {
		entry = extend(cpu, &index);
	} else {
		__atomic_store_n(&table->spent, 1, __ATOMIC_RELAXED);
		return -TACT_ENOMEM;
	}
	if (!entry)
		return -TACT_ENOMEM;
	__atomic_store_n(&table->spent, 0, __ATOMIC_RELAXED);
	entry->object = object;
	object->handle =
		cpu->hal.index << 26 | (uint32_t)entry->generation << NUC_HANDLE_INDEX_BITS | index;
	table->used++;
	return 0;
}

void nuc_handle_remove(struct nuc_cpu *cpu, struct nuc_object *object)
{
	uint32_t index = nuc_handle_index(object->handle);
	struct nuc_handle_entry *entry = nuc_handle_entry(&cpu->handles, index);

	nuc_assert(entry->object == object);
	entry->object = NULL;
	entry->generation = (uint16_t)(entry->generation % NUC_HANDLE_GENERATIONS + 1);
	if (entry->generation == cpu->handles.first_generation)
		entry->all_used = 1;
	rest(&cpu->handles, index);
	cpu->handles.used--;
}

int nuc_handle_error(const struct nuc_cpu *cpu, uint32_t handle)
{
	uint32_t index = nuc_handle_index(handle);
	uint32_t generation = nuc_handle_generation(handle);
	const struct nuc_handle_entry *entry;

	if (handle >> 31 || !generation || nuc_handle_cpu(handle) != cpu->hal.index ||
	    index / NUC_HANDLE_CHUNK >= cpu->handles.chunks)
		return -TACT_EBADF;
	/* An index that no object has had since this start. */
	if (index >= cpu->handles.known)
		return generation == cpu->handles.first_generation ? -TACT_EBADF : -TACT_EIDRM;
	entry = nuc_handle_entry(&cpu->handles, index);
	/* A generation that was not used yet. */
	if (!entry->object && entry->generation == generation && !entry->all_used)
		return -TACT_EBADF;
	return -TACT_EIDRM;
}
