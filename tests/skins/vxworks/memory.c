/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Partitions of memory, probing, and symbols. */
#include "vx.h"

#include <memLib.h>
#include <rngLib.h>
#include <sllLib.h>
#include <sysSymTbl.h>
#include <vxLib.h>

static _Alignas(16) char pool[8192];
static _Alignas(16) char more[16][4096];
static PART_ID const no_partition = (PART_ID)(uintptr_t)12345;

TEST(partition_gives_blocks_of_its_memory)
{
	PART_ID partition = WORKS(memPartCreate, memPartCreate(pool, sizeof(pool)));
	char *block = WORKS(memPartAlloc, memPartAlloc(partition, 100));
	char *aligned = WORKS(memPartAlignedAlloc, memPartAlignedAlloc(partition, 64, 256));
	MEM_PART_STATS stats;

	expect_true(block >= pool && block < pool + sizeof(pool));
	expect_eq((uintptr_t)aligned % 256, 0);
	memset(aligned, 1, 64);
	(void)WORKS(memPartInfoGet, memPartInfoGet(partition, &stats));
	expect_eq(stats.numBlocksAlloc, 2);
	(void)WORKS(memPartFree, memPartFree(partition, aligned));
	FAILS(memPartFree, S_memLib_BLOCK_ERROR, memPartFree(partition, aligned));
	FAILS(memPartFree, S_memLib_BLOCK_ERROR, memPartFree(partition, block + 1));
	FAILS(memPartFree, S_memLib_BLOCK_ERROR, memPartFree(partition, NULL));
	FAILS(memPartFree, S_memLib_BLOCK_ERROR, memPartFree(partition, more[0] + 64));
	(void)WORKS(memPartFree, memPartFree(partition, block));
	FAILS(memPartAlloc, S_memLib_NOT_ENOUGH_MEMORY, memPartAlloc(partition, 10000));
	FAILS(memPartAlignedAlloc, S_memLib_NOT_ENOUGH_MEMORY,
	      memPartAlignedAlloc(partition, 10000, 64));
	FAILS(memPartAlloc, S_memLib_INVALID_NBYTES, memPartAlloc(partition, 0));
	FAILS(memPartAlignedAlloc, S_memLib_INVALID_NBYTES, memPartAlignedAlloc(partition, 10, 48));
	(void)WORKS(memPartDelete, memPartDelete(partition));
	FAILS(memPartDelete, S_objLib_OBJ_ID_ERROR, memPartDelete(partition));
}

TEST(memory_is_added_to_a_partition)
{
	PART_ID partition = memPartCreate(pool, 4096);
	char *block;

	while (memPartAlloc(partition, 512))
		;
	(void)WORKS(memPartAddToPool, memPartAddToPool(partition, more[0], sizeof(more[0])));
	block = memPartAlloc(partition, 512);
	expect_true(block >= more[0] && block < more[1]);
	expect_eq(memPartFree(partition, block), OK);
	for (int n = 1; n < 15; n++)
		expect_eq(memPartAddToPool(partition, more[n], sizeof(more[n])), OK);
	FAILS(memPartAddToPool, S_memLib_NOT_ENOUGH_MEMORY,
	      memPartAddToPool(partition, more[15], sizeof(more[15])));
	FAILS(memPartAddToPool, S_memLib_INVALID_NBYTES, memPartAddToPool(partition, more[15], 10));
	FAILS(memPartAddToPool, S_objLib_OBJ_ID_ERROR, memPartAddToPool(no_partition, pool, 4096));
	expect_eq(memPartDelete(partition), OK);
}

TEST(wrong_partitions_are_refused)
{
	PART_ID partition = memPartCreate(pool, 4096);

	FAILS(memPartCreate, S_memLib_INVALID_NBYTES, memPartCreate(NULL, 4096));
	FAILS(memPartCreate, S_memLib_INVALID_NBYTES, memPartCreate(pool, 100));
	FAILS(memPartAlloc, S_objLib_OBJ_ID_ERROR, memPartAlloc(no_partition, 1));
	FAILS(memPartAlignedAlloc, S_objLib_OBJ_ID_ERROR, memPartAlignedAlloc(NULL, 1, 16));
	FAILS(memPartFree, S_objLib_OBJ_ID_ERROR, memPartFree(no_partition, pool));
	FAILS(memPartInfoGet, S_objLib_OBJ_ID_ERROR,
	      memPartInfoGet(no_partition, &(MEM_PART_STATS){0}));
	FAILS(memPartInfoGet, EINVAL, memPartInfoGet(partition, NULL));
	expect_eq(memPartDelete(partition), OK);
}

TEST(system_partition_is_that_of_malloc)
{
	MEM_PART_STATS stats;
	char *block = memPartAlloc(WORKS(memSysPartId, memSysPartId), 100);

	expect_true(block != NULL);
	expect_eq(memPartFree(memSysPartId, block), OK);
	block = memPartAlignedAlloc(memSysPartId, 100, 128);
	expect_eq((uintptr_t)block % 128, 0);
	free(block);
	expect_eq(memPartInfoGet(memSysPartId, &stats), OK);
	/* A sanitizer has a malloc() of its own. */
	expect_true(stats.numBytesAlloc > 0 || test_sanitized());
	(void)WORKS(memAddToPool, memAddToPool(pool, sizeof(pool)));
	FAILS(memAddToPool, S_memLib_INVALID_NBYTES, memAddToPool(NULL, 1));
}

TEST(memory_is_probed)
{
	int word = 7;
	int copy = 0;

	(void)WORKS(vxMemProbe, vxMemProbe((char *)&word, VX_READ, 4, (char *)&copy));
	expect_eq(copy, 7);
	copy = 8;
	(void)WORKS(vxMemProbe, vxMemProbe((char *)&word, VX_WRITE, 4, (char *)&copy));
	expect_eq(word, 8);
	FAILS(vxMemProbe, EFAULT, vxMemProbe((char *)64, VX_READ, 4, (char *)&copy));
	FAILS(vxMemProbe, EINVAL, vxMemProbe((char *)&word, VX_READ, 3, (char *)&copy));
	FAILS(vxMemProbe, EINVAL, vxMemProbe((char *)&word, 5, 4, (char *)&copy));
}

TEST(symbols_are_found)
{
	char *found = NULL;
	SYM_TYPE type = 0;
	SYMTAB_ID table = WORKS(sysSymTbl, sysSymTbl);

	(void)WORKS(symFindByName, symFindByName(table, "taskSpawn", &found, &type));
	expect_true(found == (char *)(uintptr_t)taskSpawn && type & SYM_TEXT);
	FAILS(symFindByName, S_symLib_SYMBOL_NOT_FOUND,
	      symFindByName(sysSymTbl, "no_such_symbol", &found, &type));
	FAILS(symFindByName, S_objLib_OBJ_ID_ERROR,
	      symFindByName(NULL, "taskSpawn", &found, &type));
}

static void handler(void *arg)
{
	PART_ID partition = arg;
	char *found;

	FAILS(memPartCreate, S_intLib_NOT_ISR_CALLABLE, memPartCreate(pool, 4096));
	FAILS(memPartDelete, S_intLib_NOT_ISR_CALLABLE, memPartDelete(partition));
	FAILS(memPartAlloc, S_intLib_NOT_ISR_CALLABLE, memPartAlloc(partition, 1));
	FAILS(memPartAlignedAlloc, S_intLib_NOT_ISR_CALLABLE, memPartAlignedAlloc(partition, 1, 1));
	FAILS(memPartFree, S_intLib_NOT_ISR_CALLABLE, memPartFree(partition, pool));
	FAILS(memPartInfoGet, S_intLib_NOT_ISR_CALLABLE, memPartInfoGet(partition, NULL));
	FAILS(memPartAddToPool, S_intLib_NOT_ISR_CALLABLE, memPartAddToPool(partition, pool, 1));
	FAILS(rngCreate, S_intLib_NOT_ISR_CALLABLE, rngCreate(10));
	FAILS(sllCreate, S_intLib_NOT_ISR_CALLABLE, sllCreate());
	FAILS(sllDelete, S_intLib_NOT_ISR_CALLABLE, sllDelete(NULL));
	printErrno(0);
	rngDelete(NULL);
	FAILS(symFindByName, S_intLib_NOT_ISR_CALLABLE,
	      symFindByName(sysSymTbl, "x", &found, NULL));
	FAILS(vxMemProbe, S_intLib_NOT_ISR_CALLABLE, vxMemProbe(pool, VX_READ, 1, pool));
}

TEST(handlers_do_not_allocate)
{
	test_in_handler(handler, memPartCreate(pool, 4096));
}
