/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handle table of one CPU: lookup, entry and removal in constant time. Freed indices are reused
 * oldest first, so that with n indices free a stale handle is recognised through 63 n later
 * creations. Each life of the nucleus begins with another generation, so that a handle of an
 * earlier one is not taken for an object of this one.
 */
#include "core/handle.h"

#include "core/call.h"
#include "core/cpu.h"
#include "core/start.h"

static struct nuc_handle_entry *entry_of(const struct nuc_handle_table *table, uint32_t index)
{
	return &table->chunk[index / NUC_HANDLE_CHUNK][index % NUC_HANDLE_CHUNK];
}

static void free_append(struct nuc_handle_table *table, uint32_t index)
{
	entry_of(table, index)->next_free = 0;
	if (table->free_last)
		entry_of(table, table->free_last)->next_free = index;
	else
		table->free_first = index;
	table->free_last = index;
}

static int grow(struct nuc_cpu *cpu)
{
	struct nuc_handle_table *table = &cpu->handles;
	uint32_t first = table->chunks * NUC_HANDLE_CHUNK;
	struct nuc_handle_entry *chunk;
	uint32_t life = atomic_load_explicit(&nuc_life, memory_order_relaxed);

	if (table->chunks == NUC_HANDLE_CHUNKS)
		return -TACT_ENOMEM;
	chunk = nuc_pool_get(cpu, NUC_HANDLE_CHUNK * sizeof(*chunk));
	if (!chunk)
		return -TACT_ENOMEM;
	table->chunk[table->chunks++] = chunk;
	for (uint32_t i = 0; i < NUC_HANDLE_CHUNK; i++) {
		/* The CPU itself is known by the same handle in each life. */
		chunk[i].generation = first + i ? life % NUC_HANDLE_GENERATIONS + 1 : 1;
		if (first + i)
			free_append(table, first + i);
	}
	return 0;
}

int nuc_handle_table_init(struct nuc_cpu *cpu, struct nuc_object *self)
{
	struct nuc_handle_table *table = &cpu->handles;
	int result;

	__builtin_memset(table, 0, sizeof(*table));
	result = grow(cpu);
	if (result)
		return result;
	entry_of(table, 0)->object = self;
	self->handle = nuc_handle_of_cpu(cpu->hal.index);
	self->type = NUC_TYPE_CPU;
	return 0;
}

int nuc_handle_enter(struct nuc_cpu *cpu, struct nuc_object *object)
{
	struct nuc_handle_table *table = &cpu->handles;
	struct nuc_handle_entry *entry;
	uint32_t index;
	int result;

	if (!table->free_first) {
		result = grow(cpu);
		if (result)
			return result;
	}
	index = table->free_first;
	entry = entry_of(table, index);
	table->free_first = entry->next_free;
	if (!table->free_first)
		table->free_last = 0;
	entry->object = object;
	object->handle = cpu->hal.index << 26 | entry->generation << NUC_HANDLE_INDEX_BITS | index;
	table->used++;
	return 0;
}

void nuc_handle_remove(struct nuc_cpu *cpu, struct nuc_object *object)
{
	uint32_t index = nuc_handle_index(object->handle);
	struct nuc_handle_entry *entry = entry_of(&cpu->handles, index);

	nuc_assert(entry->object == object);
	entry->object = NULL;
	entry->generation = entry->generation % NUC_HANDLE_GENERATIONS + 1;
	free_append(&cpu->handles, index);
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
	entry = entry_of(&cpu->handles, index);
	/* An index that was never used, and its first generation not handed out yet. */
	if (!entry->object && entry->generation == generation)
		return -TACT_EBADF;
	return -TACT_EIDRM;
}
