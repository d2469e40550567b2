/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Foreign pointers, double frees, overwritten headers and overflowing sizes change nothing. */
#include "base/error.h"
#include "base/heap.h"
#include "check.h"

static _Alignas(4096) unsigned char memory[65536];
static struct base_heap heap;

static void refuses_regions(void)
{
	static unsigned char others[BASE_HEAP_REGIONS][256];

	base_heap_init(&heap);
	expect("alloc of nothing", true, base_heap_alloc(&heap, 1) == NULL);
	expect("free to nothing", -TACT_EINVAL, base_heap_free(&heap, memory));
	expect("NULL", -TACT_EINVAL, base_heap_add_region(&heap, NULL, 4096));
	expect("small", -TACT_EINVAL,
	       base_heap_add_region(&heap, memory, BASE_HEAP_REGION_MIN - 1));
	expect("wraps", -TACT_EINVAL, base_heap_add_region(&heap, memory, SIZE_MAX));
	expect("large", -TACT_EINVAL,
	       base_heap_add_region(&heap, memory, (size_t)BASE_HEAP_REGION_MAX + 1));
	expect("good", 0, base_heap_add_region(&heap, memory + 4096, 8192));
	expect("again", -TACT_EINVAL, base_heap_add_region(&heap, memory + 4096, 8192));
	expect("inside", -TACT_EINVAL, base_heap_add_region(&heap, memory + 8192, 128));
	expect("around", -TACT_EINVAL, base_heap_add_region(&heap, memory, sizeof(memory)));
	expect("over the end", -TACT_EINVAL, base_heap_add_region(&heap, memory + 12272, 256));
	expect("adjacent", 0, base_heap_add_region(&heap, memory + 12288, 256));
	for (unsigned i = 2; i < BASE_HEAP_REGIONS; i++)
		expect("more", 0, base_heap_add_region(&heap, others[i], sizeof(others[i])));
	expect("too many", -TACT_ENOSPC, base_heap_add_region(&heap, others[0], sizeof(others[0])));
	expect("check", true, base_heap_check(&heap));
}

static void refuses_sizes(void)
{
	struct base_heap_info info;

	base_heap_init(&heap);
	expect("region", 0, base_heap_add_region(&heap, memory, sizeof(memory)));
	base_heap_info(&heap, &info);
	expect("0 bytes", true, base_heap_alloc(&heap, 0) == NULL);
	for (unsigned shift = 16; shift < 64; shift++) {
		expect("too large", true, base_heap_alloc(&heap, (size_t)1 << shift) == NULL);
		for (size_t less = 1; less < 70; less += 17)
			if (shift > 17)
				expect("just below", true,
				       base_heap_alloc(&heap, ((size_t)1 << shift) - less) == NULL);
	}
	expect("largest size", true, base_heap_alloc(&heap, SIZE_MAX) == NULL);
	expect("alignment 0", true, base_heap_alloc_aligned(&heap, 0, 8) == NULL);
	expect("alignment 24", true, base_heap_alloc_aligned(&heap, 24, 8) == NULL);
	expect("alignment 2^63", true, base_heap_alloc_aligned(&heap, (size_t)1 << 63, 8) == NULL);
	expect("aligned, too large", true,
	       base_heap_alloc_aligned(&heap, 64, (size_t)BASE_HEAP_REGION_MAX - 100) == NULL);
	expect("one more than there is", true,
	       base_heap_alloc(&heap, info.largest_free_bytes + 1) == NULL);
	expect("all of it", true, base_heap_alloc(&heap, info.largest_free_bytes) != NULL);
	expect("nothing is left", true, base_heap_alloc(&heap, 1) == NULL);
	base_heap_info(&heap, &info);
	expect("largest free block of none", 0, (int64_t)info.largest_free_bytes);
	expect("check", true, base_heap_check(&heap));
}

static void refuses_pointers(void)
{
	static unsigned char foreign[64];
	unsigned char *a, *b, *c;

	base_heap_init(&heap);
	expect("region", 0, base_heap_add_region(&heap, memory, sizeof(memory)));
	a = base_heap_alloc(&heap, 100);
	b = base_heap_alloc(&heap, 100);
	c = base_heap_alloc(&heap, 100);
	memcpy(b + 16, b - 16, 16); /* inside b: what looks like a header */
	for (int shift = 1; shift < 100; shift++)
		expect("inside a block", -TACT_EINVAL, base_heap_free(&heap, b + shift));
	expect("foreign", -TACT_EINVAL, base_heap_free(&heap, foreign));
	expect("before the region", -TACT_EINVAL,
	       base_heap_free(&heap, (void *)((uintptr_t)memory - 16)));
	expect("first byte", -TACT_EINVAL, base_heap_free(&heap, memory));
	expect("end", -TACT_EINVAL, base_heap_free(&heap, memory + sizeof(memory)));
	expect("low address", -TACT_EINVAL, base_heap_free(&heap, (void *)(uintptr_t)8));
	expect("high address", -TACT_EINVAL, base_heap_free(&heap, (void *)~(uintptr_t)15));
	expect("size of a foreign one", 0, (int64_t)base_heap_size_of(&heap, foreign));
	expect("NULL", 0, base_heap_free(&heap, NULL));
	expect("free", 0, base_heap_free(&heap, b));
	expect("double free", -TACT_EINVAL, base_heap_free(&heap, b));
	expect("size of a freed one", 0, (int64_t)base_heap_size_of(&heap, b));
	expect("free a", 0, base_heap_free(&heap, a));
	expect("double free after merging", -TACT_EINVAL, base_heap_free(&heap, b));
	expect("free c", 0, base_heap_free(&heap, c));
	expect("check", true, base_heap_check(&heap));
}

static void notices_overwritten_headers(void)
{
	static const uint64_t junk[] = {0, 1, 16, 33, 48, 1 << 20, UINT64_MAX - 15};
	unsigned char *a, *b;

	base_heap_init(&heap);
	expect("region", 0, base_heap_add_region(&heap, memory, sizeof(memory)));
	a = base_heap_alloc(&heap, 96);
	b = base_heap_alloc(&heap, 96);
	for (unsigned word = 0; word < 2; word++) {
		uint64_t saved;

		memcpy(&saved, b - 16 + word * 8, 8);
		for (unsigned i = 0; i < sizeof(junk) / sizeof(junk[0]); i++) {
			memcpy(b - 16 + word * 8, &junk[i], 8); /* an overrun of a */
			expect("overwritten", -TACT_EFAULT, base_heap_free(&heap, b));
			expect("check notices it", false, base_heap_check(&heap));
		}
		memcpy(b - 16 + word * 8, &saved, 8);
	}
	expect("free a", 0, base_heap_free(&heap, a));
	expect("free b", 0, base_heap_free(&heap, b));
	expect("check", true, base_heap_check(&heap));
}

int main(void)
{
	refuses_regions();
	refuses_sizes();
	refuses_pointers();
	notices_overwritten_headers();
	return 0;
}
