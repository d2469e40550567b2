/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Heap: memory of any size in constant time; callers may wait for it. The algorithm is two-level
 * segregated fit. Source: M. Masmano, I. Ripoll, A. Crespo, J. Real, "TLSF: a new dynamic memory
 * allocator for real-time systems", ECRTS 2004.
 */
#ifndef TACTUS_HEAP_H
#define TACTUS_HEAP_H

#include <stddef.h>

#include <tactus/object.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct {
	uint32_t id;
} tact_heap_t;

#define TACT_HEAP_BYTES_MIN 4096u

struct tact_heap_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	uint32_t waiters;
	uint64_t total_bytes;   /* size of the memory, with the heap's own bookkeeping */
	uint64_t used_bytes;    /* allocated now, with the overhead of the blocks */
	uint64_t peak_bytes;    /* most ever allocated at once */
	uint64_t largest_bytes; /* largest single allocation that would succeed now */
	uint64_t blocks;        /* allocated now */
};

/**
 * Create a heap.
 * name:   entry in the registry, copied; NULL for none.
 * memory: memory of the program, of this many bytes, for the life of the heap; it should be locked
 *         (mlock). NULL: the heap takes locked memory of its own.
 * bytes:  TACT_HEAP_BYTES_MIN … 2^36.
 * flags:  TACT_FIFO or TACT_PRIO (order in which waiters are served when memory comes back),
 *         TACT_ON_CPU(n).
 * heap:   receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  bytes, flags or name out of range
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  no control block; or memory is NULL, and there is none
 *   -TACT_EPERM   from a handler; from a light task, or a task that may not call Linux, if memory
 *                 is NULL; or not started
 * Context: task, linux. A task goes to secondary mode if memory is NULL.
 * Cost: O(1) and the registry; bytes / 128 are cleared in the caller's own time.
 */
int tact_heap_create(const char *name, void *memory, size_t bytes, uint32_t flags,
		     tact_heap_t *heap);

/**
 * Delete. Waiters get -TACT_EIDRM. Memory that the heap took itself is given back, so no block of
 * it may be used any more.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(waiters).
 */
int tact_heap_delete(tact_heap_t heap);

/**
 * Allocate; wait until enough memory has been freed if there is too little. Waiters are served
 * strictly in their order: a small request does not overtake a large one that came first, or that
 * is more urgent (TACT_PRIO).
 * bytes: at least 1.
 * block: receives the address, aligned to 16 bytes; the contents are undefined.
 *
 * Returns 0, or
 *   -TACT_EINVAL    bytes is 0 or can never be satisfied, block is NULL, a timeout of unknown kind
 *   -TACT_EAGAIN    there is too little memory now, and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT not enough was freed in time
 *   -TACT_EIDRM     the heap was deleted, before or meanwhile
 *   -TACT_ECANCELED tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EBADF     not a heap
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left
 *   -TACT_EPERM     from a handler, with a timeout other than TACT_NOWAIT or of another CPU's heap
 * Context: task, linux; handler with TACT_NOWAIT on the home CPU. May wait.
 * Cost: O(1), O(waiters) with TACT_PRIO when it waits.
 */
int tact_heap_alloc(tact_heap_t heap, size_t bytes, tact_timeout_t timeout, void **block);

/**
 * Free a block.
 * Returns the number of waiters served, or
 *   -TACT_EINVAL  not an allocated block of this heap, or a block whose bookkeeping was
 *                 overwritten: nothing has changed
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_ENOMEM (as tact_sem_post())
 * Context: task, handler, linux. Cost: O(1), and the time for serving the waiters.
 */
int tact_heap_free(tact_heap_t heap, void *block);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_heap_inquire(tact_heap_t heap, struct tact_heap_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
