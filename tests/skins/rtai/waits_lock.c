/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Locks: deletion, broken waits, times, bad pointers, handlers. */
#include <rtai_rwl.h>
#include <rtai_spl.h>

#include "rtai_test.h"

static RWL *rwl;
static SPL *spl;

static void deleted_rt_rwl_rdlock(void *arg)
{
	(void)arg;
	FAILS(rt_rwl_rdlock, RTE_OBJREM, rt_rwl_rdlock(rwl));
}

static void deleted_rt_rwl_rdlock_until(void *arg)
{
	(void)arg;
	FAILS(rt_rwl_rdlock_until, RTE_OBJREM, rt_rwl_rdlock_until(rwl, rt_get_time() + LONG));
}

static void deleted_rt_rwl_rdlock_timed(void *arg)
{
	(void)arg;
	FAILS(rt_rwl_rdlock_timed, RTE_OBJREM, rt_rwl_rdlock_timed(rwl, LONG));
}

static void deleted_rt_rwl_wrlock(void *arg)
{
	(void)arg;
	FAILS(rt_rwl_wrlock, RTE_OBJREM, rt_rwl_wrlock(rwl));
}

static void deleted_rt_rwl_wrlock_until(void *arg)
{
	(void)arg;
	FAILS(rt_rwl_wrlock_until, RTE_OBJREM, rt_rwl_wrlock_until(rwl, rt_get_time() + LONG));
}

static void deleted_rt_rwl_wrlock_timed(void *arg)
{
	(void)arg;
	FAILS(rt_rwl_wrlock_timed, RTE_OBJREM, rt_rwl_wrlock_timed(rwl, LONG));
}

static void (*const reader_locks_deleted[])(void *) = {
	deleted_rt_rwl_rdlock, deleted_rt_rwl_rdlock_until, deleted_rt_rwl_rdlock_timed,
	deleted_rt_rwl_wrlock, deleted_rt_rwl_wrlock_until, deleted_rt_rwl_wrlock_timed,
};

static void broken_rt_rwl_rdlock(void *arg)
{
	(void)arg;
	FAILS(rt_rwl_rdlock, RTE_UNBLKD, rt_rwl_rdlock(rwl));
}

static void broken_rt_rwl_rdlock_until(void *arg)
{
	(void)arg;
	FAILS(rt_rwl_rdlock_until, RTE_UNBLKD, rt_rwl_rdlock_until(rwl, rt_get_time() + LONG));
}

static void broken_rt_rwl_rdlock_timed(void *arg)
{
	(void)arg;
	FAILS(rt_rwl_rdlock_timed, RTE_UNBLKD, rt_rwl_rdlock_timed(rwl, LONG));
}

static void broken_rt_rwl_wrlock(void *arg)
{
	(void)arg;
	FAILS(rt_rwl_wrlock, RTE_UNBLKD, rt_rwl_wrlock(rwl));
}

static void broken_rt_rwl_wrlock_until(void *arg)
{
	(void)arg;
	FAILS(rt_rwl_wrlock_until, RTE_UNBLKD, rt_rwl_wrlock_until(rwl, rt_get_time() + LONG));
}

static void broken_rt_rwl_wrlock_timed(void *arg)
{
	(void)arg;
	FAILS(rt_rwl_wrlock_timed, RTE_UNBLKD, rt_rwl_wrlock_timed(rwl, LONG));
}

static void (*const reader_locks_broken[])(void *) = {
	broken_rt_rwl_rdlock, broken_rt_rwl_rdlock_until, broken_rt_rwl_rdlock_timed,
	broken_rt_rwl_wrlock, broken_rt_rwl_wrlock_until, broken_rt_rwl_wrlock_timed,
};

static void erase_reader_locks(struct peer *peer)
{
	(void)peer;
	WORKS(rt_rwl_delete, rt_rwl_delete(rwl) <= 0);
}

RTAI_TEST(deletion_ends_waits_of_reader_locks)
{
	for (size_t i = 0; i < COUNT(reader_locks_deleted); i++) {
		rwl = rt_rwl_init(0);
		WORKS(rt_rwl_wrlock, rt_rwl_wrlock(rwl));
		while_it_waits(reader_locks_deleted[i], erase_reader_locks);
	}
}

RTAI_TEST(waits_of_reader_locks_are_broken)
{
	rwl = rt_rwl_init(0);
	WORKS(rt_rwl_wrlock, rt_rwl_wrlock(rwl));
	for (size_t i = 0; i < COUNT(reader_locks_broken); i++)
		while_it_waits(reader_locks_broken[i], break_its_wait);
}

static void deleted_rt_spl_lock(void *arg)
{
	(void)arg;
	FAILS(rt_spl_lock, RTE_OBJREM, rt_spl_lock(spl));
}

static void deleted_rt_spl_lock_timed(void *arg)
{
	(void)arg;
	FAILS(rt_spl_lock_timed, RTE_OBJREM, rt_spl_lock_timed(spl, LONG));
}

static void (*const spinning_locks_deleted[])(void *) = {
	deleted_rt_spl_lock,
	deleted_rt_spl_lock_timed,
};

static void broken_rt_spl_lock(void *arg)
{
	(void)arg;
	FAILS(rt_spl_lock, RTE_UNBLKD, rt_spl_lock(spl));
}

static void broken_rt_spl_lock_timed(void *arg)
{
	(void)arg;
	FAILS(rt_spl_lock_timed, RTE_UNBLKD, rt_spl_lock_timed(spl, LONG));
}

static void (*const spinning_locks_broken[])(void *) = {
	broken_rt_spl_lock,
	broken_rt_spl_lock_timed,
};

static void erase_spinning_locks(struct peer *peer)
{
	(void)peer;
	WORKS(rt_spl_delete, rt_spl_delete(spl) <= 0);
}

RTAI_TEST(deletion_ends_waits_of_spinning_locks)
{
	for (size_t i = 0; i < COUNT(spinning_locks_deleted); i++) {
		spl = rt_spl_init(0);
		WORKS(rt_spl_lock, rt_spl_lock(spl));
		while_it_waits(spinning_locks_deleted[i], erase_spinning_locks);
	}
}

RTAI_TEST(waits_of_spinning_locks_are_broken)
{
	spl = rt_spl_init(0);
	WORKS(rt_spl_lock, rt_spl_lock(spl));
	for (size_t i = 0; i < COUNT(spinning_locks_broken); i++)
		while_it_waits(spinning_locks_broken[i], break_its_wait);
}

static void time_out(void *arg)
{
	(void)arg;
	FAILS(rt_rwl_rdlock_until, RTE_TIMOUT, rt_rwl_rdlock_until(rwl, rt_get_time() + MS(1)));
	FAILS(rt_rwl_rdlock_timed, RTE_TIMOUT, rt_rwl_rdlock_timed(rwl, MS(1)));
	FAILS(rt_rwl_wrlock_until, RTE_TIMOUT, rt_rwl_wrlock_until(rwl, rt_get_time() + MS(1)));
	FAILS(rt_rwl_wrlock_timed, RTE_TIMOUT, rt_rwl_wrlock_timed(rwl, MS(1)));
	expect_eq(rt_rwl_rdlock_if(rwl), -1);
	expect_eq(rt_rwl_wrlock_if(rwl), -1);
	expect_eq(rt_spl_lock_timed(spl, 1000000), -1);
	expect_eq(rt_spl_lock_if(spl), -1);
	expect_eq(rt_spl_unlock(spl), -1);
	FAILS(rt_rwl_unlock, RTE_PERM, rt_rwl_unlock(rwl));
}

RTAI_TEST(waits_for_locks_end_with_their_time)
{
	struct peer peer;

	rwl = rt_rwl_init(0);
	spl = rt_spl_init(0);
	rt_rwl_wrlock(rwl);
	rt_spl_lock(spl);
	peer_start(&peer, 10, time_out, NULL);
	peer_join(&peer);
}

RTAI_TEST(bad_pointers_are_no_locks)
{
	void *const bad[] = {NULL, GARBAGE, NOTHING, rt_agent()};

	for (size_t i = 0; i < COUNT(bad); i++) {
		FAILS(rt_rwl_rdlock, RTE_OBJINV, rt_rwl_rdlock(bad[i]));
		FAILS(rt_rwl_rdlock_if, RTE_OBJINV, rt_rwl_rdlock_if(bad[i]));
		FAILS(rt_rwl_rdlock_until, RTE_OBJINV, rt_rwl_rdlock_until(bad[i], LONG));
		FAILS(rt_rwl_rdlock_timed, RTE_OBJINV, rt_rwl_rdlock_timed(bad[i], LONG));
		FAILS(rt_rwl_wrlock, RTE_OBJINV, rt_rwl_wrlock(bad[i]));
		FAILS(rt_rwl_wrlock_if, RTE_OBJINV, rt_rwl_wrlock_if(bad[i]));
		FAILS(rt_rwl_wrlock_until, RTE_OBJINV, rt_rwl_wrlock_until(bad[i], LONG));
		FAILS(rt_rwl_wrlock_timed, RTE_OBJINV, rt_rwl_wrlock_timed(bad[i], LONG));
		FAILS(rt_rwl_unlock, RTE_OBJINV, rt_rwl_unlock(bad[i]));
		FAILS(rt_spl_lock, RTE_OBJINV, rt_spl_lock(bad[i]));
		FAILS(rt_spl_lock_if, RTE_OBJINV, rt_spl_lock_if(bad[i]));
		FAILS(rt_spl_lock_timed, RTE_OBJINV, rt_spl_lock_timed(bad[i], 1000));
		FAILS(rt_spl_unlock, RTE_OBJINV, rt_spl_unlock(bad[i]));
		FAILS(rt_rwl_delete, EFAULT, -rt_rwl_delete(bad[i]));
		FAILS(rt_named_rwl_delete, EFAULT, -rt_named_rwl_delete(bad[i]));
		FAILS(rt_spl_delete, EFAULT, -rt_spl_delete(bad[i]));
		FAILS(rt_named_spl_delete, EFAULT, -rt_named_spl_delete(bad[i]));
	}
	WORKS(rt_rwl_init, !rt_rwl_init(nam2num("L")));
	FAILS(rt_rwl_init, NULL, rt_rwl_init(nam2num("L")));
	FAILS(rt_typed_rwl_init, NULL, rt_typed_rwl_init(nam2num("L"), RESEM_RECURS));
	FAILS(rt_named_rwl_init, NULL, rt_named_rwl_init(""));
	FAILS(rt_spl_init, NULL, rt_spl_init(nam2num("L")));
	FAILS(rt_named_spl_init, NULL, rt_named_spl_init("L"));
}

static void use_in_handler(void *arg)
{
	(void)arg;
	FAILS(rt_rwl_rdlock, RTE_PERM, rt_rwl_rdlock(rwl));
	FAILS(rt_rwl_rdlock_until, RTE_PERM, rt_rwl_rdlock_until(rwl, rt_get_time() + LONG));
	FAILS(rt_rwl_rdlock_timed, RTE_PERM, rt_rwl_rdlock_timed(rwl, LONG));
	FAILS(rt_rwl_wrlock, RTE_PERM, rt_rwl_wrlock(rwl));
	FAILS(rt_rwl_wrlock_until, RTE_PERM, rt_rwl_wrlock_until(rwl, rt_get_time() + LONG));
	FAILS(rt_rwl_wrlock_timed, RTE_PERM, rt_rwl_wrlock_timed(rwl, LONG));
	FAILS(rt_spl_lock, RTE_PERM, rt_spl_lock(spl));
	FAILS(rt_spl_lock_timed, RTE_PERM, rt_spl_lock_timed(spl, LONG));
	FAILS(rt_rwl_unlock, RTE_PERM, rt_rwl_unlock(rwl));
	expect_eq(rt_spl_lock_if(spl), -1);
}

RTAI_TEST(handlers_own_no_locks)
{
	rwl = rt_rwl_init(0);
	spl = rt_spl_init(0);
	in_handler(use_in_handler);
}

RTAI_TEST(owner_locks_again_or_is_told)
{
	rwl = rt_rwl_init(0);
	WORKS(rt_rwl_wrlock_if, rt_rwl_wrlock_if(rwl));
	WORKS(rt_rwl_wrlock_timed, rt_rwl_wrlock_timed(rwl, LONG));
	FAILS(rt_rwl_rdlock, RTE_RWLINV, rt_rwl_rdlock(rwl));
	FAILS(rt_rwl_rdlock_until, RTE_RWLINV, rt_rwl_rdlock_until(rwl, LONG));
	FAILS(rt_rwl_rdlock_timed, RTE_RWLINV, rt_rwl_rdlock_timed(rwl, LONG));
	WORKS(rt_rwl_unlock, rt_rwl_unlock(rwl));
	WORKS(rt_rwl_unlock, rt_rwl_unlock(rwl));
	FAILS(rt_rwl_unlock, RTE_PERM, rt_rwl_unlock(rwl));
	WORKS(rt_rwl_rdlock, rt_rwl_rdlock(rwl));
	WORKS(rt_rwl_rdlock_if, rt_rwl_rdlock_if(rwl));
	FAILS(rt_rwl_wrlock, RTE_DEADLOK, rt_rwl_wrlock(rwl));
	FAILS(rt_rwl_wrlock_until, RTE_DEADLOK, rt_rwl_wrlock_until(rwl, LONG));
	FAILS(rt_rwl_wrlock_timed, RTE_DEADLOK, rt_rwl_wrlock_timed(rwl, LONG));
	expect_eq(rt_rwl_unlock(rwl), 0);
	expect_eq(rt_rwl_unlock(rwl), 0);
	WORKS(rt_typed_rwl_init, !(rwl = rt_typed_rwl_init(0, RESEM_CHEKWT)));
	WORKS(rt_rwl_wrlock_until, rt_rwl_wrlock_until(rwl, LONG));
	FAILS(rt_rwl_wrlock, RTE_DEADLOK, rt_rwl_wrlock(rwl));
	WORKS(rt_spl_init, !(spl = rt_spl_init(0)));
	WORKS(rt_spl_lock_if, rt_spl_lock_if(spl));
	WORKS(rt_spl_lock_timed, rt_spl_lock_timed(spl, 1000));
	WORKS(rt_spl_unlock, rt_spl_unlock(spl));
	WORKS(rt_spl_unlock, rt_spl_unlock(spl));
	expect_eq(rt_spl_unlock(spl), -1);
}
