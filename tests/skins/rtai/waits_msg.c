/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages between tasks: deletion, broken waits, times, bad arguments, handlers. */
#include <rtai_msg.h>
#include <rtai_names.h>
#include <rtai_sem.h>

#include "rtai_test.h"

static RT_TASK *server;
static unsigned long word;
static char data[16];
static long length;

static void deleted_rt_send(void *arg)
{
	(void)arg;
	FAILS(rt_send, RTE_OBJREM, rt_send(server, 1));
}

static void deleted_rt_send_until(void *arg)
{
	(void)arg;
	FAILS(rt_send_until, RTE_OBJREM, rt_send_until(server, 1, rt_get_time() + LONG));
}

static void deleted_rt_send_timed(void *arg)
{
	(void)arg;
	FAILS(rt_send_timed, RTE_OBJREM, rt_send_timed(server, 1, LONG));
}

static void deleted_rt_rpc(void *arg)
{
	(void)arg;
	FAILS(rt_rpc, RTE_OBJREM, rt_rpc(server, 1, &word));
}

static void deleted_rt_rpc_until(void *arg)
{
	(void)arg;
	FAILS(rt_rpc_until, RTE_OBJREM, rt_rpc_until(server, 1, &word, rt_get_time() + LONG));
}

static void deleted_rt_rpc_timed(void *arg)
{
	(void)arg;
	FAILS(rt_rpc_timed, RTE_OBJREM, rt_rpc_timed(server, 1, &word, LONG));
}

static void deleted_rt_sendx(void *arg)
{
	(void)arg;
	FAILS(rt_sendx, RTE_OBJREM, rt_sendx(server, data, 4));
}

static void deleted_rt_sendx_until(void *arg)
{
	(void)arg;
	FAILS(rt_sendx_until, RTE_OBJREM, rt_sendx_until(server, data, 4, rt_get_time() + LONG));
}

static void deleted_rt_sendx_timed(void *arg)
{
	(void)arg;
	FAILS(rt_sendx_timed, RTE_OBJREM, rt_sendx_timed(server, data, 4, LONG));
}

static void deleted_rt_rpcx(void *arg)
{
	(void)arg;
	FAILS(rt_rpcx, RTE_OBJREM, rt_rpcx(server, data, data, 4, 4));
}

static void deleted_rt_rpcx_until(void *arg)
{
	(void)arg;
	FAILS(rt_rpcx_until, RTE_OBJREM,
	      rt_rpcx_until(server, data, data, 4, 4, rt_get_time() + LONG));
}

static void deleted_rt_rpcx_timed(void *arg)
{
	(void)arg;
	FAILS(rt_rpcx_timed, RTE_OBJREM, rt_rpcx_timed(server, data, data, 4, 4, LONG));
}

static void (*const messages_deleted[])(void *) = {
	deleted_rt_send,  deleted_rt_send_until,  deleted_rt_send_timed,
	deleted_rt_rpc,   deleted_rt_rpc_until,   deleted_rt_rpc_timed,
	deleted_rt_sendx, deleted_rt_sendx_until, deleted_rt_sendx_timed,
	deleted_rt_rpcx,  deleted_rt_rpcx_until,  deleted_rt_rpcx_timed,
};

static void broken_rt_send(void *arg)
{
	(void)arg;
	FAILS(rt_send, RTE_UNBLKD, rt_send(server, 1));
}

static void broken_rt_send_until(void *arg)
{
	(void)arg;
	FAILS(rt_send_until, RTE_UNBLKD, rt_send_until(server, 1, rt_get_time() + LONG));
}

static void broken_rt_send_timed(void *arg)
{
	(void)arg;
	FAILS(rt_send_timed, RTE_UNBLKD, rt_send_timed(server, 1, LONG));
}

static void broken_rt_rpc(void *arg)
{
	(void)arg;
	FAILS(rt_rpc, RTE_UNBLKD, rt_rpc(server, 1, &word));
}

static void broken_rt_rpc_until(void *arg)
{
	(void)arg;
	FAILS(rt_rpc_until, RTE_UNBLKD, rt_rpc_until(server, 1, &word, rt_get_time() + LONG));
}

static void broken_rt_rpc_timed(void *arg)
{
	(void)arg;
	FAILS(rt_rpc_timed, RTE_UNBLKD, rt_rpc_timed(server, 1, &word, LONG));
}

static void broken_rt_sendx(void *arg)
{
	(void)arg;
	FAILS(rt_sendx, RTE_UNBLKD, rt_sendx(server, data, 4));
}

static void broken_rt_sendx_until(void *arg)
{
	(void)arg;
	FAILS(rt_sendx_until, RTE_UNBLKD, rt_sendx_until(server, data, 4, rt_get_time() + LONG));
}

static void broken_rt_sendx_timed(void *arg)
{
	(void)arg;
	FAILS(rt_sendx_timed, RTE_UNBLKD, rt_sendx_timed(server, data, 4, LONG));
}

static void broken_rt_rpcx(void *arg)
{
	(void)arg;
	FAILS(rt_rpcx, RTE_UNBLKD, rt_rpcx(server, data, data, 4, 4));
}

static void broken_rt_rpcx_until(void *arg)
{
	(void)arg;
	FAILS(rt_rpcx_until, RTE_UNBLKD,
	      rt_rpcx_until(server, data, data, 4, 4, rt_get_time() + LONG));
}

static void broken_rt_rpcx_timed(void *arg)
{
	(void)arg;
	FAILS(rt_rpcx_timed, RTE_UNBLKD, rt_rpcx_timed(server, data, data, 4, 4, LONG));
}

static void broken_rt_receive(void *arg)
{
	(void)arg;
	FAILS(rt_receive, RTE_UNBLKD, rt_receive(0, &word));
}

static void broken_rt_receive_until(void *arg)
{
	(void)arg;
	FAILS(rt_receive_until, RTE_UNBLKD, rt_receive_until(0, &word, rt_get_time() + LONG));
}

static void broken_rt_receive_timed(void *arg)
{
	(void)arg;
	FAILS(rt_receive_timed, RTE_UNBLKD, rt_receive_timed(0, &word, LONG));
}

static void broken_rt_receivex(void *arg)
{
	(void)arg;
	FAILS(rt_receivex, RTE_UNBLKD, rt_receivex(0, data, 4, &length));
}

static void broken_rt_receivex_until(void *arg)
{
	(void)arg;
	FAILS(rt_receivex_until, RTE_UNBLKD,
	      rt_receivex_until(0, data, 4, &length, rt_get_time() + LONG));
}

static void broken_rt_receivex_timed(void *arg)
{
	(void)arg;
	FAILS(rt_receivex_timed, RTE_UNBLKD, rt_receivex_timed(0, data, 4, &length, LONG));
}

static void (*const messages_broken[])(void *) = {
	broken_rt_send,     broken_rt_send_until,     broken_rt_send_timed,
	broken_rt_rpc,      broken_rt_rpc_until,      broken_rt_rpc_timed,
	broken_rt_sendx,    broken_rt_sendx_until,    broken_rt_sendx_timed,
	broken_rt_rpcx,     broken_rt_rpcx_until,     broken_rt_rpcx_timed,
	broken_rt_receive,  broken_rt_receive_until,  broken_rt_receive_timed,
	broken_rt_receivex, broken_rt_receivex_until, broken_rt_receivex_timed,
};

static void serve_nobody(void *arg)
{
	(void)arg;
	rt_sleep(MS(30));
}

RTAI_TEST(deletion_ends_waits_for_receivers)
{
	struct peer peer;

	for (size_t i = 0; i < COUNT(messages_deleted); i++) {
		struct peer deleted;

		peer_start(&deleted, 20, serve_nobody, NULL);
		server = deleted.task;
		peer_start(&peer, 10, messages_deleted[i], NULL);
		peer_join(&deleted);
		peer_join(&peer);
	}
}

RTAI_TEST(waits_for_messages_are_broken)
{
	server = rt_agent();
	for (size_t i = 0; i < COUNT(messages_broken); i++)
		while_it_waits(messages_broken[i], break_its_wait);
}

static void call_in_vain(void *arg)
{
	(void)arg;
	FAILS(rt_send_until, RTE_TIMOUT, rt_send_until(server, 1, rt_get_time() + MS(1)));
	FAILS(rt_send_timed, RTE_TIMOUT, rt_send_timed(server, 1, MS(1)));
	FAILS(rt_send_if, NULL, rt_send_if(server, 1));
	FAILS(rt_rpc_until, RTE_TIMOUT, rt_rpc_until(server, 1, &word, rt_get_time() + MS(1)));
	FAILS(rt_rpc_timed, RTE_TIMOUT, rt_rpc_timed(server, 1, &word, MS(1)));
	FAILS(rt_rpc_if, NULL, rt_rpc_if(server, 1, &word));
	FAILS(rt_sendx_until, RTE_TIMOUT, rt_sendx_until(server, data, 4, rt_get_time() + MS(1)));
	FAILS(rt_sendx_timed, RTE_TIMOUT, rt_sendx_timed(server, data, 4, MS(1)));
	FAILS(rt_sendx_if, NULL, rt_sendx_if(server, data, 4));
	FAILS(rt_rpcx_until, RTE_TIMOUT,
	      rt_rpcx_until(server, data, data, 4, 4, rt_get_time() + MS(1)));
	FAILS(rt_rpcx_timed, RTE_TIMOUT, rt_rpcx_timed(server, data, data, 4, 4, MS(1)));
	FAILS(rt_rpcx_if, NULL, rt_rpcx_if(server, data, data, 4, 4));
}

RTAI_TEST(waits_for_messages_end_with_their_time)
{
	struct peer peer;

	server = rt_agent();
	peer_start(&peer, 10, call_in_vain, NULL);
	peer_join(&peer);
	FAILS(rt_receive_until, RTE_TIMOUT, rt_receive_until(0, &word, rt_get_time() + MS(1)));
	FAILS(rt_receive_timed, RTE_TIMOUT, rt_receive_timed(0, &word, MS(1)));
	FAILS(rt_receive_if, NULL, rt_receive_if(0, &word));
	FAILS(rt_receivex_until, RTE_TIMOUT,
	      rt_receivex_until(0, data, 4, &length, rt_get_time() + MS(1)));
	FAILS(rt_receivex_timed, RTE_TIMOUT, rt_receivex_timed(0, data, 4, &length, MS(1)));
	FAILS(rt_receivex_if, NULL, rt_receivex_if(0, data, 4, &length));
	FAILS(rt_evdrp, NULL, rt_evdrp(0, &word));
	FAILS(rt_evdrpx, NULL, rt_evdrpx(0, data, 4, &length));
}

RTAI_TEST(bad_arguments_of_messages)
{
	void *const bad[] = {GARBAGE, NOTHING, rt_sem_init(0, 1)};

	for (size_t i = 0; i < COUNT(bad); i++) {
		FAILS(rt_send, RTE_OBJINV, rt_send(bad[i], 1));
		FAILS(rt_send_until, RTE_OBJINV, rt_send_until(bad[i], 1, LONG));
		FAILS(rt_send_timed, RTE_OBJINV, rt_send_timed(bad[i], 1, LONG));
		FAILS(rt_rpc, RTE_OBJINV, rt_rpc(bad[i], 1, &word));
		FAILS(rt_rpc_until, RTE_OBJINV, rt_rpc_until(bad[i], 1, &word, LONG));
		FAILS(rt_rpc_timed, RTE_OBJINV, rt_rpc_timed(bad[i], 1, &word, LONG));
		FAILS(rt_sendx, RTE_OBJINV, rt_sendx(bad[i], data, 4));
		FAILS(rt_sendx_until, RTE_OBJINV, rt_sendx_until(bad[i], data, 4, LONG));
		FAILS(rt_sendx_timed, RTE_OBJINV, rt_sendx_timed(bad[i], data, 4, LONG));
		FAILS(rt_rpcx, RTE_OBJINV, rt_rpcx(bad[i], data, data, 4, 4));
		FAILS(rt_rpcx_until, RTE_OBJINV, rt_rpcx_until(bad[i], data, data, 4, 4, LONG));
		FAILS(rt_rpcx_timed, RTE_OBJINV, rt_rpcx_timed(bad[i], data, data, 4, 4, LONG));
		FAILS(rt_receive, RTE_OBJINV, rt_receive(bad[i], &word));
		FAILS(rt_receive_until, RTE_OBJINV, rt_receive_until(bad[i], &word, LONG));
		FAILS(rt_receive_timed, RTE_OBJINV, rt_receive_timed(bad[i], &word, LONG));
		FAILS(rt_receivex, RTE_OBJINV, rt_receivex(bad[i], data, 4, &length));
		FAILS(rt_receivex_until, RTE_OBJINV,
		      rt_receivex_until(bad[i], data, 4, &length, LONG));
		FAILS(rt_receivex_timed, RTE_OBJINV,
		      rt_receivex_timed(bad[i], data, 4, &length, LONG));
		FAILS(rt_send_if, RTE_OBJINV, rt_send_if(bad[i], 1));
		FAILS(rt_rpc_if, RTE_OBJINV, rt_rpc_if(bad[i], 1, &word));
		FAILS(rt_sendx_if, RTE_OBJINV, rt_sendx_if(bad[i], data, 4));
		FAILS(rt_rpcx_if, RTE_OBJINV, rt_rpcx_if(bad[i], data, data, 4, 4));
		FAILS(rt_receive_if, RTE_OBJINV, rt_receive_if(bad[i], &word));
		FAILS(rt_receivex_if, RTE_OBJINV, rt_receivex_if(bad[i], data, 4, &length));
		FAILS(rt_evdrp, RTE_OBJINV, rt_evdrp(bad[i], &word));
		FAILS(rt_evdrpx, RTE_OBJINV, rt_evdrpx(bad[i], data, 4, &length));
		FAILS(rt_return, RTE_OBJINV, rt_return(bad[i], 1));
		FAILS(rt_returnx, RTE_OBJINV, rt_returnx(bad[i], data, 1));
		expect_eq(rt_isrpc(bad[i]), 0);
		expect_eq(rt_isrpcx(bad[i]), 0);
		FAILS(rt_proxy_attach, NULL, rt_proxy_attach(bad[i], data, 4, -1));
		FAILS(rt_proxy_detach, EINVAL, -rt_proxy_detach(bad[i]));
		FAILS(rt_trigger, NULL, rt_trigger(bad[i]));
	}
	FAILS(rt_send, RTE_OBJINV, rt_send(NULL, 1));
	FAILS(rt_rpc, RTE_OBJINV, rt_rpc(NULL, 1, &word));
	FAILS(rt_sendx, RTE_OBJINV, rt_sendx(rt_agent(), NULL, 4));
	FAILS(rt_sendx, RTE_OBJINV, rt_sendx(rt_agent(), data, -1));
	FAILS(rt_rpcx, RTE_OBJINV, rt_rpcx(rt_agent(), data, NULL, 4, 4));
	FAILS(rt_rpcx, RTE_OBJINV, rt_rpcx(rt_agent(), data, data, 4, -1));
	FAILS(rt_receivex, RTE_OBJINV, rt_receivex(0, NULL, 4, &length));
	FAILS(rt_receivex, RTE_OBJINV, rt_receivex(0, data, -4, &length));
	FAILS(rt_returnx, RTE_OBJINV, rt_returnx(rt_agent(), NULL, 4));
	FAILS(rt_return, NULL, rt_return(rt_agent(), 4));
	FAILS(rt_returnx, NULL, rt_returnx(rt_agent(), data, 4));
	FAILS(rt_proxy_attach, NULL, rt_proxy_attach(0, data, 257, -1));
	FAILS(rt_proxy_attach, NULL, rt_proxy_attach(0, NULL, 4, -1));
}

static void use_in_handler(void *arg)
{
	(void)arg;
	FAILS(rt_send, RTE_PERM, rt_send(server, 1));
	FAILS(rt_send_until, RTE_PERM, rt_send_until(server, 1, LONG));
	FAILS(rt_send_timed, RTE_PERM, rt_send_timed(server, 1, LONG));
	FAILS(rt_rpc, RTE_PERM, rt_rpc(server, 1, &word));
	FAILS(rt_rpc_until, RTE_PERM, rt_rpc_until(server, 1, &word, LONG));
	FAILS(rt_rpc_timed, RTE_PERM, rt_rpc_timed(server, 1, &word, LONG));
	FAILS(rt_sendx, RTE_PERM, rt_sendx(server, data, 4));
	FAILS(rt_sendx_until, RTE_PERM, rt_sendx_until(server, data, 4, LONG));
	FAILS(rt_sendx_timed, RTE_PERM, rt_sendx_timed(server, data, 4, LONG));
	FAILS(rt_rpcx, RTE_PERM, rt_rpcx(server, data, data, 4, 4));
	FAILS(rt_rpcx_until, RTE_PERM, rt_rpcx_until(server, data, data, 4, 4, LONG));
	FAILS(rt_rpcx_timed, RTE_PERM, rt_rpcx_timed(server, data, data, 4, 4, LONG));
	FAILS(rt_send_if, RTE_PERM, rt_send_if(server, 1));
	FAILS(rt_rpc_if, RTE_PERM, rt_rpc_if(server, 1, &word));
	FAILS(rt_sendx_if, RTE_PERM, rt_sendx_if(server, data, 4));
	FAILS(rt_rpcx_if, RTE_PERM, rt_rpcx_if(server, data, data, 4, 4));
	FAILS(rt_receive, RTE_PERM, rt_receive(0, &word));
	FAILS(rt_receive_until, RTE_PERM, rt_receive_until(0, &word, LONG));
	FAILS(rt_receive_timed, RTE_PERM, rt_receive_timed(0, &word, LONG));
	FAILS(rt_receivex, RTE_PERM, rt_receivex(0, data, 4, &length));
	FAILS(rt_receivex_until, RTE_PERM, rt_receivex_until(0, data, 4, &length, LONG));
	FAILS(rt_receivex_timed, RTE_PERM, rt_receivex_timed(0, data, 4, &length, LONG));
	FAILS(rt_receive_if, RTE_PERM, rt_receive_if(0, &word));
	FAILS(rt_receivex_if, RTE_PERM, rt_receivex_if(0, data, 4, &length));
	FAILS(rt_evdrp, RTE_PERM, rt_evdrp(0, &word));
	FAILS(rt_evdrpx, RTE_PERM, rt_evdrpx(0, data, 4, &length));
	FAILS(rt_proxy_detach, EINVAL, -rt_proxy_detach(server));
}

RTAI_TEST(handlers_send_no_messages)
{
	server = rt_agent();
	in_handler(use_in_handler);
}

/* The server: main(). Its clients are more urgent. */
static unsigned long answer;
static char reply[8];

static void send_words(void *arg)
{
	(void)arg;
	WORKS(rt_send, rt_send(server, 11) != server);
	WORKS(rt_send_until, rt_send_until(server, 12, rt_get_time() + LONG) != server);
	WORKS(rt_send_timed, rt_send_timed(server, 13, LONG) != server);
	WORKS(rt_rpc, rt_rpc(server, 14, &answer) != server);
	expect_eq(answer, 15);
	WORKS(rt_rpc_until, rt_rpc_until(server, 16, NULL, rt_get_time() + LONG) != server);
	WORKS(rt_rpc_timed, rt_rpc_timed(server, 17, &answer, LONG) != server);
	expect_eq(answer, 18);
}

RTAI_TEST(words_are_sent_and_answered)
{
	struct peer peer;

	server = rt_agent();
	peer_start(&peer, 10, send_words, NULL);
	WORKS(rt_evdrp, rt_evdrp(0, &word) != peer.task);
	expect_eq(word, 11);
	WORKS(rt_receive, rt_receive(0, &word) != peer.task);
	expect_eq(word, 11);
	WORKS(rt_receive_until,
	      rt_receive_until(peer.task, &word, rt_get_time() + LONG) != peer.task);
	expect_eq(word, 12);
	expect_eq(rt_isrpc(peer.task), 0);
	WORKS(rt_receive_timed, rt_receive_timed(peer.task, &word, LONG) != peer.task);
	expect_eq(word, 13);
	WORKS(rt_receive_if, rt_receive_if(0, &word) != peer.task);
	expect_eq(word, 14);
	WORKS(rt_isrpc, !rt_isrpc(peer.task));
	WORKS(rt_return, rt_return(peer.task, 15) != peer.task);
	FAILS(rt_return, NULL, rt_return(peer.task, 15));
	expect_true(rt_receive(peer.task, &word) == peer.task);
	expect_eq(word, 16);
	expect_true(rt_return(peer.task, 1) == peer.task);
	expect_true(rt_receive(peer.task, NULL) == peer.task);
	expect_true(rt_return(peer.task, 18) == peer.task);
	peer_join(&peer);
}

static void send_bytes(void *arg)
{
	(void)arg;
	WORKS(rt_sendx, rt_sendx(server, "one", 4) != server);
	WORKS(rt_sendx_until, rt_sendx_until(server, "two", 4, rt_get_time() + LONG) != server);
	WORKS(rt_sendx_timed, rt_sendx_timed(server, "three", 6, LONG) != server);
	WORKS(rt_rpcx, rt_rpcx(server, "four", reply, 5, 4) != server);
	expect_true(!memcmp(reply, "ansr", 4) && !reply[4]);
	WORKS(rt_rpcx_until,
	      rt_rpcx_until(server, NULL, NULL, 0, 0, rt_get_time() + LONG) != server);
	WORKS(rt_rpcx_timed, rt_rpcx_timed(server, "six", reply, 4, 8, LONG) != server);
	expect_eq(reply[0], 'x');
}

RTAI_TEST(bytes_are_sent_and_answered)
{
	struct peer peer;

	server = rt_agent();
	peer_start(&peer, 10, send_bytes, NULL);
	WORKS(rt_evdrpx, rt_evdrpx(0, data, sizeof(data), &length) != peer.task);
	expect_eq(length, 4);
	WORKS(rt_receivex, rt_receivex(0, data, sizeof(data), &length) != peer.task);
	expect_true(length == 4 && !memcmp(data, "one", 4));
	WORKS(rt_receivex_until,
	      rt_receivex_until(0, data, sizeof(data), NULL, rt_get_time() + LONG) != peer.task);
	expect_true(!memcmp(data, "two", 4));
	WORKS(rt_receivex_timed, rt_receivex_timed(peer.task, data, 3, &length, LONG) != peer.task);
	expect_true(length == 3 && !memcmp(data, "thr", 4 - 1));
	WORKS(rt_receivex_if, rt_receivex_if(peer.task, data, sizeof(data), &length) != peer.task);
	expect_eq(length, 5);
	WORKS(rt_isrpcx, !rt_isrpcx(peer.task));
	WORKS(rt_returnx, rt_returnx(peer.task, "ansrtoolong", 12) != peer.task);
	expect_true(rt_receivex(0, NULL, 0, &length) == peer.task);
	expect_eq(length, 0);
	expect_true(rt_isrpc(peer.task));
	expect_true(rt_returnx(peer.task, "ignored", 8) == peer.task);
	expect_true(rt_receivex(0, data, sizeof(data), &length) == peer.task);
	expect_true(rt_returnx(peer.task, "x", 1) == peer.task);
	peer_join(&peer);
}

static void receive_one(void *arg)
{
	(void)arg;
	expect_true(rt_receive(0, &word) != NULL);
}

static void receive_and_answer(void *arg)
{
	RT_TASK *client;

	(void)arg;
	client = rt_receive(0, &word);
	rt_sleep(MS(1));
	expect_true(rt_return(client, word + 1) == client);
}

RTAI_TEST(messages_go_at_once_to_a_task_that_waits)
{
	struct peer peer;

	peer_start(&peer, 10, receive_one, NULL);
	WORKS(rt_send_if, rt_send_if(peer.task, 3) != peer.task);
	expect_eq(word, 3);
	peer_join(&peer);
	peer_start(&peer, 10, receive_one, NULL);
	WORKS(rt_sendx_if, rt_sendx_if(peer.task, &(unsigned long){4}, sizeof(word)) != peer.task);
	expect_eq(word, 4);
	peer_join(&peer);
	peer_start(&peer, 10, receive_and_answer, NULL);
	WORKS(rt_rpc_if, rt_rpc_if(peer.task, 5, &answer) != peer.task);
	expect_eq(answer, 6);
	peer_join(&peer);
	peer_start(&peer, 10, receive_and_answer, NULL);
	WORKS(rt_rpcx_if,
	      rt_rpcx_if(peer.task, &answer, &answer, sizeof(answer), sizeof(answer)) != peer.task);
	expect_eq(answer, 7);
	peer_join(&peer);
}

static void receive_and_leave(void *arg)
{
	(void)arg;
	expect_true(rt_receive(0, &word) != NULL);
	rt_sleep(MS(3));
}

RTAI_TEST(receiver_leaves_without_an_answer)
{
	struct peer peer;

	peer_start(&peer, 10, receive_and_leave, NULL);
	FAILS(rt_rpc_if, RTE_OBJREM, rt_rpc_if(peer.task, 5, &answer));
	peer_join(&peer);
	peer_start(&peer, 10, receive_and_leave, NULL);
	FAILS(rt_rpcx_if, RTE_OBJREM, rt_rpcx_if(peer.task, data, data, 1, 1));
	peer_join(&peer);
}

static void call_without_an_answer(void *arg)
{
	(void)arg;
	FAILS(rt_rpc_if, RTE_UNBLKD, rt_rpc_if(server, 5, &answer));
	rt_sleep(MS(1));
	FAILS(rt_rpcx_if, RTE_UNBLKD, rt_rpcx_if(server, data, data, 1, 1));
}

RTAI_TEST(wait_for_an_answer_is_broken)
{
	struct peer peer = {.priority = 20, .body = call_without_an_answer};

	server = rt_agent();
	peer.thread = rt_thread_create((void *)peer_run, &peer, 0);
	for (int i = 0; i < 2; i++) {
		expect_true(rt_receive(0, &word) != NULL);
		rt_sleep(MS(2));
		break_its_wait(&peer);
	}
	peer_join(&peer);
}

static void send_argument(void *arg)
{
	expect_true(rt_send(server, (unsigned long)arg) == server);
}

/* Senders are received by priority; a sender can be picked. */
RTAI_TEST(senders_wait_by_priority_and_can_be_picked)
{
	struct peer peer[3];

	server = rt_agent();
	peer_start(&peer[0], 30, send_argument, (void *)1);
	peer_start(&peer[1], 10, send_argument, (void *)2);
	peer_start(&peer[2], 20, send_argument, (void *)3);
	expect_true(rt_receive(peer[2].task, &word) == peer[2].task);
	expect_eq(word, 3);
	expect_true(rt_receive(0, &word) == peer[1].task);
	expect_true(rt_receive(0, &word) == peer[0].task);
	for (int i = 0; i < 3; i++)
		peer_join(&peer[i]);
}

static void call_and_see(void *arg)
{
	(void)arg;
	expect_true(rt_rpc(server, 0, &answer) == server);
}

RTAI_TEST(receiver_has_the_priority_of_its_client)
{
	struct peer peer;
	int present;
	int base;

	server = rt_agent();
	peer_start(&peer, 10, call_and_see, NULL);
	expect_true(rt_receive(0, &word) == peer.task);
	expect_eq(rt_get_priorities(NULL, &present, &base), 0);
	expect_eq(present, 10);
	expect_eq(base, MAIN_PRIORITY);
	expect_true(rt_return(peer.task, 0) == peer.task);
	expect_eq(rt_get_priorities(NULL, &present, &base), 0);
	expect_eq(present, MAIN_PRIORITY);
	peer_join(&peer);
}

RTAI_TEST(proxies_send_what_they_were_given)
{
	RT_TASK *proxy;
	RT_TASK *from;

	WORKS(rt_proxy_attach, !(proxy = rt_proxy_attach(NULL, "proxy", 6, -1)));
	WORKS(rt_trigger, rt_trigger(proxy) != rt_agent());
	expect_true(rt_trigger(proxy) == rt_agent());
	for (int i = 0; i < 2; i++) {
		from = rt_receivex(0, data, sizeof(data), &length);
		expect_true(from == proxy);
		expect_true(length == 6 && !memcmp(data, "proxy", 6));
	}
	expect_true(!rt_receive_if(0, NULL));
	WORKS(rt_proxy_detach, rt_proxy_detach(proxy));
	FAILS(rt_trigger, NULL, rt_trigger(proxy));
}

static pid_t number;
static size_t size;

static void call_by_number(void *arg)
{
	(void)arg;
	WORKS(rt_Send, rt_Send(number, "ask", reply, 4, sizeof(reply)) != 3);
	expect_true(!memcmp(reply, "yes", 3));
	expect_eq(rt_Send(number, "more", reply, 5, sizeof(reply)), 2);
	WORKS(rt_Send, rt_Send(number, NULL, NULL, 0, 0));
	FAILS(rt_Send, EINVAL, -rt_Send(number, NULL, reply, 0, sizeof(reply)));
}

RTAI_TEST(messages_go_by_number)
{
	struct peer peer;
	pid_t client;

	number = rt_gettid();
	WORKS(rt_Name_attach, rt_Name_attach("server") != number);
	WORKS(rt_Alias_attach, rt_Alias_attach("servant") != number);
	WORKS(rt_Name_locate, rt_Name_locate(NULL, "servant") != number);
	expect_eq(rt_Name_locate("", "server"), 0);
	expect_eq(rt_Name_locate("elsewhere", "servant"), 0);
	WORKS(rt_Name_detach, rt_Name_detach(number));
	expect_eq(rt_Name_locate("", "servant"), 0);
	peer_start(&peer, 10, call_by_number, NULL);
	client = rt_get_linux_tid(peer.task);
	WORKS(rt_Receive, rt_Receive(0, data, sizeof(data), &size) != client);
	expect_true(size == 4 && !memcmp(data, "ask", 4));
	WORKS(rt_Reply, rt_Reply(client, "yes", 3));
	FAILS(rt_Reply, EINVAL, -rt_Reply(client, "yes", 3));
	WORKS(rt_Creceive, rt_Creceive(client, data, 2, &size, 0) != client);
	expect_true(size == 2 && !memcmp(data, "mo", 2));
	expect_eq(rt_Reply(client, "no", 2), 0);
	expect_eq(rt_Receive(client, NULL, 0, NULL), client);
	expect_eq(rt_Reply(client, NULL, 0), 0);
	break_its_wait(&peer);
	peer_join(&peer);
	expect_eq(rt_Creceive(0, data, 2, &size, 0), 0);
	expect_eq(rt_Creceive(0, data, 2, &size, MS(1)), 0);
}

static void receive_by_number(void *arg)
{
	(void)arg;
	FAILS(rt_Receive, EINVAL, -rt_Receive(0, data, 4, NULL));
}

RTAI_TEST(bad_numbers_are_told)
{
	FAILS(rt_Send, ESRCH, -rt_Send(-1, data, data, 1, 1));
	FAILS(rt_Send, EINVAL, -rt_Send(rt_gettid(), NULL, data, 1, 1));
	FAILS(rt_Receive, EINVAL, -rt_Receive(-5, data, 4, NULL));
	FAILS(rt_Receive, EINVAL, -rt_Receive(0, NULL, 4, NULL));
	FAILS(rt_Reply, ESRCH, -rt_Reply(-1, data, 1));
	FAILS(rt_Reply, EINVAL, -rt_Reply(rt_gettid(), data, 1));
	FAILS(rt_Proxy_attach, ENOMEM, -rt_Proxy_attach(-1, data, 4, 1));
	FAILS(rt_Proxy_detach, EINVAL, -rt_Proxy_detach(-1));
	FAILS(rt_Trigger, ESRCH, -rt_Trigger(-1));
	FAILS(rt_Alias_attach, EINVAL, -rt_Alias_attach(NULL));
	FAILS(rt_Alias_attach, EINVAL, -rt_Alias_attach(""));
	FAILS(rt_Name_attach, EINVAL,
	      -rt_Name_attach("a name that is far too long for a task of RTAI"));
	FAILS(rt_Name_detach, EINVAL, -rt_Name_detach(-1));
	expect_eq(rt_Name_locate(NULL, ""), 0);
	expect_eq(rt_Name_locate(NULL, "nobody"), 0);
	while_it_waits(receive_by_number, break_its_wait);
}

RTAI_TEST(proxies_go_by_number)
{
	pid_t proxy;

	WORKS(rt_Proxy_attach, (proxy = rt_Proxy_attach(0, "abc", 4, 1)) <= 0);
	WORKS(rt_Trigger, rt_Trigger(proxy) != rt_gettid());
	expect_eq(rt_Receive(0, data, sizeof(data), &size), proxy);
	expect_eq(size, 4);
	WORKS(rt_Proxy_detach, rt_Proxy_detach(proxy));
	FAILS(rt_Trigger, ESRCH, -rt_Trigger(proxy));
}

/* As programs of 32 bits have it: what lies behind the int stays. */
static void answer_word(void *arg)
{
	struct {
		unsigned int word;
		int behind;
	} got = {0, 77};
	RT_TASK *client = rt_receive(NULL, &got.word);

	(void)arg;
	expect_eq(got.word, 5);
	expect_eq(got.behind, 77);
	rt_return(client, 6);
	expect_true(rt_evdrp(NULL, &got.word) == NULL);
	expect_eq(got.word, 5);
	client = rt_receive_timed(NULL, &got.word, LONG);
	rt_return(client, got.word + 1ul);
	expect_eq(got.behind, 77);
}

RTAI_TEST(words_are_received_in_ints)
{
	struct {
		int word;
		int behind;
	} got = {0, 77};
	struct peer peer;

	peer_start(&peer, 10, answer_word, NULL);
	expect_true(rt_rpc(peer.task, 5, &got.word) == peer.task);
	expect_eq(got.word, 6);
	expect_eq(got.behind, 77);
	expect_true(rt_rpc_timed(peer.task, 0x7fffffff, &got.word, LONG) == peer.task);
	expect_eq((unsigned int)got.word, 0x80000000u);
	expect_eq(got.behind, 77);
	/* Nothing is received. */
	got.word = 9;
	expect_true(rt_receive_if(NULL, &got.word) == NULL);
	expect_eq(got.word, 9);
	expect_true(rt_receive_if(NULL, 0) == NULL);
	peer_join(&peer);
}
