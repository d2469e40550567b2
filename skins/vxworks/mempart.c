/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Partitions of memory: heaps of the nucleus in memory of the program. memory that is added makes
 * one more heap. memSysPartId stands for the memory of the C library.
 */
#include <memPartLib.h>

#include <intLib.h>
#include <malloc.h>
#include <stdlib.h>

#include "vxworks_internal.h"

/* Above all ids of records. */
#define SYSTEM_ID     ((PART_ID)(uintptr_t)0x80000000u)
#define ALIGNED_MAGIC 0x616c6967u
#define PLAIN_ALIGN   16u /* of what a heap gives */

PART_ID memSysPartId = SYSTEM_ID;

/* Lies before a block that was aligned. */
struct aligned {
	void *block;
	uintptr_t mark; /* of the address and ALIGNED_MAGIC */
};

static struct vxworks_object *find(PART_ID id)
{
	struct vxworks_object *partition = vxworks_find(id, VXWORKS_PARTITION);

	if (!partition)
		(void)vxworks_fail(S_objLib_OBJ_ID_ERROR);
	return partition;
}

static int add(struct vxworks_partition *partition, const char *key, char *pool, size_t bytes)
{
	const uint32_t count = atomic_load(&partition->pieces);
	struct vxworks_piece *piece = &partition->piece[count];
	int error;

	if (count == VXWORKS_PIECES)
		return -TACT_ENOMEM;
	*piece = (struct vxworks_piece){.begin = pool, .end = pool + bytes};
	error = tact_heap_create(key, pool, bytes, TACT_FIFO, &piece->heap);
	if (!error)
		atomic_store(&partition->pieces, count + 1);
	return error;
}

struct how {
	char *pool;
	size_t bytes;
};

static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	const struct how *piece = how;
	struct vxworks_partition *partition = &((struct vxworks_object *)record)->partition;
	int error = add(partition, key, piece->pool, piece->bytes);

	*native = tact_object(partition->piece[0].heap);
	return error;
}

PART_ID memPartCreate(char *pPool, unsigned int poolSize)
{
	const struct how how = {pPool, poolSize};

	if (vxworks_begin() == ERROR)
		return NULL;
	if (!pPool || poolSize < TACT_HEAP_BYTES_MIN)
		return vxworks_no_id(S_memLib_INVALID_NBYTES);
	return vxworks_create(VXWORKS_PARTITION, make, &how);
}

STATUS memPartDelete(PART_ID partId)
{
	struct vxworks_object *partition;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	partition = find(partId);
	if (!partition)
		return ERROR;
	for (uint32_t i = 1; i < atomic_load(&partition->partition.pieces); i++)
		(void)tact_heap_delete(partition->partition.piece[i].heap);
	return vxworks_delete(partId, VXWORKS_PARTITION);
}

STATUS memPartAddToPool(PART_ID partId, char *pPool, unsigned int poolSize)
{
	struct vxworks_object *partition;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (partId == SYSTEM_ID)
		return memAddToPool(pPool, poolSize);
	partition = find(partId);
	if (!partition)
		return ERROR;
	if (!pPool || poolSize < TACT_HEAP_BYTES_MIN)
		return vxworks_fail(S_memLib_INVALID_NBYTES);
	return add(&partition->partition, NULL, pPool, poolSize)
		       ? vxworks_fail(S_memLib_NOT_ENOUGH_MEMORY)
		       : OK;
}

/* The C library gets what it needs from Linux. */
STATUS memAddToPool(char *pPool, unsigned int poolSize)
{
	return pPool && poolSize ? OK : vxworks_fail(S_memLib_INVALID_NBYTES);
}

static void *alloc(struct vxworks_partition *partition, size_t bytes)
{
	void *block;

	for (uint32_t i = 0; i < atomic_load(&partition->pieces); i++)
		if (!tact_heap_alloc(partition->piece[i].heap, bytes, TACT_NOWAIT, &block))
			return block;
	return vxworks_no_id(S_memLib_NOT_ENOUGH_MEMORY);
}

void *memPartAlloc(PART_ID partId, unsigned int nBytes)
{
	return memPartAlignedAlloc(partId, nBytes, PLAIN_ALIGN);
}

static void *align(void *block, uintptr_t alignment)
{
	const uintptr_t at =
		((uintptr_t)block + sizeof(struct aligned) + alignment - 1) & ~(alignment - 1);
	struct aligned *before = (struct aligned *)at - 1;

	*before = (struct aligned){block, at ^ ALIGNED_MAGIC};
	return (void *)at;
}

void *memPartAlignedAlloc(PART_ID partId, unsigned int nBytes, unsigned int alignment)
{
	struct vxworks_object *partition;
	void *block;

	if (vxworks_in_handler())
		return vxworks_no_id(S_intLib_NOT_ISR_CALLABLE);
	if (!nBytes || !alignment || alignment & (alignment - 1))
		return vxworks_no_id(S_memLib_INVALID_NBYTES);
	if (partId == SYSTEM_ID) {
		block = aligned_alloc(alignment, ROUND_UP(nBytes, alignment));
		return block ? block : vxworks_no_id(S_memLib_NOT_ENOUGH_MEMORY);
	}
	partition = find(partId);
	if (!partition)
		return NULL;
	if (alignment <= PLAIN_ALIGN)
		return alloc(&partition->partition, nBytes);
	block = alloc(&partition->partition, nBytes + sizeof(struct aligned) + (size_t)alignment);
	return block ? align(block, alignment) : NULL;
}

static const struct vxworks_piece *piece_of(const struct vxworks_partition *partition,
					    const char *block)
{
	for (uint32_t i = 0; i < atomic_load(&partition->pieces); i++)
		if (block >= partition->piece[i].begin + sizeof(struct aligned) &&
		    block < partition->piece[i].end)
			return &partition->piece[i];
	return NULL;
}

static int free_in(const struct vxworks_piece *piece, char *block)
{
	const struct aligned *before = (const struct aligned *)(void *)block - 1;

	/* A plain block may have this mark before it by chance, but then is a block itself. */
	if (!((uintptr_t)block % PLAIN_ALIGN) && tact_heap_free(piece->heap, block) >= 0)
		return 0;
	if ((uintptr_t)block % PLAIN_ALIGN || before->mark != ((uintptr_t)block ^ ALIGNED_MAGIC))
		return -TACT_EINVAL;
	return tact_heap_free(piece->heap, before->block);
}

STATUS memPartFree(PART_ID partId, char *pBlock)
{
	const struct vxworks_object *partition;
	const struct vxworks_piece *piece;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (partId == SYSTEM_ID) {
		free(pBlock);
		return OK;
	}
	partition = find(partId);
	if (!partition)
		return ERROR;
	piece = piece_of(&partition->partition, pBlock);
	return piece && free_in(piece, pBlock) >= 0 ? OK : vxworks_fail(S_memLib_BLOCK_ERROR);
}

static void system_info(MEM_PART_STATS *stats)
{
	const struct mallinfo2 info = mallinfo2();

	*stats = (MEM_PART_STATS){
		.numBytesFree = info.fordblks,
		.numBlocksFree = info.ordblks,
		.maxBlockSizeFree = info.keepcost,
		.numBytesAlloc = info.uordblks + info.hblkhd,
		.numBlocksAlloc = info.hblks,
		.maxBytesAlloc = info.arena + info.hblkhd,
	};
}

STATUS memPartInfoGet(PART_ID partId, MEM_PART_STATS *pPartStats)
{
	const struct vxworks_object *partition;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!pPartStats)
		return vxworks_fail(EINVAL);
	if (partId == SYSTEM_ID) {
		system_info(pPartStats);
		return OK;
	}
	partition = find(partId);
	if (!partition)
		return ERROR;
	*pPartStats = (MEM_PART_STATS){0};
	for (uint32_t i = 0; i < atomic_load(&partition->partition.pieces); i++) {
		struct tact_heap_info info = {0};

		(void)tact_heap_inquire(partition->partition.piece[i].heap, &info);
		pPartStats->numBytesFree += info.total_bytes - info.used_bytes;
		pPartStats->numBlocksFree++;
		if (info.largest_bytes > pPartStats->maxBlockSizeFree)
			pPartStats->maxBlockSizeFree = info.largest_bytes;
		pPartStats->numBytesAlloc += info.used_bytes;
		pPartStats->numBlocksAlloc += info.blocks;
		pPartStats->maxBytesAlloc += info.peak_bytes;
	}
	return OK;
}
