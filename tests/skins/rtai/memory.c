/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory by name, heaps, blocks by name. */
#include <rtai_sem.h>
#include <rtai_shm.h>

#include "rtai_test.h"

RTAI_TEST(memory_is_found_by_name)
{
	const unsigned long name = nam2num("MEMORY");
	char *memory;

	FAILS(rt_shm_alloc, NULL, rt_shm_alloc(name, 0, USE_VMALLOC));
	FAILS(rt_shm_alloc, NULL, rt_shm_alloc(name, -1, USE_VMALLOC));
	WORKS(rt_shm_alloc, !(memory = rt_shm_alloc(name, 100, USE_VMALLOC)));
	for (int i = 0; i < 100; i++)
		expect_eq(memory[i], 0);
	memory[99] = 5;
	expect_true(rt_shm_alloc(name, 0, USE_VMALLOC) == memory);
	WORKS(rtai_malloc, rtai_malloc(name, 7) != memory);
	WORKS(rt_shm_alloc_adr, rt_shm_alloc_adr(memory, name, 7, USE_VMALLOC) != memory);
	WORKS(rtai_malloc_adr, rtai_malloc_adr(memory, name, 7) != memory);
	FAILS(rt_shm_alloc_adr, NULL, rt_shm_alloc_adr(GARBAGE, nam2num("NEW"), 7, USE_VMALLOC));
	FAILS(rtai_malloc_adr, NULL, rtai_malloc_adr(GARBAGE, nam2num("NEW"), 7));
	FAILS(rtai_malloc, NULL, rtai_malloc(nam2num("NEW"), 0));
	expect_eq(memory[99], 5);
	WORKS(rt_shm_free, rt_shm_free(name) <= 0);
	WORKS(rtai_free, (rtai_free(name, memory), 0));
	for (int i = 0; i < 8; i++)
		rt_shm_free(name);
	expect_eq(rt_shm_free(name), 0);
	expect_true(!rt_get_adr(name));
	expect_eq(rtai_free(nam2num("NOBODY"), NULL), 0);
	/* What nobody has declared. */
	expect_eq(rtai_free(nam2num("NOBODY"), &nothing_such), 0);
}

RTAI_TEST(heaps_give_blocks)
{
	const unsigned long name = nam2num("HEAP");
	void *heap;
	void *block;

	FAILS(rt_halloc, NULL, rt_halloc(10));
	FAILS(rt_heap_open, NULL, rt_heap_open(name, 4095, USE_VMALLOC));
	WORKS(rt_heap_open, !(heap = rt_heap_open(name, 10000, USE_VMALLOC)));
	expect_true(rt_heap_open(name, 10000, USE_VMALLOC) == heap);
	WORKS(rt_heap_open_adr, rt_heap_open_adr(heap, name, 10000, USE_VMALLOC) != heap);
	FAILS(rt_heap_open_adr, NULL, rt_heap_open_adr(GARBAGE, nam2num("H2"), 10000, USE_VMALLOC));
	WORKS(rt_halloc, !(block = rt_halloc(1000)));
	memset(block, 1, 1000);
	FAILS(rt_halloc, NULL, rt_halloc(0));
	FAILS(rt_halloc, NULL, rt_halloc(20000));
	WORKS(rt_hfree, (rt_hfree(block), 0));
	rt_hfree(NULL);
	WORKS(rt_named_halloc, !(block = rt_named_halloc(nam2num("BLOCK"), 100)));
	expect_true(rt_named_halloc(nam2num("BLOCK"), 100) == block);
	FAILS(rt_named_halloc, NULL, rt_named_halloc(name, 100));
	WORKS(rt_named_hfree, (rt_named_hfree(block), 0));
	expect_true(rt_get_adr(nam2num("BLOCK")) == block);
	rt_named_hfree(block);
	expect_true(!rt_get_adr(nam2num("BLOCK")));
	rt_named_hfree(NULL);
	WORKS(rt_heap_close, rt_heap_close(name, heap) < 0);
	rt_heap_close(name, heap);
	rt_heap_close(name, heap);
	expect_true(!rt_get_adr(name));
}

static void open_in_handler(void *arg)
{
	(void)arg;
	FAILS(rt_global_heap_open, NULL, rt_global_heap_open());
}

RTAI_TEST(global_heap_gives_blocks)
{
	void *block;

	in_handler(open_in_handler);
	WORKS(rt_global_heap_open, !rt_global_heap_open());
	WORKS(rt_halloc, !(block = rt_halloc(64)));
	rt_hfree(block);
	WORKS(rt_malloc, !(block = rt_malloc(1000)));
	FAILS(rt_malloc, NULL, rt_malloc(0));
	FAILS(rt_malloc, NULL, rt_malloc(0x7fffffff));
	WORKS(rt_free, (rt_free(block), 0));
	rt_free(NULL);
	WORKS(rt_named_malloc, !(block = rt_named_malloc(nam2num("PIECE"), 100)));
	expect_true(rt_named_malloc(nam2num("PIECE"), 5) == block);
	expect_true(rt_sem_init(nam2num("S"), 1) != NULL);
	FAILS(rt_named_malloc, NULL, rt_named_malloc(nam2num("S"), 5));
	WORKS(rt_named_free, (rt_named_free(block), 0));
	rt_named_free(block);
	expect_true(!rt_get_adr(nam2num("PIECE")));
	rt_named_free(NULL);
	WORKS(rt_global_heap_close, rt_global_heap_close() < 0);
}
