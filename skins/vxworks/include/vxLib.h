/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What needs the processor. */
#ifndef VXWORKS_VXLIB_H
#define VXWORKS_VXLIB_H

#include <objLib.h>
#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VX_READ  0
#define VX_WRITE 1

/* Set a byte that is 0 to 0xff. TRUE: it was 0. */
BOOL vxTas(void *address);
/* Copy 1, 2, 4 or 8 bytes; ERROR: nothing is mapped there. */
STATUS vxMemProbe(char *adrs, int mode, int length, char *pVal);

#ifdef __cplusplus
}
#endif

#endif
