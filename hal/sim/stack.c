/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks and memory. Stacks are mapped on first use with a guard below, kept for reuse when put
 * back, and zeroed when taken, so that the deepest byte ever used can be found. A guard costs the
 * kernel a mapping of its own, and the number of mappings is limited (vm.max_map_count, 65530 by
 * default). So stacks beyond GUARDED_MAX have a canary at their base instead. Pages are not
 * populated: a page fault takes no virtual time, and 100 000 stacks must not need all their memory.
 */
#define _GNU_SOURCE
#include "stack.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define RUNNING_ON_VALGRIND                   0
#define VALGRIND_STACK_REGISTER(low, high)    ((void)0)
#define VALGRIND_MAKE_MEM_DEFINED(low, bytes) ((void)0)
#endif

#include "arch/context.h"
#include "base/error.h"
#include "state.h"

#define STACK_BYTES_MAX      (1ull << 30)
#define GUARD_BYTES          16384u
#define GUARDED_MAX          16384u
#define GUARDED_MAX_VALGRIND 1024u /* Valgrind's own table of mappings is smaller */
#define CANARY               0x7ac70057ac70057aull
#define EXACT_PAGES          256u /* sizes up to here are whole pages, above powers of two */
#define BUCKETS              (EXACT_PAGES + 32u)

/* In the highest bytes of a free stack. */
struct free_stack {
	struct free_stack *next;
	struct hal_stack stack;
};

static struct {
	struct free_stack *free[BUCKETS]; /* all of one size in each */
	unsigned guarded;
} pool;

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* The size that a request gets: each bucket holds one size, so taking a stack is O(1). */
static size_t rounded(size_t bytes)
{
	size_t pages = (bytes + page_bytes() - 1) / page_bytes();

	if (pages > EXACT_PAGES)
		pages = (size_t)1 << (64 - __builtin_clzll(pages - 1));
	return pages * page_bytes();
}

static unsigned bucket(size_t bytes)
{
	size_t pages = bytes / page_bytes();

	if (pages <= EXACT_PAGES)
		return (unsigned)pages;
	return EXACT_PAGES + (unsigned)__builtin_ctzll(pages);
}

size_t hal_stack_minimum(void)
{
	return hal_arch_stack_minimum();
}

/* The lowest page that was ever touched; mincore() finds it without touching any. */
static char *lowest_used(const struct hal_stack *stack)
{
	unsigned char resident[256];
	size_t page = page_bytes();
	size_t pages = stack->bytes / page;

	for (size_t first = stack->guarded ? 0 : 1; first < pages; first += sizeof(resident)) {
		size_t count = pages - first < sizeof(resident) ? pages - first : sizeof(resident);
		char *at = (char *)stack->base + first * page;

		if (mincore(at, count * page, resident))
			return (char *)stack->base;
		for (size_t i = 0; i < count; i++) {
			if (resident[i] & 1)
				return at + i * page;
		}
	}
	return (char *)stack->base + stack->bytes;
}

/* Clear what the last user left, so that the use by the next one can be measured. */
static void clear(const struct hal_stack *stack)
{
	char *low = lowest_used(stack);
	char *top = (char *)stack->base + stack->bytes;

	/* Memcheck takes memory below a stack pointer for undefined. */
	VALGRIND_MAKE_MEM_DEFINED(low, top - low);
	memset(low, 0, (size_t)(top - low));
	if (!stack->guarded && low != stack->base)
		memset(stack->base, 0, page_bytes());
}

static bool take_free(size_t bytes, struct hal_stack *stack)
{
	struct free_stack **head = &pool.free[bucket(bytes)];
	struct free_stack *found = *head;

	if (!found)
		return false;
	*head = found->next;
	*stack = found->stack;
	clear(stack);
	return true;
}

static bool map(size_t bytes, struct hal_stack *stack)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	char *low;

	if (pool.guarded < (RUNNING_ON_VALGRIND ? GUARDED_MAX_VALGRIND : GUARDED_MAX)) {
		low = mmap(NULL, GUARD_BYTES + bytes, PROT_NONE, flags, -1, 0);
		if (low != MAP_FAILED) {
			if (!mprotect(low + GUARD_BYTES, bytes, PROT_READ | PROT_WRITE)) {
				*stack = (struct hal_stack){low + GUARD_BYTES, bytes, true};
				pool.guarded++;
				return true;
			}
			munmap(low, GUARD_BYTES + bytes);
		}
	}
	low = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (low == MAP_FAILED)
		return false;
	*stack = (struct hal_stack){low, bytes, false};
	return true;
}

static int get(size_t bytes, bool may_map, struct hal_stack *stack)
{
	if (bytes < hal_stack_minimum() || bytes > STACK_BYTES_MAX)
		return -TACT_EINVAL;
	bytes = rounded(bytes);
	if (!take_free(bytes, stack)) {
		if (!may_map || !map(bytes, stack))
			return -TACT_ENOMEM;
		if (RUNNING_ON_VALGRIND)
			VALGRIND_STACK_REGISTER(stack->base, (char *)stack->base + bytes);
	}
	if (!stack->guarded)
		*(volatile uint64_t *)stack->base = CANARY;
	return 0;
}

int sim_stack_map(size_t bytes, struct hal_stack *stack)
{
	return get(bytes, true, stack);
}

/* The rule for real-time CPUs holds here, too, so that programs fail in virtual time first. */
int hal_stack_get(size_t bytes, struct hal_stack *stack)
{
	return get(bytes, sim_foreign() || !sim_engine.current->cpu, stack);
}

__attribute__((no_sanitize("address"))) size_t hal_stack_used(const struct hal_stack *stack)
{
	const char *top = (const char *)stack->base + stack->bytes;
	const char *low = lowest_used(stack);

	while (low < top && *(const uint64_t *)low == 0)
		low += sizeof(uint64_t);
	return (size_t)(top - low);
}

void hal_stack_put(const struct hal_stack *stack)
{
	struct hal_stack kept = *stack;
	struct free_stack *node = (struct free_stack *)((char *)kept.base + kept.bytes) - 1;

	hal_arch_stack_clean(kept.base, kept.bytes);
	VALGRIND_MAKE_MEM_DEFINED(node, sizeof(*node));
	node->stack = kept;
	node->next = pool.free[bucket(kept.bytes)];
	pool.free[bucket(kept.bytes)] = node;
}

void sim_stack_release_pool(void)
{
	/* Valgrind would take a later mapping at the same place for a registered stack. */
	if (RUNNING_ON_VALGRIND)
		return;
	for (unsigned i = 0; i < BUCKETS; i++) {
		while (pool.free[i]) {
			struct hal_stack stack = pool.free[i]->stack;
			size_t guard = stack.guarded ? GUARD_BYTES : 0;

			pool.free[i] = pool.free[i]->next;
			pool.guarded -= stack.guarded;
			munmap((char *)stack.base - guard, stack.bytes + guard);
		}
	}
}

bool sim_stack_in_guard(const void *base, uintptr_t address)
{
	return base && address < (uintptr_t)base && address >= (uintptr_t)base - GUARD_BYTES;
}

bool hal_stack_overrun(const struct hal_stack *stack, uintptr_t address)
{
	if (stack->guarded)
		return sim_stack_in_guard(stack->base, address);
	return *(const volatile uint64_t *)stack->base != CANARY;
}

void *hal_memory_get(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	madvise(memory, bytes, MADV_DONTFORK);
	return memory;
}

void hal_memory_put(void *memory, size_t bytes)
{
	munmap(memory, bytes);
}
