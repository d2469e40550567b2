/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists, rings, and atomic words. */
#include "vx.h"

#include <lstLib.h>
#include <memPartLib.h>
#include <rngLib.h>
#include <sllLib.h>
#include <stdlib.h>
#include <vxAtomicLib.h>
#include <vxLib.h>

TEST(doubly_linked_lists)
{
	NODE node[6];
	LIST list, other;

	(void)WORKS(lstInit, (lstInit(&list), 0));
	lstInit(&other);
	expect_true(WORKS(lstGet, lstGet(&list) == NULL));
	expect_true(lstFirst(&list) == NULL && lstLast(&list) == NULL && !lstNth(&list, 1));
	for (int n = 0; n < 4; n++)
		(void)WORKS(lstAdd, (lstAdd(&list, &node[n]), 0));
	expect_eq(WORKS(lstCount, lstCount(&list)), 4);
	expect_true(WORKS(lstFirst, lstFirst(&list)) == &node[0]);
	expect_true(WORKS(lstLast, lstLast(&list)) == &node[3]);
	expect_true(WORKS(lstNext, lstNext(&node[0])) == &node[1]);
	expect_true(WORKS(lstPrevious, lstPrevious(&node[3])) == &node[2]);
	expect_true(WORKS(lstNth, lstNth(&list, 2)) == &node[1]);
	expect_true(lstNth(&list, 5) == NULL && lstNth(&list, 0) == NULL);
	expect_true(WORKS(lstNStep, lstNStep(&node[3], -3)) == &node[0]);
	expect_true(lstNStep(&node[0], 4) == NULL);
	expect_eq(WORKS(lstFind, lstFind(&list, &node[2])), 3);
	expect_eq(lstFind(&list, &node[5]), ERROR);
	(void)WORKS(lstInsert, (lstInsert(&list, NULL, &node[4]), 0));
	lstInsert(&list, &node[0], &node[5]);
	/* 4 0 5 1 2 3 */
	(void)WORKS(lstExtract, (lstExtract(&list, &node[0], &node[1], &other), 0));
	expect_eq(lstCount(&other), 3);
	expect_eq(lstCount(&list), 3);
	expect_true(lstFirst(&other) == &node[0] && lstLast(&other) == &node[1]);
	expect_true(lstNext(&node[4]) == &node[2] && lstPrevious(&node[2]) == &node[4]);
	(void)WORKS(lstConcat, (lstConcat(&list, &other), 0));
	expect_eq(lstCount(&list), 6);
	expect_eq(lstCount(&other), 0);
	(void)WORKS(lstDelete, (lstDelete(&list, &node[2]), 0));
	expect_true(lstNext(&node[4]) == &node[3]);
	expect_true(lstGet(&list) == &node[4]);
	lstConcat(&other, &list);
	expect_true(lstLast(&other) == &node[1] && lstNext(&node[1]) == NULL);
}

static int freed;

static void frees(void *node)
{
	(void)node;
	freed++;
}

TEST(nodes_are_freed)
{
	NODE node[2];
	LIST list;

	lstInit(&list);
	for (int n = 0; n < 3; n++)
		lstAdd(&list, malloc(sizeof(NODE)));
	(void)WORKS(lstFree, (lstFree(&list), 0));
	expect_eq(lstCount(&list), 0);
	lstAdd(&list, &node[0]);
	lstAdd(&list, &node[1]);
	(void)WORKS(lstFree2, (lstFree2(&list, frees), 0));
	expect_eq(freed, 2);
}

static int is_not(SL_NODE *node, long other)
{
	return (long)node != other;
}

TEST(singly_linked_lists)
{
	SL_NODE node[3];
	SL_LIST *list = WORKS(sllCreate, sllCreate());

	(void)WORKS(sllInit, sllInit(list));
	FAILS(sllInit, EINVAL, sllInit(NULL));
	FAILS(sllTerminate, EINVAL, sllTerminate(NULL));
	(void)WORKS(sllPutAtTail, (sllPutAtTail(list, &node[1]), 0));
	sllPutAtTail(list, &node[2]);
	(void)WORKS(sllPutAtHead, (sllPutAtHead(list, &node[0]), 0));
	expect_eq(WORKS(sllCount, sllCount(list)), 3);
	expect_true(WORKS(sllPrevious, sllPrevious(list, &node[2])) == &node[1]);
	expect_true(WORKS(sllEach, sllEach(list, is_not, (long)&node[1])) == &node[1]);
	expect_true(sllEach(list, is_not, 0) == NULL);
	(void)WORKS(sllRemove, (sllRemove(list, &node[2], &node[1]), 0));
	expect_true(SLL_LAST(list) == &node[1]);
	expect_true(WORKS(sllGet, sllGet(list)) == &node[0]);
	expect_true(sllGet(list) == &node[1]);
	expect_true(sllGet(list) == NULL && SLL_EMPTY(list));
	(void)WORKS(sllTerminate, sllTerminate(list));
	(void)WORKS(sllDelete, sllDelete(list));
}

TEST(rings_hold_their_bytes)
{
	RING_ID ring = WORKS(rngCreate, rngCreate(5));
	char got[8] = "";

	FAILS(rngCreate, S_memLib_NOT_ENOUGH_MEMORY, rngCreate(0));
	expect_true(WORKS(rngIsEmpty, rngIsEmpty(ring)));
	expect_eq(WORKS(rngBufPut, rngBufPut(ring, "abc", 3)), 3);
	expect_eq(WORKS(rngNBytes, rngNBytes(ring)), 3);
	expect_eq(WORKS(rngFreeBytes, rngFreeBytes(ring)), 2);
	expect_eq(rngBufPut(ring, "defg", 4), 2);
	expect_true(WORKS(rngIsFull, rngIsFull(ring)));
	expect_eq(WORKS(rngBufGet, rngBufGet(ring, got, 4)), 4);
	expect_str(got, "abcd");
	/* Past the end of the memory. */
	expect_eq(rngBufPut(ring, "1234", 4), 4);
	expect_eq(rngBufGet(ring, got, 8), 5);
	expect_true(!memcmp(got, "e1234", 5));
	(void)WORKS(rngPutAhead, (rngPutAhead(ring, 'y', 1), 0));
	rngPutAhead(ring, 'x', 0);
	expect_true(rngIsEmpty(ring));
	(void)WORKS(rngMoveAhead, (rngMoveAhead(ring, 2), 0));
	rngMoveAhead(ring, 4);
	expect_eq(rngBufGet(ring, got, 8), 2);
	expect_true(!memcmp(got, "xy", 2));
	expect_eq(rngBufPut(ring, "z", 1), 1);
	(void)WORKS(rngFlush, (rngFlush(ring), 0));
	expect_true(rngIsEmpty(ring) && !rngIsFull(ring));
	(void)WORKS(rngDelete, (rngDelete(ring), 0));
	rngDelete(NULL);
	expect_eq(rngBufPut(NULL, "a", 1), 0);
	expect_eq(rngBufGet(NULL, got, 1), 0);
	expect_eq(rngFreeBytes(NULL), 0);
	expect_true(rngIsEmpty(NULL) && !rngIsFull(NULL));
}

TEST(atomic_words_give_their_former_value)
{
	atomicVal_t word = 12;
	unsigned char byte = 0;

	expect_eq(WORKS(vxAtomicAdd, vxAtomicAdd(&word, 3)), 12);
	expect_eq(WORKS(vxAtomicSub, vxAtomicSub(&word, 5)), 15);
	expect_eq(WORKS(vxAtomicInc, vxAtomicInc(&word)), 10);
	expect_eq(WORKS(vxAtomicDec, vxAtomicDec(&word)), 11);
	expect_eq(WORKS(vxAtomicAnd, vxAtomicAnd(&word, 6)), 10);
	expect_eq(WORKS(vxAtomicOr, vxAtomicOr(&word, 9)), 2);
	expect_eq(WORKS(vxAtomicXor, vxAtomicXor(&word, 3)), 11);
	expect_eq(WORKS(vxAtomicNand, vxAtomicNand(&word, 12)), 8);
	expect_eq(WORKS(vxAtomicGet, vxAtomicGet(&word)), ~8L);
	expect_eq(WORKS(vxAtomicSet, vxAtomicSet(&word, 4)), ~8L);
	expect_eq(WORKS(vxCas, vxCas(&word, 4, 5)), TRUE);
	expect_eq(vxCas(&word, 4, 6), FALSE);
	expect_eq(WORKS(vxAtomicClear, vxAtomicClear(&word)), 5);
	expect_eq(word, 0);
	expect_eq(WORKS(vxTas, vxTas(&byte)), TRUE);
	expect_eq(vxTas(&byte), FALSE);
}
