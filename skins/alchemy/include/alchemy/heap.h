/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Heap: blocks of any size out of a region of locked memory, in constant time; who finds too little
 * may wait until enough was freed. Or the region as one block, that every caller gets.
 *
 * A descriptor is filled in by rt_heap_create() or rt_heap_bind() and may be copied; that of a
 * deleted heap is -EINVAL to every service. Waiting is for tasks and main(); other threads may use
 * the heap as long as they need not wait. See alchemy/timer.h for timeouts,
 * and for what services on one of another program return.
 *
 * Source: Xenomai 3 API manual, Alchemy, "Heap management services".
 */
#ifndef ALCHEMY_HEAP_H
#define ALCHEMY_HEAP_H

#include <alchemy/timer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Modes of rt_heap_create() */
#define H_FIFO   0x0 /* waiters are served in order of arrival */
#define H_PRIO   0x1 /* waiters are served by priority, then in order of arrival */
#define H_SINGLE 0x4 /* one block, the same for all who ask */

typedef struct RT_HEAP {
	uintptr_t handle;
} RT_HEAP;

typedef struct RT_HEAP_INFO {
	int nwaiters;     /* that wait for memory */
	int mode;         /* as given at creation */
	size_t heapsize;  /* as given at creation: bytes */
	size_t usablemem; /* bytes of the region, with what it takes to keep the blocks */
	size_t usedmem;   /* of that, allocated now */
	char name[XNOBJECT_NAME_LEN];
} RT_HEAP_INFO;

/**
 * Create a heap.
 * heap:     receives the descriptor.
 * name:     by which rt_heap_bind() finds it, unique among heaps, copied; NULL or "": one is made
 *           up.
 * heapsize: bytes, 1 … 2^31 - 1. What is taken is a quarter and 2 KiB more, 4 KiB at least, for the
 *           16 bytes that a block takes beside its contents; so a little more than heapsize may be
 *           there for few, large blocks.
 * mode:     H_FIFO or H_PRIO, H_SINGLE.
 *
 * Returns 0, or
 *   -EINVAL  heapsize out of range, unknown mode, or heap is NULL
 *   -EEXIST  a heap of that name exists
 *   -ENOMEM  no memory for it
 *   -EPERM   from an alarm handler; or the real-time half of the program could not be started,
 *            which the standard error output has told
 * Context: task (goes to secondary mode for the memory), linux. Cost: heapsize / 128.
 */
int rt_heap_create(RT_HEAP *heap, const char *name, size_t heapsize, int mode);

/**
 * Delete, with all blocks; whoever waits gets -EIDRM.
 * Returns 0, -EINVAL (not a heap), -EPERM (from an alarm handler).
 * Context: task, linux. Cost: O(waiters).
 */
int rt_heap_delete(RT_HEAP *heap);

/**
 * Allocate a block, waiting until enough was freed if need be; with H_SINGLE, tell where the one
 * block is. Who waits is served strictly in order: a small request does not overtake a large one
 * that came first. One that could never be served waits as others do, until its time is up.
 * size:   bytes, at least 1; with H_SINGLE 0 or the heapsize given at creation.
 * blockp: receives the address, aligned to 16 bytes; NULL when there is none.
 *
 * Returns 0, or
 *   -EWOULDBLOCK  not now, and the timeout is TM_NONBLOCK
 *   -ETIMEDOUT    not enough was freed in time
 *   -EIDRM        the heap was deleted meanwhile
 *   -EINTR        rt_task_unblock(), or a Linux signal to the task
 *   -EINVAL       not a heap, blockp is NULL, a size that the mode does not allow, a bad timespec
 *   -EPERM        it would have to wait, and the caller may not: an alarm handler, or a thread
 *                 that is neither a task nor main()
 * Context: task, linux. May wait. Cost: O(1), O(waiters) with H_PRIO when it waits.
 */
int rt_heap_alloc(RT_HEAP *heap, size_t size, RTIME timeout, void **blockp);
int rt_heap_alloc_until(RT_HEAP *heap, size_t size, RTIME timeout, void **blockp);
int rt_heap_alloc_timed(RT_HEAP *heap, size_t size, const struct timespec *abs_timeout,
			void **blockp);

/**
 * Free a block; those who wait for memory are served as far as it goes. With H_SINGLE it does
 * nothing.
 * Returns 0, or -EINVAL: not a heap, or not an allocated block of it, or one that was written
 * beyond its end. Context: any. Cost: O(1) and what serving takes.
 */
int rt_heap_free(RT_HEAP *heap, void *block);

/**
 * Inquire. info: receives the state, or NULL to ask whether the descriptor is good.
 * Returns 0, -EINVAL (not a heap). Context: any. Cost: O(1).
 */
int rt_heap_inquire(RT_HEAP *heap, RT_HEAP_INFO *info);

/**
 * Find a heap by its name, waiting for it to be created if need be.
 * Returns 0, -EWOULDBLOCK (there is none, and TM_NONBLOCK), -ETIMEDOUT (none was created in time),
 * -EINTR (rt_task_unblock()), -EINVAL (heap or name is NULL), -EPERM (it would have to wait, and
 * the caller may not: see rt_heap_alloc()), -ENOMEM (no memory or descriptor for it, here or in
 * the program that has it). Context: task, linux. May wait.
 */
int rt_heap_bind(RT_HEAP *heap, const char *name, RTIME timeout);

/* Forget the binding: the descriptor becomes invalid, the heap stays. Returns 0, -EINVAL (heap is
 * NULL). Context: any. */
int rt_heap_unbind(RT_HEAP *heap);

#ifdef __cplusplus
}
#endif

#endif
