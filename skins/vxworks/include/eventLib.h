/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events: 32 bits of each task, which others set and for which the task waits. */
#ifndef VXWORKS_EVENTLIB_H
#define VXWORKS_EVENTLIB_H

#include <objLib.h>
#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

#define S_eventLib_TIMEOUT                  (M_eventLib | 1)
#define S_eventLib_NOT_ALL_EVENTS           (M_eventLib | 2)
#define S_eventLib_ALREADY_REGISTERED       (M_eventLib | 3)
#define S_eventLib_EVENTSEND_FAILED         (M_eventLib | 4)
#define S_eventLib_ZERO_EVENTS              (M_eventLib | 5)
#define S_eventLib_TASK_NOT_REGISTERED      (M_eventLib | 6)
#define S_eventLib_NULL_TASKID_AT_INT_LEVEL (M_eventLib | 7)

/* Options of eventReceive() */
#define EVENTS_WAIT_ALL      0x0
#define EVENTS_WAIT_ANY      0x1
#define EVENTS_RETURN_ALL    0x2 /* *pEventsReceived gets all events, and all are cleared */
#define EVENTS_KEEP_UNWANTED 0x4
#define EVENTS_FETCH         0x80 /* *pEventsReceived gets the events; nothing else happens */

/* Options of semEvStart() and msgQEvStart() */
#define EVENTS_OPTIONS_NONE    0x0
#define EVENTS_SEND_ONCE       0x1
#define EVENTS_ALLOW_OVERWRITE 0x2
#define EVENTS_SEND_IF_FREE    0x4

#define VXEV01 0x00000001
#define VXEV02 0x00000002
#define VXEV03 0x00000004
#define VXEV04 0x00000008
#define VXEV05 0x00000010
#define VXEV06 0x00000020
#define VXEV07 0x00000040
#define VXEV08 0x00000080
#define VXEV09 0x00000100
#define VXEV10 0x00000200
#define VXEV11 0x00000400
#define VXEV12 0x00000800
#define VXEV13 0x00001000
#define VXEV14 0x00002000
#define VXEV15 0x00004000
#define VXEV16 0x00008000
#define VXEV17 0x00010000
#define VXEV18 0x00020000
#define VXEV19 0x00040000
#define VXEV20 0x00080000
#define VXEV21 0x00100000
#define VXEV22 0x00200000
#define VXEV23 0x00400000
#define VXEV24 0x00800000

STATUS eventReceive(UINT32 events, UINT8 options, int timeout, UINT32 *pEventsReceived);
STATUS eventSend(int taskId, UINT32 events);
STATUS eventClear(void);

#ifdef __cplusplus
}
#endif

#endif
