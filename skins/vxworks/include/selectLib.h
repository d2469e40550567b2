/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * select(), and what a driver does for it. If a task waits, the driver's ioctl() gets FIOSELECT
 * with a node, which it adds to the list of its device, and FIOUNSELECT with the same node when the
 * wait is over. A node is a small number, whatever its type: it fits an int.
 */
#ifndef VXWORKS_SELECTLIB_H
#define VXWORKS_SELECTLIB_H

#include <sys/select.h>
#include <sys/time.h>

#include <vwModNum.h>
#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#else
/* The C library's fd_set, as the vendor's examples name it. */
struct fd_set {
#ifdef __USE_XOPEN
	__fd_mask fds_bits[FD_SETSIZE / __NFDBITS];
#else
	__fd_mask __fds_bits[FD_SETSIZE / __NFDBITS];
#endif
};
#endif

#define S_selectLib_NO_SELECT_SUPPORT_IN_DRIVER (M_selectLib | 1)
#define S_selectLib_NO_SELECT_CONTEXT           (M_selectLib | 2)
#define S_selectLib_WIDTH_OUT_OF_RANGE          (M_selectLib | 3)

typedef enum { SELREAD, SELWRITE } SELECT_TYPE;

typedef struct sel_wakeup_node SEL_WAKEUP_NODE;

/* The nodes of a device. Zeroed memory is an empty list. */
#define SEL_WAKEUP_NODES 32
typedef struct {
	UINT64 nodes[SEL_WAKEUP_NODES];
} SEL_WAKEUP_LIST;

void selectInit(int numFiles);
void selWakeup(SEL_WAKEUP_NODE *pWakeupNode);
void selWakeupAll(SEL_WAKEUP_LIST *pWakeupList, SELECT_TYPE type);
STATUS selNodeAdd(SEL_WAKEUP_LIST *pWakeupList, SEL_WAKEUP_NODE *pWakeupNode);
STATUS selNodeDelete(SEL_WAKEUP_LIST *pWakeupList, SEL_WAKEUP_NODE *pWakeupNode);
void selWakeupListInit(SEL_WAKEUP_LIST *pWakeupList);
void selWakeupListTerm(SEL_WAKEUP_LIST *pWakeupList);
int selWakeupListLen(SEL_WAKEUP_LIST *pWakeupList);
SELECT_TYPE selWakeupType(SEL_WAKEUP_NODE *pWakeupNode);

#ifdef __cplusplus
}
#endif

#endif
