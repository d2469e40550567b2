/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The slots of waiters, by address. Lock-free. Each bucket has a chain of blocks, and no table that
 * grows (base/growing.h): 256 tables would need a page of pointers each for the rare second block.
 */
#define _GNU_SOURCE
#include "posix/park/slots.h"

#include <sys/mman.h>

struct posix_wait_block posix_wait_buckets[POSIX_WAIT_BUCKETS];
_Atomic uint64_t posix_wait_stamps;
_Atomic uint32_t posix_waiting[POSIX_WAIT_BUCKETS];

void posix_slots_forget(void)
{
	for (uint32_t i = 0; i < POSIX_WAIT_BUCKETS; i++) {
		for (struct posix_wait_block *block = &posix_wait_buckets[i]; block;
		     block = block->next)
			for (uint32_t slot = 0; slot < POSIX_WAIT_SLOTS; slot++)
				if (atomic_load_explicit(&block->slots[slot], memory_order_relaxed))
					atomic_store_explicit(&block->slots[slot], 0,
							      memory_order_relaxed);
		atomic_store_explicit(&posix_waiting[i], 0, memory_order_relaxed);
	}
}

/* If another thread adds a block at the same time, that block is used. */
static struct posix_wait_block *add_block(struct posix_wait_block *last)
{
	struct posix_wait_block *none = NULL;
	struct posix_wait_block *block = mmap(NULL, sizeof(*block), PROT_READ | PROT_WRITE,
					      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (block == MAP_FAILED)
		return NULL;
	if (atomic_compare_exchange_strong(&last->next, &none, block))
		return block;
	munmap(block, sizeof(*block));
	return none;
}

void posix_wait_reserve_slot(uintptr_t address)
{
	struct posix_wait_block *block = posix_wait_blocks(address);

	while (block) {
		struct posix_wait_block *next;

		for (uint32_t i = 0; i < POSIX_WAIT_SLOTS; i++)
			if (!atomic_load_explicit(&block->slots[i], memory_order_relaxed))
				return;
		next = atomic_load_explicit(&block->next, memory_order_acquire);
		block = next ? next : add_block(block);
	}
}

_Atomic uint64_t *posix_wait_enter(uintptr_t address, uint64_t value)
{
	struct posix_wait_block *block = posix_wait_blocks(address);

	for (;;) {
		struct posix_wait_block *next;

		for (uint32_t i = 0; i < POSIX_WAIT_SLOTS; i++) {
			uint64_t empty = 0;

			if (!atomic_load_explicit(&block->slots[i], memory_order_relaxed) &&
			    atomic_compare_exchange_strong(&block->slots[i], &empty, value))
				return &block->slots[i];
		}
		next = atomic_load_explicit(&block->next, memory_order_acquire);
		if (!next)
			next = add_block(block);
		if (!next)
			return NULL;
		block = next;
	}
}
