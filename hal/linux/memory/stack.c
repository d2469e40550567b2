/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks in size classes. A stack that was put back waits in the lock-free list of its class, from
 * which any context may take it. If the list is empty, a Linux thread makes another slab (slab.c).
 */
#define _GNU_SOURCE

#include "memory/stack.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "arch/context.h"
#include "arch/self.h"
#include "base/error.h"
#include "hal/hal.h"
#include "memory/slab.h"

#define STACK_MAX    (1ull << 30)
#define CLASS_STEPS  8u /* classes to a doubling */
#define CLASSES      (CLASS_STEPS * 20u)
#define ADDRESS_BITS 35 /* a page's number in user space; the rest of the word counts */
#define ADDRESS_MASK ((1ull << ADDRESS_BITS) - 1)

static pthread_mutex_t grow_lock = PTHREAD_MUTEX_INITIALIZER;
static size_t class_made[SLAB_KINDS][CLASSES];
/*
 * Free stacks of a class: the page number of the first one, and a count that makes a compare fail
 * when the same stack was taken and put back (ABA). The link is in the highest word of the stack. A
 * thread that takes the stack meanwhile may overwrite it, but then the value that was read is not
 * used, because the compare fails.
 */
static _Atomic uint64_t free_stacks[SLAB_KINDS][CLASSES];
static _Atomic uint32_t taken; /* stacks that are in use */

size_t hal_stack_minimum(void)
{
	return hal_arch_stack_minimum();
}

/* The class whose stacks hold this much, and their size. Eight classes to a doubling; whole
 * pages. */
static unsigned class_of(size_t bytes, size_t *class_bytes)
{
	size_t pages = (bytes + SLAB_PAGE - 1) / SLAB_PAGE;
	unsigned doubling, step;
	size_t unit;

	if (pages <= CLASS_STEPS) {
		*class_bytes = pages * SLAB_PAGE;
		return (unsigned)pages - 1;
	}
	doubling = 63 - (unsigned)__builtin_clzl(pages - 1);
	unit = ((size_t)1 << doubling) / CLASS_STEPS;
	step = (unsigned)((pages - ((size_t)1 << doubling) + unit - 1) / unit);
	*class_bytes = (((size_t)1 << doubling) + step * unit) * SLAB_PAGE;
	return (doubling - 3) * CLASS_STEPS + step + CLASS_STEPS - 1;
}

static uint64_t *link_of(uintptr_t base, size_t class_bytes)
{
	return (uint64_t *)(base + class_bytes) - 1;
}

static void push(_Atomic uint64_t *list, uintptr_t base, size_t class_bytes)
{
	uint64_t head = atomic_load_explicit(list, memory_order_relaxed);
	uint64_t next;

	do {
		__atomic_store_n(link_of(base, class_bytes), head & ADDRESS_MASK, __ATOMIC_RELAXED);
		next = base / SLAB_PAGE | ((head & ~ADDRESS_MASK) + ADDRESS_MASK + 1);
	} while (!atomic_compare_exchange_weak_explicit(list, &head, next, memory_order_release,
							memory_order_relaxed));
}

static uintptr_t pop(_Atomic uint64_t *list, size_t class_bytes)
{
	uint64_t head = atomic_load_explicit(list, memory_order_acquire);
	uint64_t next;
	uintptr_t base;

	do {
		base = (head & ADDRESS_MASK) * SLAB_PAGE;
		if (!base)
			return 0;
		next = __atomic_load_n(link_of(base, class_bytes), __ATOMIC_RELAXED) & ADDRESS_MASK;
		next |= (head & ~ADDRESS_MASK) + ADDRESS_MASK + 1;
	} while (!atomic_compare_exchange_weak_explicit(list, &head, next, memory_order_acquire,
							memory_order_acquire));
	*link_of(base, class_bytes) = 0;
	return base;
}

/* Make half as many again as there are. Caller holds grow_lock. */
static int grow(enum slab_kind kind, unsigned class, size_t class_bytes)
{
	const struct slab *slab;
	int count = slab_make(kind, class_bytes, class_made[kind][class] / 2, &slab);

	if (count < 0)
		return count;
	class_made[kind][class] += (size_t)count;
	for (size_t i = (size_t)count; i-- > 0;)
		push(&free_stacks[kind][class], slab_stack(slab, i), class_bytes);
	return 0;
}

static bool page_is_zero(const uint64_t *page)
{
	for (size_t i = 0; i < SLAB_PAGE / 8; i++)
		if (page[i])
			return false;
	return true;
}

/*
 * A user of a stack finds zeros, so that its own use can be measured. The thread that takes the
 * stack clears it, because a CPU in a section may put it back. It clears from the top down to the
 * first untouched page, so the cost depends on the use and not on the size. A frame that skipped a
 * page leaves dirt that counts as use later: then the figure is too high, never too low.
 */
static void clear(uintptr_t base, size_t bytes)
{
	uintptr_t page = base + bytes;

	while (page > base && !page_is_zero((uint64_t *)(page - SLAB_PAGE))) {
		page -= SLAB_PAGE;
		memset((void *)page, 0, SLAB_PAGE);
	}
}

static int get(enum slab_kind kind, size_t bytes, struct hal_stack *stack)
{
	const struct hal_self *self = hal_arch_self();
	_Atomic uint64_t *list;
	size_t class_bytes;
	unsigned class;
	uintptr_t base;
	int error = 0;

	if (bytes < hal_stack_minimum() || bytes > STACK_MAX)
		return -TACT_EINVAL;
	class = class_of(bytes, &class_bytes);
	list = &free_stacks[kind][class];
	while (!(base = pop(list, class_bytes))) {
		if (self && self->kind == HAL_SELF_CPU)
			return -TACT_ENOMEM;
		pthread_mutex_lock(&grow_lock);
		/* Another thread may have made some meanwhile. */
		if (!(atomic_load(list) & ADDRESS_MASK))
			error = grow(kind, class, class_bytes);
		pthread_mutex_unlock(&grow_lock);
		if (error)
			return error;
	}
	stack->base = (void *)base;
	stack->bytes = class_bytes;
	stack->guarded = slab_of(base)->guarded;
	if (kind == SLAB_WHOLE)
		clear(base, class_bytes);
	if (!stack->guarded)
		slab_canary_set(base);
	atomic_fetch_add_explicit(&taken, 1, memory_order_relaxed);
	return 0;
}

static void put(enum slab_kind kind, const struct hal_stack *stack)
{
	size_t class_bytes;
	unsigned class = class_of(stack->bytes, &class_bytes);

	hal_arch_stack_clean(stack->base, stack->bytes);
	push(&free_stacks[kind][class], (uintptr_t)stack->base, class_bytes);
	atomic_fetch_sub_explicit(&taken, 1, memory_order_release);
}

int hal_stack_get(size_t bytes, struct hal_stack *stack)
{
	return get(SLAB_WHOLE, bytes, stack);
}

void hal_stack_put(const struct hal_stack *stack)
{
	put(SLAB_WHOLE, stack);
}

int linux_stack_get(size_t bytes, struct hal_stack *stack)
{
	return get(SLAB_LAZY, bytes, stack);
}

void linux_stack_put(const struct hal_stack *stack)
{
	put(SLAB_LAZY, stack);
}

bool hal_stack_overrun(const struct hal_stack *stack, uintptr_t address)
{
	uintptr_t base = (uintptr_t)stack->base;

	if (stack->guarded)
		return address - (base - SLAB_GUARD_BYTES) < SLAB_GUARD_BYTES;
	return slab_canary_gone(base);
}

/* The task that runs on the stack writes to it meanwhile, and the sanitizers' knowledge of the
 * stack belongs to that task. */
__attribute__((no_sanitize("address", "thread"))) size_t hal_stack_used(
	const struct hal_stack *stack)
{
	const uint64_t *word = stack->base;
	const uint64_t *end = word + stack->bytes / 8;

	if (!stack->guarded)
		word += SLAB_CANARY_WORDS;
	while (word < end && !__atomic_load_n(word, __ATOMIC_RELAXED))
		word++;
	return (size_t)(end - word) * 8;
}

/* No real-time CPU runs on one of our stacks any more. A task that is in Linux may; then its stack
 * stays, with all others, for the next start. */
void linux_stacks_stop(void)
{
	if (atomic_load_explicit(&taken, memory_order_acquire))
		return;
	for (unsigned kind = 0; kind < SLAB_KINDS; kind++)
		for (unsigned class = 0; class < CLASSES; class ++) {
			atomic_store_explicit(&free_stacks[kind][class], 0, memory_order_relaxed);
			class_made[kind][class] = 0;
		}
	slabs_drop();
}
