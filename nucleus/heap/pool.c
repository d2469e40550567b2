/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Block pools. A block that was put back contains the link to the next free one. The blocks that
 * were never taken are at the end, so that nothing has to be initialised when the pool is made. A
 * bit map beside the blocks shows which are taken, so that a stray or double put is refused.
 * Invariant: while a call waits, no block is free.
 */
#include <tactus/pool.h>

#include "call/wait.h"
#include "object/object.h"

#define BLOCK_ALIGN 16u
#define BLOCK_MAX   (1u << 30)
#define BLOCKS_MAX  (1u << 24)

struct free_block {
	struct free_block *next;
};

struct pool {
	struct nuc_object object;
	struct nuc_waitq waiters;
	struct free_block *first;
	uint64_t *taken; /* one bit for each block before `fresh` */
	char *blocks;
	void *own_memory; /* from the CPU's pool; NULL: of the program */
	size_t block_bytes;
	size_t stride;
	uint32_t total;
	uint32_t free;
	uint32_t fresh; /* number of blocks that were taken at least once */
};

struct pool_create_call {
	struct nuc_call call;
	size_t block_bytes;
	uint32_t blocks;
	void *memory;
	uint32_t flags;
};

struct pool_block_call {
	struct nuc_call call;
	void *block;
};

static struct pool *pool_of(struct nuc_object *object)
{
	return base_container_of(object, struct pool, object);
}

static size_t align(size_t bytes)
{
	return (bytes + BLOCK_ALIGN - 1) & ~(size_t)(BLOCK_ALIGN - 1);
}

static size_t map_bytes(uint32_t blocks)
{
	return align((blocks + 63u) / 64u * sizeof(uint64_t));
}

size_t tact_pool_memory_bytes(size_t block_bytes, uint32_t blocks)
{
	if (!block_bytes || block_bytes > BLOCK_MAX || !blocks || blocks > BLOCKS_MAX)
		return 0;
	return map_bytes(blocks) + align(block_bytes) * blocks;
}

static void lay_out(struct pool *pool, const struct pool_create_call *args, char *memory)
{
	pool->block_bytes = args->block_bytes;
	pool->stride = align(args->block_bytes);
	pool->total = args->blocks;
	pool->free = args->blocks;
	pool->fresh = 0;
	pool->taken = (void *)memory;
	pool->blocks = memory + map_bytes(args->blocks);
	pool->first = NULL;
}

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct pool_create_call *args = base_container_of(call, struct pool_create_call, call);
	struct pool *pool;
	char *memory = args->memory;
	int error;

	object = nuc_object_new(cpu, NUC_TYPE_POOL, sizeof(*pool), &error);
	if (!object)
		return error;
	pool = pool_of(object);
	if (!memory) {
		/* Each word is written before it is read: see take_fresh(). */
		memory = nuc_pool_get_raw(cpu,
					  tact_pool_memory_bytes(args->block_bytes, args->blocks));
		if (!memory) {
			nuc_object_drop(cpu, object);
			return -TACT_ENOMEM;
		}
		pool->own_memory = memory;
	}
	nuc_waitq_init(&pool->waiters, object, args->flags);
	lay_out(pool, args, memory);
	call->handle = object->handle;
	return 0;
}

int tact_pool_create(const char *name, size_t block_bytes, uint32_t blocks, void *memory,
		     uint32_t flags, tact_pool_t *pool)
{
	NUC_CALL(struct pool_create_call, args, create_run, NUC_TYPE_CPU, 0, NUC_CALL_TASKS);

	if (!tact_pool_memory_bytes(block_bytes, blocks) || (uintptr_t)memory & (BLOCK_ALIGN - 1))
		return -TACT_EINVAL;
	args.block_bytes = block_bytes;
	args.blocks = blocks;
	args.memory = memory;
	args.flags = flags;
	return nuc_create(&args.call, name, flags, TACT_PRIO, NUC_ID_OF(pool));
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct pool *pool = pool_of(object);

	(void)call;
	(void)nuc_wake_all(cpu, &pool->waiters, -TACT_EIDRM);
	if (pool->own_memory)
		nuc_pool_put(cpu, pool->own_memory);
	nuc_object_retire(cpu, object);
	return 0;
}

const struct nuc_type_ops nuc_pool_type = {
	.name = "pool",
	.destroy = destroy,
};

int tact_pool_delete(tact_pool_t pool)
{
	return nuc_delete(pool.id, NUC_TYPE_POOL);
}

static void mark(struct pool *pool, const void *block, bool taken)
{
	size_t index = (size_t)((const char *)block - pool->blocks) / pool->stride;
	uint64_t bit = UINT64_C(1) << (index & 63);

	if (taken)
		pool->taken[index / 64] |= bit;
	else
		pool->taken[index / 64] &= ~bit;
}

static bool is_taken(const struct pool *pool, const void *block)
{
	size_t offset = (size_t)((const char *)block - pool->blocks);
	size_t index = offset / pool->stride;

	return (const char *)block >= pool->blocks && index < pool->fresh &&
	       offset % pool->stride == 0 && pool->taken[index / 64] >> (index & 63) & 1;
}

/* In order of address. */
static void *take_fresh(struct pool *pool)
{
	if (pool->fresh % 64 == 0)
		pool->taken[pool->fresh / 64] = 0;
	return pool->blocks + pool->stride * pool->fresh++;
}

static void *take_first(struct pool *pool)
{
	struct free_block *block = pool->first;

	pool->first = block->next;
	return block;
}

static int get_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct pool_block_call *args = base_container_of(call, struct pool_block_call, call);
	struct pool *pool = pool_of(object);

	if (!pool->free)
		return nuc_wait(cpu, call, &pool->waiters);
	args->block = pool->first ? take_first(pool) : take_fresh(pool);
	pool->free--;
	mark(pool, args->block, true);
	return 0;
}

int tact_pool_get(tact_pool_t pool, tact_timeout_t timeout, void **block)
{
	NUC_CALL(struct pool_block_call, args, get_run, NUC_TYPE_POOL, pool.id, NUC_CALL_WAITS);
	int result;

	if (!block)
		return -TACT_EINVAL;
	result = nuc_call_timeout(&args.call, timeout);
	if (!result)
		*block = args.block;
	return result;
}

static int put_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	void *block = base_container_of(call, struct pool_block_call, call)->block;
	struct pool *pool = pool_of(object);
	struct nuc_call *first = nuc_waitq_first(&pool->waiters);

	if (!is_taken(pool, block))
		return -TACT_EINVAL;
	if (first) {
		base_container_of(first, struct pool_block_call, call)->block = block;
		nuc_wake(cpu, first, 0);
		return 0;
	}
	mark(pool, block, false);
	((struct free_block *)block)->next = pool->first;
	pool->first = block;
	pool->free++;
	return 0;
}

int tact_pool_put(tact_pool_t pool, void *block)
{
	NUC_CALL(struct pool_block_call, args, put_run, NUC_TYPE_POOL, pool.id, NUC_CALL_CAST);

	if (!block)
		return -TACT_EINVAL;
	args.block = block;
	return nuc_call(&args.call);
}

static void fill_info(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	const struct pool *pool = base_container_of(object, const struct pool, object);
	struct tact_pool_info *info = result;

	(void)cpu;
	info->block_bytes = pool->block_bytes;
	info->total = pool->total;
	info->free = pool->free;
	info->waiters = pool->waiters.count;
}

int tact_pool_inquire(tact_pool_t pool, struct tact_pool_info *info)
{
	return nuc_inquire(pool.id, NUC_TYPE_POOL, info, sizeof(*info), fill_info);
}
