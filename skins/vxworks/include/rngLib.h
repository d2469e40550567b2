/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ring buffers of bytes. One task may put while another one gets, without a lock. NULL is no ring:
 * functions give 0 or ERROR for it, as the reference says.
 */
#ifndef VXWORKS_RNGLIB_H
#define VXWORKS_RNGLIB_H

#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ring *RING_ID;

RING_ID rngCreate(int nbytes);
void rngDelete(RING_ID ringId);
void rngFlush(RING_ID ringId);
int rngBufGet(RING_ID rngId, char *buffer, int maxbytes);
int rngBufPut(RING_ID rngId, char *buffer, int nbytes);
BOOL rngIsEmpty(RING_ID ringId);
BOOL rngIsFull(RING_ID ringId);
int rngFreeBytes(RING_ID ringId);
int rngNBytes(RING_ID ringId);
/* Put a byte ahead of the ring, without moving its end; move the end. */
void rngPutAhead(RING_ID ringId, char byte, int offset);
void rngMoveAhead(RING_ID ringId, int n);

#ifdef __cplusplus
}
#endif

#endif
