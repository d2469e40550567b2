/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Singly linked lists. */
#include <sllLib.h>

#include <intLib.h>
#include <memPartLib.h>
#include <stdlib.h>

#include "vxworks_internal.h"

STATUS sllInit(SL_LIST *pList)
{
	if (!pList)
		return vxworks_fail(EINVAL);
	pList->head = NULL;
	pList->tail = NULL;
	return OK;
}

SL_LIST *sllCreate(void)
{
	SL_LIST *list;

	if (vxworks_in_handler())
		return vxworks_no_id(S_intLib_NOT_ISR_CALLABLE);
	list = calloc(1, sizeof(*list));
	return list ? list : vxworks_no_id(S_memLib_NOT_ENOUGH_MEMORY);
}

/* The memory of a list that sllCreate() made. */
STATUS sllDelete(SL_LIST *pList)
{
	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	free(pList);
	return OK;
}

STATUS sllTerminate(SL_LIST *pList)
{
	return sllInit(pList);
}

void sllPutAtHead(SL_LIST *pList, SL_NODE *pNode)
{
	pNode->next = pList->head;
	pList->head = pNode;
	if (!pList->tail)
		pList->tail = pNode;
}

void sllPutAtTail(SL_LIST *pList, SL_NODE *pNode)
{
	pNode->next = NULL;
	if (pList->tail)
		pList->tail->next = pNode;
	else
		pList->head = pNode;
	pList->tail = pNode;
}

SL_NODE *sllGet(SL_LIST *pList)
{
	SL_NODE *first = pList->head;

	if (first)
		sllRemove(pList, first, NULL);
	return first;
}

void sllRemove(SL_LIST *pList, SL_NODE *pDeleteNode, SL_NODE *pPrevNode)
{
	if (pPrevNode)
		pPrevNode->next = pDeleteNode->next;
	else
		pList->head = pDeleteNode->next;
	if (pList->tail == pDeleteNode)
		pList->tail = pPrevNode;
}

SL_NODE *sllPrevious(SL_LIST *pList, SL_NODE *pNode)
{
	SL_NODE *node = pList->head;

	while (node && node->next != pNode)
		node = node->next;
	return node;
}

int sllCount(SL_LIST *pList)
{
	int count = 0;

	for (const SL_NODE *node = pList->head; node; node = node->next)
		count++;
	return count;
}

SL_NODE *sllEach(SL_LIST *pList, FUNCPTR routine, _Vx_usr_arg_t routineArg)
{
	BOOL (*goes_on)(SL_NODE *, _Vx_usr_arg_t) = (__typeof__(goes_on))routine;
	SL_NODE *node = pList->head;

	while (node && goes_on(node, routineArg))
		node = node->next;
	return node;
}
