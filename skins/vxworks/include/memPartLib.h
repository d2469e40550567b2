/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Partitions of memory. memSysPartId names the memory of malloc() and free(), which are the C
 * library's. The smallest partition is 4096 bytes.
 */
#ifndef VXWORKS_MEMPARTLIB_H
#define VXWORKS_MEMPARTLIB_H

#include <objLib.h>
#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

#define S_memLib_NOT_ENOUGH_MEMORY (M_memLib | 1)
#define S_memLib_INVALID_NBYTES    (M_memLib | 2)
#define S_memLib_BLOCK_ERROR       (M_memLib | 3)

typedef struct mem_part *PART_ID;

typedef struct {
	unsigned long numBytesFree;
	unsigned long numBlocksFree;
	unsigned long maxBlockSizeFree;
	unsigned long numBytesAlloc;
	unsigned long numBlocksAlloc;
	unsigned long maxBytesAlloc;
} MEM_PART_STATS;

extern PART_ID memSysPartId;

PART_ID memPartCreate(char *pPool, unsigned int poolSize);
STATUS memPartDelete(PART_ID partId);
void *memPartAlloc(PART_ID partId, unsigned int nBytes);
void *memPartAlignedAlloc(PART_ID partId, unsigned int nBytes, unsigned int alignment);
STATUS memPartFree(PART_ID partId, char *pBlock);
STATUS memPartInfoGet(PART_ID partId, MEM_PART_STATS *pPartStats);
/* What memPartInfoGet() tells, as a line; of memSysPartId. */
STATUS memPartShow(PART_ID partId, int type);
void memShow(int type);
STATUS memPartAddToPool(PART_ID partId, char *pPool, unsigned int poolSize);
STATUS memAddToPool(char *pPool, unsigned int poolSize);

#ifdef __cplusplus
}
#endif

#endif
