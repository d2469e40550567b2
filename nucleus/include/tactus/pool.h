/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Block pool: blocks of one size, taken and given back in constant time; callers may wait for one.
 */
#ifndef TACTUS_POOL_H
#define TACTUS_POOL_H

#include <stddef.h>

#include <tactus/object.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct {
	uint32_t id;
} tact_pool_t;

struct tact_pool_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	uint32_t total;
	uint64_t block_bytes; /* as given at creation */
	uint32_t free;
	uint32_t waiters;
};

/**
 * Bytes of memory that a pool of this shape needs; 0: out of range.
 * Context: any. Cost: O(1).
 */
size_t tact_pool_memory_bytes(size_t block_bytes, uint32_t blocks);

/**
 * Create a pool.
 * block_bytes: size of a block, 1 … 2^30; blocks are aligned to 16 bytes.
 * blocks:      number of blocks, 1 … 2^24.
 * memory:      memory of the program, tact_pool_memory_bytes() long, aligned to 16 bytes, for the
 *              life of the pool. NULL: the memory comes from the home CPU's pool of control blocks.
 * flags:       TACT_FIFO or TACT_PRIO, TACT_ON_CPU(n).
 * pool:        receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  sizes, alignment, flags or name out of range
 *   -TACT_ENXIO, -TACT_EEXIST, -TACT_ENOMEM, -TACT_EPERM as tact_sem_create()
 * Context: task, linux. Cost: O(1): the nucleus first touches a block when it is put back.
 */
int tact_pool_create(const char *name, size_t block_bytes, uint32_t blocks, void *memory,
		     uint32_t flags, tact_pool_t *pool);

/**
 * Delete. Waiters get -TACT_EIDRM. No block may be used any more.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(waiters).
 */
int tact_pool_delete(tact_pool_t pool);

/**
 * Take a block; wait if none is free.
 * block: receives its address; the contents are undefined.
 *
 * Returns 0, or
 *   -TACT_EINVAL    block is NULL, a timeout of unknown kind
 *   -TACT_EAGAIN    none is free and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT none came back in time
 *   -TACT_EIDRM     the pool was deleted, before or meanwhile
 *   -TACT_ECANCELED tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EBADF     not a pool
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left
 *   -TACT_EPERM     from a handler, with a timeout other than TACT_NOWAIT or of another CPU's pool
 * Context: task, linux; handler with TACT_NOWAIT on the home CPU. May wait.
 * Cost: O(1), O(waiters) with TACT_PRIO when it waits.
 */
int tact_pool_get(tact_pool_t pool, tact_timeout_t timeout, void **block);

/**
 * Give a block back: to the first waiter if there is one, otherwise to the pool.
 * Returns 0, -TACT_EINVAL (not a taken block of this pool), -TACT_EBADF, -TACT_EIDRM, -TACT_ENOMEM
 * (as tact_sem_post()).
 * Context: task, handler, linux. Cost: O(1).
 */
int tact_pool_put(tact_pool_t pool, void *block);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_pool_inquire(tact_pool_t pool, struct tact_pool_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
