/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Message queues: what each call returns, and in which order messages and tasks are served. */
#include "vx.h"

#include <memPartLib.h>
#include <msgQLib.h>
#include <tickLib.h>

static MSG_Q_ID const no_queue = (MSG_Q_ID)(uintptr_t)12345;

TEST(urgent_messages_come_first)
{
	MSG_Q_ID queue = WORKS(msgQCreate, msgQCreate(3, 4, MSG_Q_PRIORITY));
	char got[4];

	(void)WORKS(msgQSend, msgQSend(queue, "one", 4, NO_WAIT, MSG_PRI_NORMAL));
	(void)WORKS(msgQSend, msgQSend(queue, "two", 4, WAIT_FOREVER, MSG_PRI_NORMAL));
	(void)WORKS(msgQSend, msgQSend(queue, "urg", 4, 5, MSG_PRI_URGENT));
	expect_eq(WORKS(msgQNumMsgs, msgQNumMsgs(queue)), 3);
	FAILS(msgQSend, S_objLib_OBJ_UNAVAILABLE, msgQSend(queue, "4", 2, NO_WAIT, MSG_PRI_NORMAL));
	FAILS(msgQSend, S_objLib_OBJ_TIMEOUT, msgQSend(queue, "4", 2, 1, MSG_PRI_NORMAL));
	(void)WORKS(msgQShow, msgQShow(queue, 0));
	expect_eq(WORKS(msgQReceive, msgQReceive(queue, got, 4, NO_WAIT)), 4);
	expect_str(got, "urg");
	expect_eq(msgQReceive(queue, got, 4, NO_WAIT), 4);
	expect_str(got, "one");
	/* A short buffer gets the beginning. */
	expect_eq(msgQReceive(queue, got, 2, 1), 2);
	FAILS(msgQReceive, S_objLib_OBJ_UNAVAILABLE, msgQReceive(queue, got, 4, NO_WAIT));
	FAILS(msgQReceive, S_objLib_OBJ_TIMEOUT, msgQReceive(queue, got, 4, 2));
	(void)WORKS(msgQDelete, msgQDelete(queue));
	FAILS(msgQDelete, S_objLib_OBJ_ID_ERROR, msgQDelete(queue));
}

TEST(wrong_arguments_are_refused)
{
	MSG_Q_ID queue = msgQCreate(2, 4, MSG_Q_FIFO);
	MSG_Q_INFO info;
	char got[4];

	FAILS(msgQCreate, S_msgQLib_INVALID_QUEUE_TYPE, msgQCreate(0, 4, MSG_Q_FIFO));
	FAILS(msgQCreate, S_msgQLib_INVALID_QUEUE_TYPE, msgQCreate(4, 4, 0x40));
	FAILS(msgQCreate, S_msgQLib_INVALID_MSG_LENGTH, msgQCreate(4, -1, MSG_Q_FIFO));
	FAILS(msgQCreate, S_memLib_NOT_ENOUGH_MEMORY, msgQCreate(1 << 20, 1 << 20, MSG_Q_FIFO));
	FAILS(msgQSend, S_objLib_OBJ_ID_ERROR, msgQSend(no_queue, "", 1, NO_WAIT, 0));
	FAILS(msgQSend, S_msgQLib_INVALID_MSG_LENGTH, msgQSend(queue, "12345", 5, NO_WAIT, 0));
	FAILS(msgQSend, EINVAL, msgQSend(queue, NULL, 1, NO_WAIT, 0));
	FAILS(msgQReceive, S_objLib_OBJ_ID_ERROR, msgQReceive(NULL, got, 4, NO_WAIT));
	FAILS(msgQReceive, EINVAL, msgQReceive(queue, NULL, 4, NO_WAIT));
	FAILS(msgQNumMsgs, S_objLib_OBJ_ID_ERROR, msgQNumMsgs(no_queue));
	FAILS(msgQInfoGet, S_objLib_OBJ_ID_ERROR, msgQInfoGet(no_queue, &info));
	FAILS(msgQInfoGet, EINVAL, msgQInfoGet(queue, NULL));
	FAILS(msgQShow, S_objLib_OBJ_ID_ERROR, msgQShow(no_queue, 0));
	(void)WORKS(msgQInfoGet, msgQInfoGet(queue, &info));
	expect_eq(info.maxMsgs, 2);
	expect_eq(info.maxMsgLength, 4);
	expect_eq(info.numMsgs, 0);
}

TEST(empty_messages_are_messages)
{
	MSG_Q_ID queue = WORKS(msgQCreate, msgQCreate(2, 0, MSG_Q_FIFO));

	(void)WORKS(msgQSend, msgQSend(queue, NULL, 0, NO_WAIT, MSG_PRI_NORMAL));
	expect_eq(WORKS(msgQReceive, msgQReceive(queue, NULL, 0, NO_WAIT)), 0);
	FAILS(msgQSend, S_msgQLib_INVALID_MSG_LENGTH, msgQSend(queue, "1", 1, NO_WAIT, 0));
}

static int receiver(MSG_Q_ID queue)
{
	char got[4];

	FAILS(msgQReceive, S_objLib_OBJ_DELETED, msgQReceive(queue, got, 4, WAIT_FOREVER));
	mark("receiver");
	return 0;
}

static int sender(MSG_Q_ID queue)
{
	FAILS(msgQSend, S_objLib_OBJ_DELETED, msgQSend(queue, "x", 1, WAIT_FOREVER, 0));
	mark("sender");
	return 0;
}

TEST(deletion_wakes_the_waiters)
{
	MSG_Q_ID empty = msgQCreate(1, 4, MSG_Q_FIFO);
	MSG_Q_ID full = msgQCreate(1, 4, MSG_Q_FIFO);

	expect_eq(msgQSend(full, "x", 1, NO_WAIT, 0), OK);
	vx_until_pended(vx_spawn("tReceiver", 100, receiver, (long)empty));
	vx_until_pended(vx_spawn("tSender", 100, sender, (long)full));
	(void)WORKS(msgQDelete, msgQDelete(empty));
	(void)WORKS(msgQDelete, msgQDelete(full));
	settle();
	expect_marks("receiver sender");
}

static void handler(void *arg)
{
	MSG_Q_ID queue = arg;
	char got[4];

	FAILS(msgQCreate, S_intLib_NOT_ISR_CALLABLE, msgQCreate(1, 4, MSG_Q_FIFO));
	FAILS(msgQDelete, S_intLib_NOT_ISR_CALLABLE, msgQDelete(queue));
	FAILS(msgQReceive, S_intLib_NOT_ISR_CALLABLE, msgQReceive(queue, got, 4, NO_WAIT));
	FAILS(msgQShow, S_intLib_NOT_ISR_CALLABLE, msgQShow(queue, 0));
	FAILS(msgQSend, S_msgQLib_NON_ZERO_TIMEOUT_AT_INT_LEVEL, msgQSend(queue, "x", 1, 1, 0));
	(void)WORKS(msgQSend, msgQSend(queue, "x", 1, NO_WAIT, 0));
}

TEST(handlers_send_without_waiting)
{
	MSG_Q_ID queue = msgQCreate(2, 4, MSG_Q_FIFO);

	test_in_handler(handler, queue);
	expect_eq(msgQNumMsgs(queue), 1);
}
