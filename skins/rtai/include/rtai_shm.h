/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory by names, heaps, and blocks of heaps. A heap is opened before use; blocks come from the
 * heap that the calling task opened last.
 */
#ifndef TACTUS_RTAI_SHM_H
#define TACTUS_RTAI_SHM_H

#include <rtai_lxrt.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define GLOBAL_HEAP_ID 0x9ac6d9e7

/* How RTAI makes memory: accepted, and not needed. */
#define USE_VMALLOC    0
#define USE_GFP_KERNEL 1
#define USE_GFP_ATOMIC 2
#define USE_GFP_DMA    3

#define rtai_kmalloc(name, size) rt_shm_alloc(name, size, USE_VMALLOC)
#define rtai_kfree(name)         rt_shm_free(name)

#define rt_heap_init        rt_heap_open
#define rt_heap_create      rt_heap_open
#define rt_heap_acquire     rt_heap_open
#define rt_heap_init_adr    rt_heap_open_adr
#define rt_heap_create_adr  rt_heap_open_adr
#define rt_heap_acquire_adr rt_heap_open_adr
#define rt_heap_delete      rt_heap_close
#define rt_heap_destroy     rt_heap_close
#define rt_heap_release     rt_heap_close

/**
 * The memory of a name, made and zeroed if there is none, otherwise with the size that it has. Uses
 * are counted; it goes with the last use of the last program of the user, or of the session
 * (TACTUS_SESSION). suprt is not needed. Returns it.
 * Errors:
 *   NULL         size is 0 or less, and there is none of the name; there is no memory
 * Context: task, main().
 */
void *rt_shm_alloc(unsigned long name, int size, int suprt);

/**
 * The same; an address is not heeded, unless it is NULL or where the memory is.
 * Errors:
 *   NULL         another address; or as rt_shm_alloc()
 * Context: task, main().
 */
void *rt_shm_alloc_adr(void *start_address, unsigned long name, int size, int suprt);

/**
 * rt_shm_alloc(name, size, USE_VMALLOC).
 * Errors:
 *   NULL         as rt_shm_alloc()
 * Context: task, main().
 */
void *rtai_malloc(unsigned long name, int size);

/**
 * rt_shm_alloc_adr() with USE_VMALLOC.
 * Errors:
 *   NULL         as rt_shm_alloc_adr()
 * Context: task, main().
 */
void *rtai_malloc_adr(void *start_address, unsigned long name, int size);

/**
 * Give up one use, and free the memory with the last one. Returns its size; 0: there is none of
 * this name.
 * Context: task, main().
 */
int rt_shm_free(unsigned long name);

/**
 * rt_shm_free(name).
 * Context: task, main().
 */
int rtai_free(unsigned long name, void *adr);
/* As in RTAI, where programs may write anything for adr. */
#define rtai_free(name, adr) rt_shm_free(name)

/**
 * The heap of a name, made if there is none; it is the heap of rt_halloc() of the calling task
 * from now on. Returns its memory.
 * Errors:
 *   NULL         size is below 4096, and there is none of the name; there is no memory
 * Context: task, main().
 */
void *rt_heap_open(unsigned long name, int size, int suprt);

/**
 * The same; an address is not heeded, unless it is NULL or where the memory is.
 * Errors:
 *   NULL         another address; or as rt_heap_open()
 * Context: task, main().
 */
void *rt_heap_open_adr(void *start, unsigned long name, int size, int suprt);

/**
 * Give up one use, and delete the heap with the last one. Returns its size; 0: there is none of
 * this name.
 * Context: task, main().
 */
int rt_heap_close(unsigned long name, void *adr);

/**
 * The heap of all tasks, as rt_heap_open().
 * Errors:
 *   NULL         there is no memory; the caller is a handler, and nobody has used the heap before
 * Context: task, main().
 */
void *rt_global_heap_open(void);

/**
 * Give up the use of it. Returns its size; 0: it was not open.
 * Context: task, main().
 */
int rt_global_heap_close(void);

/**
 * Memory of the heap that the caller opened last.
 * Errors:
 *   NULL         size is 0 or less; no heap was opened; it is full
 * Context: task, main().
 */
void *rt_halloc(int size);

/**
 * Give memory of rt_halloc() back. Another address does nothing.
 * Context: task, main().
 */
void rt_hfree(void *addr);

/**
 * The same with a name: if there is memory of this name, it is used once more.
 * Errors:
 *   NULL         as rt_halloc(); the name is another object's
 * Context: task, main().
 */
void *rt_named_halloc(unsigned long name, int size);

/**
 * Give up one use of it.
 * Context: task, main().
 */
void rt_named_hfree(void *addr);

/**
 * Memory of the heap of all tasks.
 * Errors:
 *   NULL         size is 0 or less; the heap is full
 * Context: any.
 */
void *rt_malloc(int size);

/**
 * Give memory of rt_malloc() back. Another address does nothing.
 * Context: any.
 */
void rt_free(void *addr);

/**
 * The same with a name: if there is memory of this name, it is used once more.
 * Errors:
 *   NULL         as rt_malloc(); the name is another object's
 * Context: task, main().
 */
void *rt_named_malloc(unsigned long name, int size);

/**
 * Give up one use of it.
 * Context: task, main().
 */
void rt_named_free(void *addr);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef __KERNEL__
#include <rtai_module/shm.h>
#endif

#endif
