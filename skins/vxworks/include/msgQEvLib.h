/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Message queues that send events to one task when a message comes and nobody waits for it. */
#ifndef VXWORKS_MSGQEVLIB_H
#define VXWORKS_MSGQEVLIB_H

#include <eventLib.h>
#include <msgQLib.h>

#ifdef __cplusplus
extern "C" {
#endif

STATUS msgQEvStart(MSG_Q_ID msgQId, UINT32 events, UINT8 options);
STATUS msgQEvStop(MSG_Q_ID msgQId);

#ifdef __cplusplus
}
#endif

#endif
