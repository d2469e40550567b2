/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The order in which waiters go on, and what the objects keep. */
#include <rtai_bits.h>
#include <rtai_mbx.h>
#include <rtai_rwl.h>
#include <rtai_sem.h>
#include <rtai_spl.h>
#include <rtai_tbx.h>

#include "rtai_test.h"

static void *object;
static int order[8];
static int done;
static char data[32];

static void note(void *arg)
{
	order[done++ % 8] = (int)(long)arg;
}

static void take(void *arg)
{
	expect_true(rt_sem_wait(object) < 0xffff);
	note(arg);
}

/* Three that wait, the most urgent one last. */
static void three_wait(struct peer peer[3], void (*body)(void *arg))
{
	done = 0;
	for (int i = 0; i < 3; i++)
		peer_start(&peer[i], 30 - 10 * i, body, (void *)(long)(i + 1));
}

static void join_three(struct peer peer[3])
{
	for (int i = 0; i < 3; i++)
		peer_join(&peer[i]);
	expect_eq(done, 3);
}

static void check_order(int first, int second, int third)
{
	expect_eq(order[0], first);
	expect_eq(order[1], second);
	expect_eq(order[2], third);
}

static void signal_three_times(void)
{
	for (int i = 0; i < 3; i++)
		expect_eq(rt_sem_signal(object), 0);
}

RTAI_TEST(semaphores_queue_by_priority)
{
	struct peer peer[3];

	object = rt_sem_init(0, 0);
	three_wait(peer, take);
	expect_eq(rt_sem_count(object), -3);
	signal_three_times();
	join_three(peer);
	check_order(3, 2, 1);
}

RTAI_TEST(semaphores_queue_by_arrival)
{
	struct peer peer[3];

	object = rt_typed_sem_init(0, 0, CNT_SEM | FIFO_Q);
	three_wait(peer, take);
	signal_three_times();
	join_three(peer);
	check_order(1, 2, 3);
}

RTAI_TEST(broadcast_wakes_all)
{
	struct peer peer[3];

	object = rt_sem_init(0, 0);
	three_wait(peer, take);
	WORKS(rt_sem_broadcast, rt_sem_broadcast(object));
	join_three(peer);
	check_order(3, 2, 1);
	rt_sem_signal(object);
	rt_sem_broadcast(object);
	WORKS(rt_sem_count, rt_sem_count(object));
}

RTAI_TEST(counts_of_semaphores)
{
	object = rt_sem_init(0, 2);
	expect_eq(rt_sem_count(object), 2);
	expect_eq(rt_sem_wait(object), 2);
	expect_eq(rt_sem_wait_if(object), 1);
	expect_eq(rt_sem_wait_if(object), 0);
	for (int i = 0; i < 3; i++)
		rt_sem_signal(object);
	expect_eq(rt_sem_count(object), 3);
	object = rt_typed_sem_init(0, 7, BIN_SEM);
	expect_eq(rt_sem_count(object), 1);
	rt_sem_signal(object);
	expect_eq(rt_sem_wait(object), 1);
	expect_eq(rt_sem_wait_if(object), 0);
}

RTAI_TEST(resource_is_owned_several_times)
{
	int present;
	int base;
	struct peer peer;

	object = rt_typed_sem_init(0, RESEM_RECURS, RES_SEM);
	expect_eq(rt_sem_wait(object), 1);
	expect_eq(rt_sem_wait(object), 2);
	done = 0;
	peer_start(&peer, 10, take, (void *)5);
	rt_get_priorities(NULL, &present, &base);
	expect_true(present == 10 && base == MAIN_PRIORITY);
	rt_sem_signal(object);
	expect_eq(done, 0);
	rt_sem_signal(object);
	expect_eq(done, 1);
	rt_get_priorities(NULL, &present, &base);
	expect_eq(present, MAIN_PRIORITY);
	peer_join(&peer);
}

static void arrive(void *arg)
{
	const int result = rt_sem_wait_barrier(object);

	expect_eq(result, (long)arg == 3 ? 0 : -1);
	note(arg);
}

RTAI_TEST(barrier_opens_for_the_last_one)
{
	struct peer peer[3];

	object = rt_sem_init(0, 3);
	three_wait(peer, arrive);
	join_three(peer);
	/* It closes again. */
	three_wait(peer, arrive);
	join_three(peer);
	object = rt_sem_init(0, 1);
	WORKS(rt_sem_wait_barrier, rt_sem_wait_barrier(object) != 0);
}

static SEM *mutex;

static void wait_for_condition(void *arg)
{
	rt_sem_wait(mutex);
	rt_sem_wait(mutex);
	WORKS(rt_cond_wait, rt_cond_wait(object, mutex));
	note(arg);
	expect_eq(rt_sem_signal(mutex), 0);
	expect_eq(rt_sem_signal(mutex), 0);
	FAILS(rt_sem_signal, RTE_PERM, rt_sem_signal(mutex));
}

RTAI_TEST(condition_wakes_one_or_all)
{
	struct peer peer[3];

	mutex = rt_typed_sem_init(0, RESEM_RECURS, RES_SEM);
	object = rt_cond_init(0);
	three_wait(peer, wait_for_condition);
	WORKS(rt_cond_signal, rt_cond_signal(object));
	expect_eq(done, 1);
	WORKS(rt_cond_broadcast, rt_cond_broadcast(object));
	join_three(peer);
	check_order(3, 2, 1);
	/* A signal that nobody waits for is lost. */
	rt_cond_signal(object);
	rt_sem_wait(mutex);
	expect_eq(rt_cond_wait_timed(object, mutex, MS(1)), RTE_TIMOUT);
	rt_sem_signal(mutex);
}

static void wait_for_condition_in_time(void *arg)
{
	(void)arg;
	rt_sem_wait(mutex);
	WORKS(rt_cond_wait_until, rt_cond_wait_until(object, mutex, rt_get_time() + LONG));
	WORKS(rt_cond_timedwait, rt_cond_timedwait(object, mutex, rt_get_time() + LONG));
	WORKS(rt_cond_wait_timed, rt_cond_wait_timed(object, mutex, LONG));
	rt_sem_signal(mutex);
}

RTAI_TEST(condition_comes_in_time)
{
	struct peer peer;

	mutex = rt_typed_sem_init(0, RESEM_RECURS, RES_SEM);
	object = rt_cond_init(0);
	peer_start(&peer, 10, wait_for_condition_in_time, NULL);
	for (int i = 0; i < 3; i++)
		expect_eq(rt_cond_signal(object), 0);
	peer_join(&peer);
}

static void take_in_time(void *arg)
{
	(void)arg;
	WORKS(rt_sem_wait_until, rt_sem_wait_until(object, rt_get_time() + LONG));
	WORKS(rt_sem_wait_timed, rt_sem_wait_timed(object, LONG));
}

RTAI_TEST(units_come_in_time)
{
	struct peer peer;

	object = rt_sem_init(0, 0);
	peer_start(&peer, 10, take_in_time, NULL);
	rt_sem_signal(object);
	rt_sem_signal(object);
	peer_join(&peer);
}

RTAI_TEST(uses_of_names_are_counted)
{
	SEM *sem;

	WORKS(rt_typed_named_sem_init,
	      !(sem = rt_typed_named_sem_init("NAMED", 1, CNT_SEM | FIFO_Q)));
	WORKS(rt_named_sem_init, rt_named_sem_init("NAMED", 9) != sem);
	expect_eq(rt_sem_count(sem), 1);
	expect_true(rt_get_adr(nam2num("NAMED")) == sem);
	expect_eq(rt_named_sem_delete(sem), 1);
	WORKS(rt_named_sem_delete, rt_named_sem_delete(sem));
	expect_eq(rt_sem_signal(sem), RTE_OBJINV);
	expect_true(rt_named_mbx_init("NAMED", 8) != NULL);
	FAILS(rt_named_sem_init, NULL, rt_named_sem_init("NAMED", 1));
	WORKS(rt_typed_named_mbx_init, !rt_typed_named_mbx_init("NAMED", 8, PRIO_Q));
	WORKS(rt_named_mbx_init, !rt_named_mbx_init("NAMED", 8));
	WORKS(rt_named_mbx_delete, rt_named_mbx_delete(rt_get_adr(nam2num("NAMED"))) != 2);
	WORKS(rt_named_rwl_init, !rt_named_rwl_init("RWL"));
	WORKS(rt_named_rwl_delete, rt_named_rwl_delete(rt_get_adr(nam2num("RWL"))));
	WORKS(rt_named_spl_init, !rt_named_spl_init("SPL"));
	WORKS(rt_named_spl_delete, rt_named_spl_delete(rt_get_adr(nam2num("SPL"))));
	WORKS(rt_named_msgq_init, !rt_named_msgq_init("Q", 2, 8));
	WORKS(rt_named_msgq_delete, rt_named_msgq_delete(rt_get_adr(nam2num("Q"))));
}

static void send_long(void *arg)
{
	WORKS(rt_mbx_send, rt_mbx_send(object, (void *)(uintptr_t) "0123456789abcdef", 16));
	note(arg);
	WORKS(rt_mbx_send_until,
	      rt_mbx_send_until(object, (void *)(uintptr_t) "wxyz", 4, rt_get_time() + LONG));
	WORKS(rt_mbx_send_timed, rt_mbx_send_timed(object, (void *)(uintptr_t) "WXYZ", 4, LONG));
}

/* A message that is longer than the mailbox goes through it in pieces. */
RTAI_TEST(messages_are_longer_than_their_mailbox)
{
	struct peer peer;

	done = 0;
	object = rt_mbx_init(0, 6);
	peer_start(&peer, 10, send_long, (void *)1);
	expect_eq(done, 0);
	WORKS(rt_mbx_evdrp, rt_mbx_evdrp(object, data, 8) != 2);
	expect_true(!memcmp(data, "012345", 6));
	WORKS(rt_mbx_receive_wp, rt_mbx_receive_wp(object, data, 3) != 0);
	expect_true(!memcmp(data, "012", 3));
	WORKS(rt_mbx_receive, rt_mbx_receive(object, data, 13));
	expect_true(!memcmp(data, "3456789abcdef", 13));
	expect_eq(done, 1);
	WORKS(rt_mbx_receive_until, rt_mbx_receive_until(object, data, 4, rt_get_time() + LONG));
	expect_true(!memcmp(data, "wxyz", 4));
	WORKS(rt_mbx_receive_timed, rt_mbx_receive_timed(object, data, 2, LONG));
	WORKS(rt_mbx_receive_if, rt_mbx_receive_if(object, data, 2));
	expect_eq(rt_mbx_receive_if(object, data, 2), 2);
	WORKS(rt_mbx_send_if, rt_mbx_send_if(object, data, 4));
	expect_eq(rt_mbx_send_if(object, data, 4), 4);
	expect_eq(rt_mbx_send_wp(object, data, 4), 2);
	WORKS(rt_mbx_ovrwr_send, rt_mbx_ovrwr_send(object, (void *)(uintptr_t) "ABCDEFGH", 8));
	expect_eq(rt_mbx_receive_wp(object, data, 8), 2);
	expect_true(!memcmp(data, "CDEFGH", 6));
	peer_join(&peer);
}

static void receive_three(void *arg)
{
	expect_eq(rt_mbx_receive(object, data, 1), 0);
	note(arg);
}

RTAI_TEST(mailboxes_queue_as_they_were_told)
{
	struct peer peer[3];

	object = rt_typed_mbx_init(0, 6, PRIO_Q);
	three_wait(peer, receive_three);
	expect_eq(rt_mbx_send(object, data, 3), 0);
	join_three(peer);
	check_order(3, 2, 1);
	object = rt_mbx_init(0, 6);
	three_wait(peer, receive_three);
	for (int i = 0; i < 3; i++)
		expect_eq(rt_mbx_send(object, data, 1), 0);
	join_three(peer);
	check_order(1, 2, 3);
}

RTAI_TEST(queues_keep_the_order_of_priorities)
{
	int priority = -1;

	object = rt_msgq_init(0, 4, 8);
	WORKS(rt_msg_send, rt_msg_send(object, "low", 4, 9));
	WORKS(rt_msg_send_if, rt_msg_send_if(object, "high", 5, 2));
	WORKS(rt_tbx_urgent, rt_tbx_urgent(object, (void *)(uintptr_t) "top", 4));
	WORKS(rt_msg_send_timed, rt_msg_send_timed(object, "low2", 5, 9, LONG));
	expect_eq(rt_msg_send_if(object, "full", 5, 1), 5);
	expect_eq(rt_tbx_send_if(object, (void *)(uintptr_t) "full", 5), 5);
	expect_eq(rt_tbx_urgent_if(object, (void *)(uintptr_t) "full", 5), 5);
	WORKS(rt_msg_evdrp, rt_msg_evdrp(object, data, 4, &priority));
	expect_true(priority == 0 && !strcmp(data, "top"));
	WORKS(rt_tbx_receive, rt_tbx_receive(object, data, 4));
	expect_true(!strcmp(data, "top"));
	/* Cut. */
	WORKS(rt_msg_receive, rt_msg_receive(object, data, 2, &priority));
	expect_true(priority == 2 && data[0] == 'h' && data[1] == 'i' && data[2] == 'p');
	WORKS(rt_msg_receive_timed, rt_msg_receive_timed(object, data, 4, &priority, LONG));
	expect_true(priority == 9 && !strcmp(data, "low"));
	WORKS(rt_msg_receive_if, rt_msg_receive_if(object, data, 8, NULL) != 3);
	expect_true(!strcmp(data, "low2"));
	expect_eq(rt_msg_receive_if(object, data, 8, NULL), 8);
	expect_eq(rt_tbx_receive_if(object, data, 8), 8);
}

RTAI_TEST(typed_mailboxes_take_their_forms)
{
	const RTIME later = rt_get_time() + LONG;
	void *text = (void *)(uintptr_t) "text";

	object = rt_tbx_init(nam2num("TBX"), 8, 0);
	expect_true(rt_tbx_init(nam2num("TBX"), 8, 0) == object);
	WORKS(rt_tbx_send_if, rt_tbx_send_if(object, text, 5));
	WORKS(rt_tbx_send_until, rt_tbx_send_until(object, text, 5, later));
	WORKS(rt_tbx_send_timed, rt_tbx_send_timed(object, text, 5, LONG));
	WORKS(rt_tbx_urgent_if, rt_tbx_urgent_if(object, text, 5));
	WORKS(rt_tbx_urgent_until, rt_tbx_urgent_until(object, text, 5, later));
	WORKS(rt_tbx_urgent_timed, rt_tbx_urgent_timed(object, text, 5, LONG));
	WORKS(rt_msg_send_until, rt_msg_send_until(object, text, 5, 3, later));
	WORKS(rt_tbx_receive_if, rt_tbx_receive_if(object, data, 5));
	WORKS(rt_tbx_receive_until, rt_tbx_receive_until(object, data, 5, later));
	WORKS(rt_tbx_receive_timed, rt_tbx_receive_timed(object, data, 5, LONG));
	WORKS(rt_msg_receive_until, rt_msg_receive_until(object, data, 5, NULL, later));
	expect_eq(rt_tbx_delete(object), 1);
	expect_eq(rt_tbx_delete(object), 0);
}

static void receive_message(void *arg)
{
	char own[8];

	expect_eq(rt_tbx_receive(object, own, 4), 0);
	expect_true(!strcmp(own, "all"));
	note(arg);
}

RTAI_TEST(broadcasts_reach_those_who_wait)
{
	struct peer peer[3];
	char all[] = "all";

	object = rt_tbx_init(0, 8, 0);
	three_wait(peer, receive_message);
	expect_eq(rt_tbx_broadcast(object, all, 4), 3);
	join_three(peer);
	three_wait(peer, receive_message);
	expect_eq(rt_msg_broadcast_timed(object, all, 4, 0, LONG), 3);
	join_three(peer);
	WORKS(rt_tbx_broadcast, rt_tbx_broadcast(object, all, 4));
	WORKS(rt_tbx_broadcast_if, rt_tbx_broadcast_if(object, all, 4));
	WORKS(rt_tbx_broadcast_until, rt_tbx_broadcast_until(object, all, 4, LONG));
	WORKS(rt_tbx_broadcast_timed, rt_tbx_broadcast_timed(object, all, 4, LONG));
	WORKS(rt_msg_broadcast, rt_msg_broadcast(object, all, 4, 0));
	WORKS(rt_msg_broadcast_if, rt_msg_broadcast_if(object, all, 4, 0));
	WORKS(rt_msg_broadcast_until, rt_msg_broadcast_until(object, all, 4, 0, LONG));
	WORKS(rt_msg_broadcast_timed, rt_msg_broadcast_timed(object, all, 4, 0, LONG));
	expect_eq(rt_tbx_receive_if(object, all, 4), 4);
}

#define TWO(low, high) ((unsigned long)(low) | (unsigned long)(high) << 32)

static int met(unsigned long group, int test, unsigned long masks)
{
	BITS *bits = rt_bits_init(0, group);
	const int result = rt_bits_wait_if(bits, test, masks, NOP_BITS, 0, NULL);

	rt_bits_delete(bits);
	return result;
}

RTAI_TEST(tests_of_bits)
{
	expect_true(met(3, ALL_SET, 3) && !met(1, ALL_SET, 3));
	expect_true(met(1, ANY_SET, 3) && !met(4, ANY_SET, 3));
	expect_true(met(4, ALL_CLR, 3) && !met(1, ALL_CLR, 3));
	expect_true(met(1, ANY_CLR, 3) && !met(3, ANY_CLR, 3));
	expect_true(met(1, ALL_SET_AND_ANY_SET, TWO(1, 3)) &&
		    !met(2, ALL_SET_AND_ANY_SET, TWO(1, 3)));
	expect_true(met(1, ALL_SET_AND_ALL_CLR, TWO(1, 6)) &&
		    !met(3, ALL_SET_AND_ALL_CLR, TWO(1, 6)));
	expect_true(met(3, ALL_SET_AND_ANY_CLR, TWO(1, 6)) &&
		    !met(7, ALL_SET_AND_ANY_CLR, TWO(1, 6)));
	expect_true(met(2, ANY_SET_AND_ALL_CLR, TWO(3, 4)) &&
		    !met(6, ANY_SET_AND_ALL_CLR, TWO(3, 4)));
	expect_true(met(2, ANY_SET_AND_ANY_CLR, TWO(3, 12)) &&
		    !met(14, ANY_SET_AND_ANY_CLR, TWO(3, 12)));
	expect_true(met(1, ALL_CLR_AND_ANY_CLR, TWO(6, 9)) &&
		    !met(9, ALL_CLR_AND_ANY_CLR, TWO(6, 9)));
	expect_true(met(8, ALL_SET_OR_ANY_SET, TWO(3, 12)) &&
		    !met(1, ALL_SET_OR_ANY_SET, TWO(3, 12)));
	expect_true(met(8, ALL_SET_OR_ALL_CLR, TWO(3, 4)) &&
		    !met(4, ALL_SET_OR_ALL_CLR, TWO(3, 4)));
	expect_true(met(4, ALL_SET_OR_ANY_CLR, TWO(3, 12)) &&
		    !met(12, ALL_SET_OR_ANY_CLR, TWO(3, 12)));
	expect_true(met(8, ANY_SET_OR_ALL_CLR, TWO(3, 4)) &&
		    !met(4, ANY_SET_OR_ALL_CLR, TWO(3, 4)));
	expect_true(met(4, ANY_SET_OR_ANY_CLR, TWO(3, 12)) &&
		    !met(12, ANY_SET_OR_ANY_CLR, TWO(3, 12)));
	expect_true(met(7, ALL_CLR_OR_ANY_CLR, TWO(1, 12)) &&
		    !met(13, ALL_CLR_OR_ANY_CLR, TWO(1, 12)));
}

static void wait_for_bit(void *arg)
{
	unsigned long seen = 0;

	WORKS(rt_bits_wait, rt_bits_wait(object, ALL_SET, 1, CLR_BITS, 1, &seen));
	expect_true(seen & 1);
	note(arg);
}

/* A waiter takes the bit; the next one waits on. */
RTAI_TEST(bits_are_changed_by_waiters)
{
	struct peer peer[3];

	object = rt_bits_init(0, 0);
	three_wait(peer, wait_for_bit);
	WORKS(rt_bits_signal, rt_bits_signal(object, SET_BITS, 1) != 1);
	expect_eq(done, 1);
	expect_eq(rt_bits_signal(object, SET_CLR_BITS, TWO(5, 8)), 5);
	expect_eq(done, 2);
	WORKS(rt_get_bits, rt_get_bits(object) != 4);
	expect_eq(rt_bits_signal(object, CLR_BITS, 4), 0);
	expect_eq(rt_bits_signal(object, NOP_BITS, 7), 0);
	rt_bits_signal(object, SET_BITS, 1);
	join_three(peer);
	check_order(3, 2, 1);
	WORKS(rt_bits_reset, rt_bits_reset(object, 6));
	expect_eq(rt_get_bits(object), 6);
}

static void wait_for_bits_in_time(void *arg)
{
	(void)arg;
	WORKS(rt_bits_wait_until,
	      rt_bits_wait_until(object, ANY_SET, 6, CLR_BITS, 6, rt_get_time() + LONG, NULL));
	WORKS(rt_bits_wait_timed, rt_bits_wait_timed(object, ALL_SET, 6, NOP_BITS, 0, LONG, NULL));
}

RTAI_TEST(bits_come_in_time)
{
	struct peer peer;

	object = rt_bits_init(0, 0);
	peer_start(&peer, 10, wait_for_bits_in_time, NULL);
	rt_bits_signal(object, SET_BITS, 2);
	/* A reset wakes them whatever they wait for. */
	expect_eq(rt_bits_reset(object, 0), 0);
	peer_join(&peer);
}

static void read_locked(void *arg)
{
	WORKS(rt_rwl_rdlock_until, rt_rwl_rdlock_until(object, rt_get_time() + LONG));
	WORKS(rt_rwl_rdlock_timed, rt_rwl_rdlock_timed(object, LONG));
	note(arg);
	rt_sleep(MS(3));
	expect_eq(rt_rwl_unlock(object), 0);
	expect_eq(rt_rwl_unlock(object), 0);
}

static void write_locked(void *arg)
{
	expect_eq(rt_rwl_wrlock(object), 0);
	note(arg);
	rt_sleep(MS(3));
	expect_eq(rt_rwl_unlock(object), 0);
}

RTAI_TEST(readers_read_together_and_a_writer_alone)
{
	struct peer reader[2];
	struct peer writer;

	done = 0;
	object = rt_rwl_init(0);
	rt_rwl_wrlock(object);
	peer_start(&reader[0], 20, read_locked, (void *)1);
	peer_start(&reader[1], 21, read_locked, (void *)2);
	peer_start(&writer, 30, write_locked, (void *)3);
	expect_eq(done, 0);
	rt_rwl_unlock(object);
	rt_sleep(MS(2));
	expect_eq(done, 2);
	peer_join(&writer);
	expect_eq(order[2], 3);
	peer_join(&reader[0]);
	peer_join(&reader[1]);
}

#define READERS 40

static void read_and_leave(void *arg)
{
	(void)arg;
	expect_eq(rt_rwl_rdlock(object), 0);
}

/* Readers that end without giving the lock back take no place for ever. */
RTAI_TEST(readers_that_left_are_forgotten)
{
	object = rt_rwl_init(0);
	for (int i = 0; i < READERS; i++) {
		struct peer peer;

		peer_start(&peer, 20, read_and_leave, NULL);
		peer_join(&peer);
	}
	expect_eq(rt_rwl_rdlock(object), 0);
	expect_eq(rt_rwl_unlock(object), 0);
	expect_eq(rt_rwl_wrlock_timed(object, MS(1)), 0);
	expect_eq(rt_rwl_unlock(object), 0);
}
