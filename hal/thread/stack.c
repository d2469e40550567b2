/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks. They come from slabs: one mapping that holds many stacks of one size class, each with its
 * guard below it while mappings are plentiful (a guard costs two of vm.max_map_count), with a
 * canary at its base beyond that. Memory is populated and locked before it is handed out, and is
 * given back only by hal_stop(): a put stack waits in its class's lock-free list, from which any
 * context may take it.
 */
#define _GNU_SOURCE
#include "thread.h"

#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "arch/context.h"
#include "arch/self.h"
#include "base/error.h"

#define PAGE           4096u
#define GUARD_BYTES    PAGE
#define STACK_MAX      (1ull << 30)
#define SLABS_MAX      8192u
#define SLAB_BYTES_MAX (4ull << 20) /* a slab grows with its class up to this */
#define CANARY_WORDS   8u
#define CANARY_VALUE   0x7461637475732121ull
#define CLASS_STEPS    8u /* classes to a doubling */
#define CLASSES        (CLASS_STEPS * 20u)
#define ADDRESS_BITS   35 /* a page's number in user space; the rest of the word counts */
#define ADDRESS_MASK   ((1ull << ADDRESS_BITS) - 1)

struct slab {
	uintptr_t begin; /* of the mapping */
	size_t bytes;
	size_t stride; /* a stack with its guard */
	bool guarded;
};

static struct slab slabs[SLABS_MAX]; /* the first slab_count are constant */
static _Atomic uint32_t slab_count;
static pthread_mutex_t grow_lock = PTHREAD_MUTEX_INITIALIZER;
static size_t class_made[CLASSES];
static size_t guards, guards_max;
static bool lock_stacks;

/*
 * Free stacks of a class: the page number of the first, and a count that makes a compare fail when
 * the same stack went out and came back (ABA). The link is in the stack's highest word. A stack
 * that is taken meanwhile may overwrite it: what was read then is not used, since the compare
 * fails.
 */
static _Atomic uint64_t free_stacks[CLASSES];
static _Atomic uint32_t taken; /* stacks that are in use */

size_t hal_stack_minimum(void)
{
	size_t frame = getauxval(AT_MINSIGSTKSZ);

	if (frame < 2048)
		frame = 2048; /* what kernels before 5.14 promise */
	return (frame * 2 + PAGE + PAGE - 1) & ~(size_t)(PAGE - 1);
}

/* The class whose stacks hold this much, and their size: eight steps to a doubling, whole pages. */
static unsigned class_of(size_t bytes, size_t *class_bytes)
{
	size_t pages = (bytes + PAGE - 1) / PAGE;
	unsigned doubling, step;
	size_t unit;

	if (pages <= CLASS_STEPS) {
		*class_bytes = pages * PAGE;
		return (unsigned)pages - 1;
	}
	doubling = 63 - (unsigned)__builtin_clzl(pages - 1);
	unit = ((size_t)1 << doubling) / CLASS_STEPS;
	step = (unsigned)((pages - ((size_t)1 << doubling) + unit - 1) / unit);
	*class_bytes = (((size_t)1 << doubling) + step * unit) * PAGE;
	return (doubling - 3) * CLASS_STEPS + step + CLASS_STEPS - 1;
}

static uint64_t *link_of(uintptr_t base, size_t class_bytes)
{
	return (uint64_t *)(base + class_bytes) - 1;
}

static void push(unsigned class, uintptr_t base, size_t class_bytes)
{
	uint64_t head = atomic_load_explicit(&free_stacks[class], memory_order_relaxed);
	uint64_t next;

	do {
		__atomic_store_n(link_of(base, class_bytes), head & ADDRESS_MASK, __ATOMIC_RELAXED);
		next = base / PAGE | ((head & ~ADDRESS_MASK) + ADDRESS_MASK + 1);
	} while (!atomic_compare_exchange_weak_explicit(
		&free_stacks[class], &head, next, memory_order_release, memory_order_relaxed));
}

static uintptr_t pop(unsigned class, size_t class_bytes)
{
	uint64_t head = atomic_load_explicit(&free_stacks[class], memory_order_acquire);
	uint64_t next;
	uintptr_t base;

	do {
		base = (head & ADDRESS_MASK) * PAGE;
		if (!base)
			return 0;
		next = __atomic_load_n(link_of(base, class_bytes), __ATOMIC_RELAXED) & ADDRESS_MASK;
		next |= (head & ~ADDRESS_MASK) + ADDRESS_MASK + 1;
	} while (!atomic_compare_exchange_weak_explicit(
		&free_stacks[class], &head, next, memory_order_acquire, memory_order_acquire));
	*link_of(base, class_bytes) = 0;
	return base;
}

static void canary_set(uintptr_t base)
{
	for (size_t i = 0; i < CANARY_WORDS; i++)
		((uint64_t *)base)[i] = CANARY_VALUE;
}

/* Caller holds grow_lock. */
static int grow(unsigned class, size_t class_bytes)
{
	uint32_t index = atomic_load_explicit(&slab_count, memory_order_relaxed);
	struct slab *slab = &slabs[index];
	size_t count = class_made[class] / 2;
	char *memory;

	if (index == SLABS_MAX)
		return -TACT_ENOMEM;
	if (count > SLAB_BYTES_MAX / class_bytes)
		count = SLAB_BYTES_MAX / class_bytes;
	if (!count)
		count = 1;
	slab->guarded = guards + count <= guards_max;
	slab->stride = class_bytes + (slab->guarded ? GUARD_BYTES : 0);
	slab->bytes = slab->stride * count + (slab->guarded ? 0 : GUARD_BYTES);
	memory =
		mmap(NULL, slab->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -TACT_ENOMEM;
	slab->begin = (uintptr_t)memory;
	/* Guards first: nothing is populated where they are. */
	for (size_t i = 0; i < (slab->guarded ? count : 1); i++)
		if (mprotect(memory + i * slab->stride, GUARD_BYTES, PROT_NONE)) {
			munmap(memory, slab->bytes);
			return -TACT_ENOMEM;
		}
	madvise(memory, slab->bytes, MADV_DONTFORK);
	for (size_t i = 0; i < count; i++) {
		char *base = memory + GUARD_BYTES + i * slab->stride;

		if (lock_stacks && slab->guarded)
			thread_memory_lock(base, class_bytes);
		else if (lock_stacks && !i)
			thread_memory_lock(base, class_bytes * count);
		/* One store a page populates it, locked or not. */
		for (size_t at = 0; at < class_bytes; at += PAGE)
			*(volatile char *)(base + at) = 0;
		if (!slab->guarded)
			canary_set((uintptr_t)base);
	}
	guards += slab->guarded ? count : 1;
	class_made[class] += count;
	atomic_store_explicit(&slab_count, index + 1, memory_order_release);
	for (size_t i = count; i-- > 0;)
		push(class, slab->begin + GUARD_BYTES + i * slab->stride, class_bytes);
	return 0;
}

static const struct slab *slab_of(uintptr_t address)
{
	uint32_t count = atomic_load_explicit(&slab_count, memory_order_acquire);

	for (uint32_t i = 0; i < count; i++)
		if (address - slabs[i].begin < slabs[i].bytes)
			return &slabs[i];
	return NULL;
}

int hal_stack_get(size_t bytes, struct hal_stack *stack)
{
	const struct hal_self *self = hal_arch_self();
	size_t class_bytes;
	unsigned class;
	uintptr_t base;
	int error = 0;

	if (bytes < hal_stack_minimum() || bytes > STACK_MAX)
		return -TACT_EINVAL;
	class = class_of(bytes, &class_bytes);
	while (!(base = pop(class, class_bytes))) {
		if (self && self->kind == HAL_SELF_CPU)
			return -TACT_ENOMEM;
		pthread_mutex_lock(&grow_lock);
		/* Somebody else may have made some while we waited. */
		if (!(atomic_load(&free_stacks[class]) & ADDRESS_MASK))
			error = grow(class, class_bytes);
		pthread_mutex_unlock(&grow_lock);
		if (error)
			return error;
	}
	stack->base = (void *)base;
	stack->bytes = class_bytes;
	stack->guarded = slab_of(base)->guarded;
	atomic_fetch_add_explicit(&taken, 1, memory_order_relaxed);
	return 0;
}

static bool page_is_zero(const uint64_t *page)
{
	for (size_t i = 0; i < PAGE / 8; i++)
		if (page[i])
			return false;
	return true;
}

/*
 * The next user finds zeros, so that its own use can be told. From the top down to the first page
 * that was not touched: the cost follows the use and not the size. A frame that skipped a page
 * leaves dirt that counts as use later: too much is told then, never too little.
 */
void hal_stack_put(const struct hal_stack *stack)
{
	uintptr_t base = (uintptr_t)stack->base;
	uintptr_t page = base + stack->bytes;
	size_t class_bytes;
	unsigned class = class_of(stack->bytes, &class_bytes);

	hal_arch_stack_clean(stack->base, stack->bytes);
	while (page > base && !page_is_zero((uint64_t *)(page - PAGE))) {
		page -= PAGE;
		memset((void *)page, 0, PAGE);
	}
	if (!stack->guarded)
		canary_set(base);
	push(class, base, class_bytes);
	atomic_fetch_sub_explicit(&taken, 1, memory_order_release);
}

bool hal_stack_overrun(const struct hal_stack *stack, uintptr_t address)
{
	uintptr_t base = (uintptr_t)stack->base;

	if (stack->guarded)
		return address - (base - GUARD_BYTES) < GUARD_BYTES;
	for (size_t i = 0; i < CANARY_WORDS; i++)
		if (((uint64_t *)base)[i] != CANARY_VALUE)
			return true;
	return false;
}

size_t hal_stack_used(const struct hal_stack *stack)
{
	const uint64_t *word = stack->base;
	const uint64_t *end = word + stack->bytes / 8;

	if (!stack->guarded)
		word += CANARY_WORDS;
	while (word < end && !*word)
		word++;
	return (size_t)(end - word) * 8;
}

bool thread_stacks_guard(uintptr_t address)
{
	const struct slab *slab = slab_of(address);
	size_t offset;

	if (!slab)
		return false;
	offset = address - slab->begin;
	return slab->guarded ? offset % slab->stride < GUARD_BYTES : offset < GUARD_BYTES;
}

/* Under the caller's feet, if it runs on one of ours; else nothing is done. */
void thread_stacks_inherit(bool inherited)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	const struct slab *slab = slab_of(here);
	uintptr_t begin;

	if (!slab)
		return;
	/* An unguarded slab has its one guard first. */
	begin = slab->begin + (slab->guarded ? 0 : GUARD_BYTES);
	begin += (here - begin) / slab->stride * slab->stride;
	madvise((void *)begin, slab->stride, inherited ? MADV_DOFORK : MADV_DONTFORK);
}

void thread_stacks_start(bool lock)
{
	FILE *file = fopen("/proc/sys/vm/max_map_count", "re");
	unsigned long mappings = 65530;

	if (file) {
		if (fscanf(file, "%lu", &mappings) != 1)
			mappings = 65530;
		fclose(file);
	}
	/* Half of them for the rest of the program; two for each guard. */
	guards_max = mappings / 4;
	lock_stacks = lock;
}

/* No real-time CPU runs on a stack of ours any more; a task that is in Linux may, and its stack
 * stays, with all others, for the next start. */
void thread_stacks_stop(void)
{
	uint32_t count = atomic_load_explicit(&slab_count, memory_order_acquire);

	if (atomic_load_explicit(&taken, memory_order_acquire))
		return;
	for (unsigned class = 0; class < CLASSES; class ++) {
		atomic_store_explicit(&free_stacks[class], 0, memory_order_relaxed);
		class_made[class] = 0;
	}
	atomic_store_explicit(&slab_count, 0, memory_order_release);
	for (uint32_t i = 0; i < count; i++)
		munmap((void *)slabs[i].begin, slabs[i].bytes);
	guards = 0;
}
