/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores that send events to one task when they become free and nobody waits for them. */
#ifndef VXWORKS_SEMEVLIB_H
#define VXWORKS_SEMEVLIB_H

#include <eventLib.h>
#include <semLib.h>

#ifdef __cplusplus
extern "C" {
#endif

STATUS semEvStart(SEM_ID semId, UINT32 events, UINT8 options);
STATUS semEvStop(SEM_ID semId);

#ifdef __cplusplus
}
#endif

#endif
