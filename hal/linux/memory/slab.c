/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A slab is one mapping that holds many stacks of one size. Each stack has a guard below it while
 * mappings are plentiful (a guard may cost two of vm.max_map_count), and a canary at its base
 * beyond that. Memory is populated and locked before it is handed out, or locked as it is used.
 * Only hal_stop() gives it back.
 */
#define _GNU_SOURCE

#include "memory/slab.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#include "base/error.h"
#include "memory/fault_stack.h"

#define SLABS_MAX      8192u
#define SLAB_BYTES_MAX (4ull << 20) /* a slab grows with its class up to this */
#define CANARY_VALUE   0x7461637475732121ull

#ifndef MLOCK_ONFAULT
#define MLOCK_ONFAULT 1
#endif

static struct slab slabs[SLABS_MAX]; /* the first slab_count are constant */
static _Atomic uint32_t slab_count;
static size_t guards, guards_max;
static bool lock_stacks;

void slab_canary_set(uintptr_t base)
{
	for (size_t i = 0; i < SLAB_CANARY_WORDS; i++)
		((uint64_t *)base)[i] = CANARY_VALUE;
}

bool slab_canary_gone(uintptr_t base)
{
	for (size_t i = 0; i < SLAB_CANARY_WORDS; i++)
		if (((uint64_t *)base)[i] != CANARY_VALUE)
			return true;
	return false;
}

uintptr_t slab_stack(const struct slab *slab, size_t index)
{
	return slab->begin + SLAB_GUARD_BYTES + index * slab->stride;
}

/* One store in each page populates it, locked or not. */
static void populate(const struct slab *slab, size_t stack_bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t at = 0; at < stack_bytes; at += SLAB_PAGE)
			*(volatile char *)(slab_stack(slab, i) + at) = 0;
}

int slab_make(enum slab_kind kind, size_t stack_bytes, size_t wanted, const struct slab **made)
{
	uint32_t index = atomic_load_explicit(&slab_count, memory_order_relaxed);
	struct slab *slab = &slabs[index];
	size_t count = wanted;
	size_t mappings = 0;
	char *memory;

	if (index == SLABS_MAX)
		return -TACT_ENOMEM;
	if (count > SLAB_BYTES_MAX / stack_bytes)
		count = SLAB_BYTES_MAX / stack_bytes;
	if (!count)
		count = 1;
	slab->guarded = guards + count <= guards_max;
	slab->stride = stack_bytes + (slab->guarded ? SLAB_GUARD_BYTES : 0);
	slab->bytes = slab->stride * count + (slab->guarded ? 0 : SLAB_GUARD_BYTES);
	memory =
		mmap(NULL, slab->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -TACT_ENOMEM;
	slab->begin = (uintptr_t)memory;
	/* Guards first, so that nothing is populated where they are. */
	for (size_t i = 0; i < (slab->guarded ? count : 1); i++) {
		char *guard = memory + i * slab->stride;
		bool is_mapping = true;

		if (kind == SLAB_LAZY ? !linux_guard(guard, &is_mapping)
				      : mprotect(guard, SLAB_GUARD_BYTES, PROT_NONE)) {
			munmap(memory, slab->bytes);
			return -TACT_ENOMEM;
		}
		mappings += is_mapping;
	}
	madvise(memory, slab->bytes, MADV_DONTFORK);
	/* One call for all, guards included. Pages are locked as they are populated. */
	if (lock_stacks)
		(void)mlock2(memory, slab->bytes, MLOCK_ONFAULT);
	if (kind == SLAB_WHOLE)
		populate(slab, stack_bytes, count);
	for (size_t i = 0; !slab->guarded && i < count; i++)
		slab_canary_set(slab_stack(slab, i));
	guards += mappings;
	atomic_store_explicit(&slab_count, index + 1, memory_order_release);
	*made = slab;
	return (int)count;
}

const struct slab *slab_of(uintptr_t address)
{
	uint32_t count = atomic_load_explicit(&slab_count, memory_order_acquire);

	for (uint32_t i = 0; i < count; i++)
		if (address - slabs[i].begin < slabs[i].bytes)
			return &slabs[i];
	return NULL;
}

bool linux_stacks_guard(uintptr_t address)
{
	const struct slab *slab = slab_of(address);
	size_t offset;

	if (!slab)
		return false;
	offset = address - slab->begin;
	return slab->guarded ? offset % slab->stride < SLAB_GUARD_BYTES : offset < SLAB_GUARD_BYTES;
}

/* This concerns the stack on which the caller runs. If that is none of ours, nothing is done. */
void linux_stacks_inherit(bool inherited)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	const struct slab *slab = slab_of(here);
	uintptr_t begin;

	if (!slab)
		return;
	/* An unguarded slab has a single guard, at its begin. */
	begin = slab->begin + (slab->guarded ? 0 : SLAB_GUARD_BYTES);
	begin += (here - begin) / slab->stride * slab->stride;
	madvise((void *)begin, slab->stride, inherited ? MADV_DOFORK : MADV_DONTFORK);
}

void linux_stacks_start(bool lock)
{
	FILE *file = fopen("/proc/sys/vm/max_map_count", "re");
	unsigned long mappings = 65530;

	if (file) {
		if (fscanf(file, "%lu", &mappings) != 1)
			mappings = 65530;
		fclose(file);
	}
	/* Half of them are for the rest of the program; a guard that is a mapping costs two. */
	guards_max = mappings / 4;
	lock_stacks = lock;
}

void slabs_drop(void)
{
	uint32_t count = atomic_load_explicit(&slab_count, memory_order_acquire);

	atomic_store_explicit(&slab_count, 0, memory_order_release);
	for (uint32_t i = 0; i < count; i++)
		munmap((void *)slabs[i].begin, slabs[i].bytes);
	guards = 0;
}
