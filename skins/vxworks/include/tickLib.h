/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The counter of ticks. */
#ifndef VXWORKS_TICKLIB_H
#define VXWORKS_TICKLIB_H

#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

ULONG tickGet(void);
void tickSet(ULONG ticks);
UINT64 tick64Get(void);
void tick64Set(UINT64 ticks);
void tickAnnounce(void);

#ifdef __cplusplus
}
#endif

#endif
