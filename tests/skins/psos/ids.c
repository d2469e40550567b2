/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ids that name no object of the type: of a deleted object, of another type, and other numbers. */
#include "psos_test.h"

static unsigned long words[4];
static void *address;

static unsigned long a_queue(void)
{
	unsigned long id = 0;

	expect_ok(q_create("QUEU", 1, Q_LIMIT, &id));
	return id;
}

/* The id of an object that was deleted. */
static unsigned long gone_one(void)
{
	unsigned long id = a_semaphore(0);

	expect_ok(sm_delete(id));
	return id;
}

static void body(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	(void)a, (void)b, (void)c, (void)d;
}

TEST(wrong_ids_of_tasks)
{
	const unsigned long gone = gone_one();
	const unsigned long other = a_semaphore(0);

	FAILS(t_start, ERR_OBJDEL, t_start(gone, 0, body, NULL));
	FAILS(t_start, ERR_OBJTYPE, t_start(other, 0, body, NULL));
	FAILS(t_start, ERR_OBJID, t_start(NEVER, 0, body, NULL));
	FAILS(t_restart, ERR_OBJDEL, t_restart(gone, NULL));
	FAILS(t_restart, ERR_OBJTYPE, t_restart(other, NULL));
	FAILS(t_restart, ERR_OBJID, t_restart(NEVER, NULL));
	FAILS(t_delete, ERR_OBJDEL, t_delete(gone));
	FAILS(t_delete, ERR_OBJTYPE, t_delete(other));
	FAILS(t_delete, ERR_OBJID, t_delete(NEVER));
	FAILS(t_suspend, ERR_OBJDEL, t_suspend(gone));
	FAILS(t_suspend, ERR_OBJTYPE, t_suspend(other));
	FAILS(t_suspend, ERR_OBJID, t_suspend(NEVER));
	FAILS(t_resume, ERR_OBJDEL, t_resume(gone));
	FAILS(t_resume, ERR_OBJTYPE, t_resume(other));
	FAILS(t_resume, ERR_OBJID, t_resume(NEVER));
	FAILS(t_setpri, ERR_OBJDEL, t_setpri(gone, 10, NULL));
	FAILS(t_setpri, ERR_OBJTYPE, t_setpri(other, 10, NULL));
	FAILS(t_setpri, ERR_OBJID, t_setpri(NEVER, 10, NULL));
	FAILS(t_getreg, ERR_OBJDEL, t_getreg(gone, 0, NULL));
	FAILS(t_getreg, ERR_OBJTYPE, t_getreg(other, 0, NULL));
	FAILS(t_getreg, ERR_OBJID, t_getreg(NEVER, 0, NULL));
	FAILS(t_setreg, ERR_OBJDEL, t_setreg(gone, 0, 1));
	FAILS(t_setreg, ERR_OBJTYPE, t_setreg(other, 0, 1));
	FAILS(t_setreg, ERR_OBJID, t_setreg(NEVER, 0, 1));
	FAILS(ev_send, ERR_OBJDEL, ev_send(gone, 1));
	FAILS(ev_send, ERR_OBJTYPE, ev_send(other, 1));
	FAILS(ev_send, ERR_OBJID, ev_send(NEVER, 1));
	FAILS(as_send, ERR_OBJDEL, as_send(gone, 1));
	FAILS(as_send, ERR_OBJTYPE, as_send(other, 1));
	FAILS(as_send, ERR_OBJID, as_send(NEVER, 1));
}

TEST(wrong_ids_of_queues)
{
	const unsigned long gone = gone_one();
	const unsigned long other = a_semaphore(0);

	FAILS(q_delete, ERR_OBJDEL, q_delete(gone));
	FAILS(q_delete, ERR_OBJTYPE, q_delete(other));
	FAILS(q_delete, ERR_OBJID, q_delete(NEVER));
	FAILS(q_receive, ERR_OBJDEL, q_receive(gone, Q_NOWAIT, 0, words));
	FAILS(q_receive, ERR_OBJTYPE, q_receive(other, Q_NOWAIT, 0, words));
	FAILS(q_receive, ERR_OBJID, q_receive(NEVER, Q_NOWAIT, 0, words));
	FAILS(q_send, ERR_OBJDEL, q_send(gone, words));
	FAILS(q_send, ERR_OBJTYPE, q_send(other, words));
	FAILS(q_send, ERR_OBJID, q_send(NEVER, words));
	FAILS(q_urgent, ERR_OBJDEL, q_urgent(gone, words));
	FAILS(q_urgent, ERR_OBJTYPE, q_urgent(other, words));
	FAILS(q_urgent, ERR_OBJID, q_urgent(NEVER, words));
	FAILS(q_broadcast, ERR_OBJDEL, q_broadcast(gone, words, NULL));
	FAILS(q_broadcast, ERR_OBJTYPE, q_broadcast(other, words, NULL));
	FAILS(q_broadcast, ERR_OBJID, q_broadcast(NEVER, words, NULL));
	FAILS(q_vdelete, ERR_OBJDEL, q_vdelete(gone));
	FAILS(q_vdelete, ERR_OBJTYPE, q_vdelete(other));
	FAILS(q_vdelete, ERR_OBJID, q_vdelete(NEVER));
	FAILS(q_vreceive, ERR_OBJDEL, q_vreceive(gone, Q_NOWAIT, 0, words, sizeof(words), NULL));
	FAILS(q_vreceive, ERR_OBJTYPE, q_vreceive(other, Q_NOWAIT, 0, words, sizeof(words), NULL));
	FAILS(q_vreceive, ERR_OBJID, q_vreceive(NEVER, Q_NOWAIT, 0, words, sizeof(words), NULL));
	FAILS(q_vsend, ERR_OBJDEL, q_vsend(gone, words, 1));
	FAILS(q_vsend, ERR_OBJTYPE, q_vsend(other, words, 1));
	FAILS(q_vsend, ERR_OBJID, q_vsend(NEVER, words, 1));
	FAILS(q_vurgent, ERR_OBJDEL, q_vurgent(gone, words, 1));
	FAILS(q_vurgent, ERR_OBJTYPE, q_vurgent(other, words, 1));
	FAILS(q_vurgent, ERR_OBJID, q_vurgent(NEVER, words, 1));
	FAILS(q_vbroadcast, ERR_OBJDEL, q_vbroadcast(gone, words, 1, NULL));
	FAILS(q_vbroadcast, ERR_OBJTYPE, q_vbroadcast(other, words, 1, NULL));
	FAILS(q_vbroadcast, ERR_OBJID, q_vbroadcast(NEVER, words, 1, NULL));
}

TEST(wrong_ids_of_semaphores)
{
	const unsigned long gone = gone_one();
	const unsigned long other = a_queue();

	FAILS(sm_delete, ERR_OBJDEL, sm_delete(gone));
	FAILS(sm_delete, ERR_OBJTYPE, sm_delete(other));
	FAILS(sm_delete, ERR_OBJID, sm_delete(NEVER));
	FAILS(sm_p, ERR_OBJDEL, sm_p(gone, SM_WAIT, 0));
	FAILS(sm_p, ERR_OBJTYPE, sm_p(other, SM_WAIT, 0));
	FAILS(sm_p, ERR_OBJID, sm_p(NEVER, SM_WAIT, 0));
	FAILS(sm_v, ERR_OBJDEL, sm_v(gone));
	FAILS(sm_v, ERR_OBJTYPE, sm_v(other));
	FAILS(sm_v, ERR_OBJID, sm_v(NEVER));
}

TEST(wrong_ids_of_partitions)
{
	const unsigned long gone = gone_one();
	const unsigned long other = a_semaphore(0);

	FAILS(pt_delete, ERR_OBJDEL, pt_delete(gone));
	FAILS(pt_delete, ERR_OBJTYPE, pt_delete(other));
	FAILS(pt_delete, ERR_OBJID, pt_delete(NEVER));
	FAILS(pt_getbuf, ERR_OBJDEL, pt_getbuf(gone, &address));
	FAILS(pt_getbuf, ERR_OBJTYPE, pt_getbuf(other, &address));
	FAILS(pt_getbuf, ERR_OBJID, pt_getbuf(NEVER, &address));
	FAILS(pt_sgetbuf, ERR_OBJDEL, pt_sgetbuf(gone, &address, NULL));
	FAILS(pt_sgetbuf, ERR_OBJTYPE, pt_sgetbuf(other, &address, NULL));
	FAILS(pt_sgetbuf, ERR_OBJID, pt_sgetbuf(NEVER, &address, NULL));
	FAILS(pt_retbuf, ERR_OBJDEL, pt_retbuf(gone, words));
	FAILS(pt_retbuf, ERR_OBJTYPE, pt_retbuf(other, words));
	FAILS(pt_retbuf, ERR_OBJID, pt_retbuf(NEVER, words));
}

TEST(wrong_ids_of_regions)
{
	const unsigned long gone = gone_one();
	const unsigned long other = a_semaphore(0);

	FAILS(rn_delete, ERR_OBJDEL, rn_delete(gone));
	FAILS(rn_delete, ERR_OBJTYPE, rn_delete(other));
	FAILS(rn_delete, ERR_OBJID, rn_delete(NEVER));
	FAILS(rn_getseg, ERR_OBJDEL, rn_getseg(gone, 16, RN_NOWAIT, 0, &address));
	FAILS(rn_getseg, ERR_OBJTYPE, rn_getseg(other, 16, RN_NOWAIT, 0, &address));
	FAILS(rn_getseg, ERR_OBJID, rn_getseg(NEVER, 16, RN_NOWAIT, 0, &address));
	FAILS(rn_retseg, ERR_OBJDEL, rn_retseg(gone, words));
	FAILS(rn_retseg, ERR_OBJTYPE, rn_retseg(other, words));
	FAILS(rn_retseg, ERR_OBJID, rn_retseg(NEVER, words));
}

TEST(numbers_that_are_no_ids)
{
	/* The task with id 0 is the calling task, which main() is not. */
	FAILS(t_suspend, ERR_OBJID, t_suspend(0));
	FAILS(sm_p, ERR_OBJID, sm_p(0, SM_NOWAIT, 0));
	FAILS(sm_p, ERR_OBJID, sm_p(1, SM_NOWAIT, 0));
	FAILS(sm_p, ERR_OBJID, sm_p(0xffff, SM_NOWAIT, 0));
	FAILS(sm_p, ERR_OBJID, sm_p(0xffffffff, SM_NOWAIT, 0));
	FAILS(sm_p, ERR_OBJID, sm_p(~0ul, SM_NOWAIT, 0));
	/* Only the lower half of it is an id. */
	FAILS(sm_p, ERR_OBJID, sm_p(a_semaphore(1) | 1ul << 32, SM_NOWAIT, 0));
}

TEST(ids_fit_an_int_and_are_not_used_again_soon)
{
	unsigned long before = 0;

	for (int i = 0; i < 200; i++) {
		unsigned long id = a_semaphore(1);

		expect_true(id != before && id <= 0x7fffffff);
		expect_ok(sm_p(id, SM_NOWAIT, 0));
		expect_ok(sm_delete(id));
		FAILS(sm_p, ERR_OBJDEL, sm_p(id, SM_NOWAIT, 0));
		before = id;
	}
}
