/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Singly linked lists. A node is the first member of what is linked. No function locks anything. */
#ifndef VXWORKS_SLLLIB_H
#define VXWORKS_SLLLIB_H

#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slnode {
	struct slnode *next;
} SL_NODE;

typedef struct {
	SL_NODE *head;
	SL_NODE *tail;
} SL_LIST;

#define SLL_FIRST(pList) ((pList)->head)
#define SLL_LAST(pList)  ((pList)->tail)
#define SLL_NEXT(pNode)  ((pNode)->next)
#define SLL_EMPTY(pList) ((pList)->head == NULL)

STATUS sllInit(SL_LIST *pList);
SL_LIST *sllCreate(void);
STATUS sllDelete(SL_LIST *pList);
STATUS sllTerminate(SL_LIST *pList);
void sllPutAtHead(SL_LIST *pList, SL_NODE *pNode);
void sllPutAtTail(SL_LIST *pList, SL_NODE *pNode);
SL_NODE *sllGet(SL_LIST *pList);
void sllRemove(SL_LIST *pList, SL_NODE *pDeleteNode, SL_NODE *pPrevNode);
SL_NODE *sllPrevious(SL_LIST *pList, SL_NODE *pNode);
int sllCount(SL_LIST *pList);
SL_NODE *sllEach(SL_LIST *pList, FUNCPTR routine, _Vx_usr_arg_t routineArg);

#ifdef __cplusplus
}
#endif

#endif
