/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random allocation and freeing over three regions: blocks keep their contents, alignment and size,
 * the heap's own check passes, and at the end all memory is one block a region again.
 */
#include "base/heap.h"
#include "check.h"

#define SLOTS 300
#define STEPS 60000

static _Alignas(16) unsigned char memory[3][100000];

struct slot {
	unsigned char *bytes;
	size_t size;
	unsigned char mark;
};

static struct slot slots[SLOTS];

static void allocate(struct base_heap *heap, struct slot *slot, uint64_t *random)
{
	size_t alignment = random_below(random, 4) ? 16 : (size_t)1 << random_below(random, 13);
	uint32_t kind = random_below(random, 20);
	size_t size = 1 + random_below(random, kind ? (kind < 15 ? 200 : 2000) : 20000);

	slot->bytes = alignment == 16 ? base_heap_alloc(heap, size)
				      : base_heap_alloc_aligned(heap, alignment, size);
	if (!slot->bytes)
		return;
	slot->size = size;
	slot->mark = (unsigned char)next_random(random);
	expect("aligned", 0, (int64_t)((uintptr_t)slot->bytes % alignment));
	expect("aligned to 16", 0, (int64_t)((uintptr_t)slot->bytes % 16));
	expect("large enough", true, base_heap_size_of(heap, slot->bytes) >= size);
	memset(slot->bytes, slot->mark, base_heap_size_of(heap, slot->bytes));
}

static void release(struct base_heap *heap, struct slot *slot)
{
	size_t size = base_heap_size_of(heap, slot->bytes);

	for (size_t i = 0; i < size; i++)
		expect("contents", slot->mark, slot->bytes[i]);
	expect("free", 0, base_heap_free(heap, slot->bytes));
	slot->bytes = NULL;
}

static void check_info(const struct base_heap *heap)
{
	struct base_heap_info info;
	uint32_t blocks = 0;
	size_t used = 0;

	for (unsigned i = 0; i < SLOTS; i++) {
		if (!slots[i].bytes)
			continue;
		blocks++;
		used += base_heap_size_of(heap, slots[i].bytes) + BASE_HEAP_OVERHEAD_BYTES;
	}
	base_heap_info(heap, &info);
	expect("used blocks", blocks, info.used_blocks);
	expect("used bytes", (int64_t)used, (int64_t)info.used_bytes);
	expect("peak", true, info.peak_bytes >= used && info.peak_bytes <= info.total_bytes);
	expect("check", true, base_heap_check(heap));
}

static void largest_block_can_be_had(struct base_heap *heap)
{
	struct base_heap_info info;
	void *block;

	base_heap_info(heap, &info);
	if (!info.largest_free_bytes)
		return;
	block = base_heap_alloc(heap, info.largest_free_bytes);
	expect("largest free block", true, block != NULL);
	expect("free", 0, base_heap_free(heap, block));
}

static void run(uint64_t seed)
{
	uint64_t random = seed;
	struct base_heap heap;
	struct base_heap_info info;

	base_heap_init(&heap);
	expect("region", 0, base_heap_add_region(&heap, memory[1], sizeof(memory[1])));
	expect("region below", 0, base_heap_add_region(&heap, memory[0] + 3, 50001));
	expect("region above", 0, base_heap_add_region(&heap, memory[2] + 1, 70000));
	for (int step = 0; step < STEPS; step++) {
		struct slot *slot = &slots[random_below(&random, SLOTS)];

		if (!slot->bytes && random_below(&random, 100) < (step / 5000 % 2 ? 20u : 90u))
			allocate(&heap, slot, &random);
		else if (slot->bytes)
			release(&heap, slot);
		if (step % 32 == 0) {
			check_info(&heap);
			largest_block_can_be_had(&heap);
		}
	}
	for (unsigned i = 0; i < SLOTS; i++)
		if (slots[i].bytes)
			release(&heap, &slots[i]);
	check_info(&heap);
	base_heap_info(&heap, &info);
	expect("one free block a region", 3, info.free_blocks);
}

int main(void)
{
	run(1);
	run(2);
	run(3);
	return 0;
}
