/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Heap: blocks of any size from a region of locked memory, in constant time. If there is too little
 * memory, a caller may wait until enough was freed. Or the region is a single block, which every
 * caller gets.
 *
 * A descriptor is filled in by rt_heap_create() or rt_heap_bind(), and may be copied. The
 * descriptor of a deleted heap gives -EINVAL with every service. Only tasks and main() may wait;
 * other threads may use the heap as long as they need not wait. alchemy/timer.h describes timeouts,
 * and what services on a heap of another program return.
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
#define H_SINGLE 0x4 /* one block, the same for all callers */

typedef struct RT_HEAP {
	uintptr_t handle;
} RT_HEAP;

typedef struct RT_HEAP_INFO {
	int nwaiters;     /* tasks that wait for memory */
	int mode;         /* as given at creation */
	size_t heapsize;  /* bytes, as given at creation */
	size_t usablemem; /* bytes of the region, with the bookkeeping */
	size_t usedmem;   /* bytes of it that are allocated now */
	char name[XNOBJECT_NAME_LEN];
} RT_HEAP_INFO;

/**
 * Create a heap.
 * heap:     receives the descriptor.
 * name:     the name by which rt_heap_bind() finds it, unique among heaps, copied; NULL or "": a
 *           name is generated.
 * heapsize: bytes, 1 … 2^31 - 1. The heap takes a quarter and 2 KiB more, and at least 4 KiB, for
 *           the 16 bytes that each block takes in addition to its contents. So there may be a
 *           little more than heapsize for few, large blocks.
 * mode:     H_FIFO or H_PRIO, H_SINGLE.
 *
 * Returns 0, or
 *   -EINVAL  heapsize out of range, unknown mode, or heap is NULL
 *   -EEXIST  a heap of that name exists
 *   -ENOMEM  no memory for it
 *   -EPERM   from an alarm handler; or the nucleus could not be started in this program, and the
 *            standard error output says why
 * Context: task, linux. A task goes to secondary mode for the memory.
 * Cost: O(heapsize / 128).
 */
int rt_heap_create(RT_HEAP *heap, const char *name, size_t heapsize, int mode);

/**
 * Delete, with all blocks. Waiters get -EIDRM.
 * Returns 0, -EINVAL (not a heap), -EPERM (from an alarm handler).
 * Context: task, linux. Cost: O(waiters).
 */
int rt_heap_delete(RT_HEAP *heap);

/**
 * Allocate a block; wait until enough was freed if there is too little. With H_SINGLE: get the
 * address of the single block. Waiters are served strictly in their order: a small request does not
 * overtake a large one that came first. A request that can never be served waits like others, until
 * its timeout.
 * size:   bytes, at least 1; with H_SINGLE 0, or the heapsize given at creation.
 * blockp: receives the address, aligned to 16 bytes; NULL if there is none.
 *
 * Returns 0, or
 *   -EWOULDBLOCK  there is too little now, and the timeout is TM_NONBLOCK
 *   -ETIMEDOUT    not enough was freed in time
 *   -EIDRM        the heap was deleted meanwhile
 *   -EINTR        rt_task_unblock(), or a Linux signal to the task
 *   -EINVAL       not a heap, blockp is NULL, a size that the mode does not allow, a bad timespec
 *   -EPERM        it would have to wait, and the caller may not: an alarm handler, or a thread that
 *                 is neither a task nor main()
 * Context: task, linux. May wait. Cost: O(1), O(waiters) with H_PRIO if it waits.
 */
int rt_heap_alloc(RT_HEAP *heap, size_t size, RTIME timeout, void **blockp);
int rt_heap_alloc_until(RT_HEAP *heap, size_t size, RTIME timeout, void **blockp);
int rt_heap_alloc_timed(RT_HEAP *heap, size_t size, const struct timespec *abs_timeout,
			void **blockp);

/**
 * Free a block. Waiters whose requests fit now are served. With H_SINGLE the call does nothing.
 * Returns 0, or -EINVAL: not a heap, not an allocated block of it, or a block that was written
 * beyond its end.
 * Context: any. Cost: O(1), and the time for serving the waiters.
 */
int rt_heap_free(RT_HEAP *heap, void *block);

/**
 * Inquire. info: receives the state, or NULL to ask whether the descriptor is good.
 * Returns 0, -EINVAL (not a heap). Context: any. Cost: O(1).
 */
int rt_heap_inquire(RT_HEAP *heap, RT_HEAP_INFO *info);

/**
 * Find a heap by its name; wait for its creation if there is none.
 * Returns 0, -EWOULDBLOCK (there is none, and TM_NONBLOCK), -ETIMEDOUT (none was created in time),
 * -EINTR (rt_task_unblock()), -EINVAL (heap or name is NULL), -EPERM (it would have to wait, and
 * the caller may not: see rt_heap_alloc()), -ENOMEM (no memory or descriptor for it, here or in the
 * program that has it). Context: task, linux. May wait.
 */
int rt_heap_bind(RT_HEAP *heap, const char *name, RTIME timeout);

/* Forget the binding. The descriptor becomes invalid; the heap stays. Returns 0, -EINVAL (heap is
 * NULL). Context: any. */
int rt_heap_unbind(RT_HEAP *heap);

#ifdef __cplusplus
}
#endif

#endif
