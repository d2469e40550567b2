/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Doubly linked lists. A node is the first member of what is linked. No function locks anything. */
#ifndef VXWORKS_LSTLIB_H
#define VXWORKS_LSTLIB_H

#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct node {
	struct node *next;
	struct node *previous;
} NODE;

typedef struct {
	NODE node; /* first and last of the list */
	int count;
} LIST;

#define HEAD node.next
#define TAIL node.previous

typedef void (*FREEFUNC)(void *);

void lstInit(LIST *pList);
void lstAdd(LIST *pList, NODE *pNode);
void lstConcat(LIST *pDstList, LIST *pAddList);
int lstCount(LIST *pList);
void lstDelete(LIST *pList, NODE *pNode);
void lstExtract(LIST *pSrcList, NODE *pStartNode, NODE *pEndNode, LIST *pDstList);
NODE *lstFirst(LIST *pList);
NODE *lstGet(LIST *pList);
void lstInsert(LIST *pList, NODE *pPrev, NODE *pNode);
NODE *lstLast(LIST *pList);
NODE *lstNext(NODE *pNode);
NODE *lstNth(LIST *pList, int nodenum);
NODE *lstPrevious(NODE *pNode);
NODE *lstNStep(NODE *pNode, int nStep);
int lstFind(LIST *pList, NODE *pNode);
void lstFree(LIST *pList);
void lstFree2(LIST *pList, FREEFUNC freeFunc);

#ifdef __cplusplus
}
#endif

#endif
