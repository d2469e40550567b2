/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Doubly linked lists. The first node has no previous one, the last no next one. */
#include <lstLib.h>

#include <stdlib.h>

#include "vxworks_internal.h"

void lstInit(LIST *pList)
{
	pList->HEAD = NULL;
	pList->TAIL = NULL;
	pList->count = 0;
}

void lstAdd(LIST *pList, NODE *pNode)
{
	lstInsert(pList, pList->TAIL, pNode);
}

void lstConcat(LIST *pDstList, LIST *pAddList)
{
	if (!pAddList->count)
		return;
	if (pDstList->count) {
		pDstList->TAIL->next = pAddList->HEAD;
		pAddList->HEAD->previous = pDstList->TAIL;
		pDstList->TAIL = pAddList->TAIL;
	} else {
		pDstList->node = pAddList->node;
	}
	pDstList->count += pAddList->count;
	lstInit(pAddList);
}

int lstCount(LIST *pList)
{
	return pList->count;
}

/* Take the nodes from first to last out of the list; they stay linked to each other. */
static void cut(LIST *list, NODE *first, NODE *last)
{
	if (first->previous)
		first->previous->next = last->next;
	else
		list->HEAD = last->next;
	if (last->next)
		last->next->previous = first->previous;
	else
		list->TAIL = first->previous;
}

void lstDelete(LIST *pList, NODE *pNode)
{
	cut(pList, pNode, pNode);
	pList->count--;
}

void lstExtract(LIST *pSrcList, NODE *pStartNode, NODE *pEndNode, LIST *pDstList)
{
	int count = 1;

	cut(pSrcList, pStartNode, pEndNode);
	for (const NODE *node = pStartNode; node != pEndNode; node = node->next)
		count++;
	pStartNode->previous = NULL;
	pEndNode->next = NULL;
	pDstList->HEAD = pStartNode;
	pDstList->TAIL = pEndNode;
	pDstList->count = count;
	pSrcList->count -= count;
}

NODE *lstFirst(LIST *pList)
{
	return pList->HEAD;
}

NODE *lstGet(LIST *pList)
{
	NODE *first = pList->HEAD;

	if (first)
		lstDelete(pList, first);
	return first;
}

void lstInsert(LIST *pList, NODE *pPrev, NODE *pNode)
{
	NODE *next = pPrev ? pPrev->next : pList->HEAD;

	pNode->previous = pPrev;
	pNode->next = next;
	if (pPrev)
		pPrev->next = pNode;
	else
		pList->HEAD = pNode;
	if (next)
		next->previous = pNode;
	else
		pList->TAIL = pNode;
	pList->count++;
}

NODE *lstLast(LIST *pList)
{
	return pList->TAIL;
}

NODE *lstNext(NODE *pNode)
{
	return pNode->next;
}

NODE *lstNth(LIST *pList, int nodenum)
{
	if (nodenum < 1 || nodenum > pList->count)
		return NULL;
	return lstNStep(pList->HEAD, nodenum - 1);
}

NODE *lstPrevious(NODE *pNode)
{
	return pNode->previous;
}

NODE *lstNStep(NODE *pNode, int nStep)
{
	for (; pNode && nStep > 0; nStep--)
		pNode = pNode->next;
	for (; pNode && nStep < 0; nStep++)
		pNode = pNode->previous;
	return pNode;
}

int lstFind(LIST *pList, NODE *pNode)
{
	int place = 1;

	for (const NODE *node = pList->HEAD; node; node = node->next, place++)
		if (node == pNode)
			return place;
	return ERROR;
}

void lstFree2(LIST *pList, FREEFUNC freeFunc)
{
	NODE *node;

	/* The memory is the C library's. */
	if (vxworks_in_handler())
		return;
	while ((node = lstGet(pList)))
		freeFunc(node);
}

void lstFree(LIST *pList)
{
	lstFree2(pList, free);
}
