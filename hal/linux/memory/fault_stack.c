/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The stacks on which threads take their faults, with a guard below each. The stacks of shadows are
 * made several at a time, and some are kept for later shadows. Their memory is populated as it is
 * used.
 */
#define _GNU_SOURCE

#include "memory/fault_stack.h"

#include <sys/mman.h>

#include "back_end.h"
#include "base/error.h"
#include "program.h"
#include "shadow/lock.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102 /* Linux 6.13 */
#endif

#define PAGE         4096u
#define FAULT_BYTES  65536u /* the nucleus writes its report there */
#define STRIDE       (PAGE + FAULT_BYTES)
#define FREE_MAX     1024u
#define AT_ONCE_MOST 32u

/* Under shadow_lock(), which threads that are ending take anyway. */
static char *free_stacks[FREE_MAX];
static _Atomic uint32_t free_count;
static uint32_t made; /* and not returned to Linux */

/* If Linux supports it, the guard needs no mapping of its own. */
bool linux_guard(void *page, bool *is_mapping)
{
	*is_mapping = madvise(page, PAGE, MADV_GUARD_INSTALL) != 0;
	return !*is_mapping || !mprotect(page, PAGE, PROT_NONE);
}

static stack_t stack_at(char *memory)
{
	return (stack_t){.ss_sp = memory + PAGE, .ss_size = FAULT_BYTES};
}

static char *map(size_t count, int flags)
{
	char *memory = mmap(NULL, count * STRIDE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

int linux_fault_stack_get(stack_t *stack)
{
	char *memory = map(1, MAP_POPULATE);

	if (!memory)
		return -TACT_ENOMEM;
	mprotect(memory, PAGE, PROT_NONE);
	if (linux_program.options.lock)
		backend_memory_lock(memory + PAGE, FAULT_BYTES);
	*stack = stack_at(memory);
	return 0;
}

void linux_fault_stack_put(const stack_t *stack)
{
	if (stack->ss_sp)
		munmap((char *)stack->ss_sp - PAGE, STRIDE);
}

static char *take(void)
{
	char *memory = NULL;

	if (!atomic_load_explicit(&free_count, memory_order_relaxed))
		return NULL;
	shadow_lock();
	if (free_count)
		memory = free_stacks[--free_count];
	shadow_unlock();
	return memory;
}

/* Put all but the first stack into the list. False: there is no room, and the caller must unmap
 * them. */
static bool give_others(char *memory, uint32_t count)
{
	bool is_room;

	shadow_lock();
	is_room = free_count + count - 1 <= FREE_MAX;
	for (uint32_t i = 1; is_room && i < count; i++)
		free_stacks[free_count++] = memory + i * STRIDE;
	made += is_room ? count : 1;
	shadow_unlock();
	return is_room;
}

/* Make half as many again as there are. */
static char *make(void)
{
	const uint32_t half = made / 2;
	const uint32_t count = !half ? 1 : half < AT_ONCE_MOST ? half : AT_ONCE_MOST;
	char *memory = map(count, 0);
	bool is_mapping, guarded = true;

	if (!memory)
		return NULL;
	for (uint32_t i = 0; i < count && guarded; i++)
		guarded = linux_guard(memory + i * STRIDE, &is_mapping);
	if (!guarded) {
		munmap(memory, count * STRIDE);
		return NULL;
	}
	if (!give_others(memory, count))
		munmap(memory + STRIDE, (count - 1) * STRIDE);
	return memory;
}

int shadow_fault_stack_get(stack_t *stack)
{
	char *memory = take();

	if (!memory)
		memory = make();
	if (!memory)
		return -TACT_ENOMEM;
	*stack = stack_at(memory);
	return 0;
}

static bool keep(char *memory)
{
	bool is_kept;

	if (atomic_load_explicit(&free_count, memory_order_relaxed) >= FREE_MAX)
		return false;
	shadow_lock();
	is_kept = free_count < FREE_MAX;
	if (is_kept)
		free_stacks[free_count++] = memory;
	shadow_unlock();
	return is_kept;
}

void shadow_fault_stack_put(const stack_t *stack)
{
	if (!stack->ss_sp || keep((char *)stack->ss_sp - PAGE))
		return;
	linux_fault_stack_put(stack);
	shadow_lock();
	made--;
	shadow_unlock();
}

void shadow_fault_stacks_drop(void)
{
	shadow_lock();
	while (free_count) {
		munmap(free_stacks[--free_count], STRIDE);
		made--;
	}
	shadow_unlock();
}
