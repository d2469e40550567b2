/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Message queues: messages of at most so many bytes, in the order of sending; an urgent message
 * goes before all others.
 */
#ifndef VXWORKS_MSGQLIB_H
#define VXWORKS_MSGQLIB_H

#include <objLib.h>
#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

#define S_msgQLib_INVALID_MSG_LENGTH            (M_msgQLib | 1)
#define S_msgQLib_NON_ZERO_TIMEOUT_AT_INT_LEVEL (M_msgQLib | 2)
#define S_msgQLib_INVALID_QUEUE_TYPE            (M_msgQLib | 3)

/* Options: the order of waiting tasks. */
#define MSG_Q_FIFO                 0x00
#define MSG_Q_PRIORITY             0x01
#define MSG_Q_EVENTSEND_ERR_NOTIFY 0x02 /* msgQSend() fails if the events cannot be sent */

#define MSG_PRI_NORMAL 0
#define MSG_PRI_URGENT 1

typedef struct msg_q *MSG_Q_ID;

typedef struct {
	int numMsgs;
	int numTasks; /* that wait to send or to receive */
	int options;
	int maxMsgs;
	int maxMsgLength;
} MSG_Q_INFO;

MSG_Q_ID msgQCreate(int maxMsgs, int maxMsgLength, int options);
STATUS msgQDelete(MSG_Q_ID msgQId);
STATUS msgQSend(MSG_Q_ID msgQId, char *buffer, UINT nBytes, int timeout, int priority);
int msgQReceive(MSG_Q_ID msgQId, char *buffer, UINT maxNBytes, int timeout);
int msgQNumMsgs(MSG_Q_ID msgQId);
STATUS msgQInfoGet(MSG_Q_ID msgQId, MSG_Q_INFO *pInfo);
STATUS msgQShow(MSG_Q_ID msgQId, int level);

#ifdef __cplusplus
}
#endif

#endif
