/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Objects in structures of modules. */
#include <rtai_bits.h>
#include <rtai_mbx.h>
#include <rtai_registry.h>
#include <rtai_rwl.h>
#include <rtai_sem.h>
#include <rtai_spl.h>
#include <rtai_tasklets.h>
#include <rtai_tbx.h>

#include "module_test.h"

static SEM sem;
static CND cnd;
static volatile int runs;
static volatile unsigned long seen;

TEST_UNSTARTED(semaphore_counts)
{
	FAILS(rt_sem_delete, RTE_OBJINV, rt_sem_delete(&sem));
	WORKS(rt_typed_sem_init, (rt_typed_sem_init(&sem, 1, CNT_SEM | FIFO_Q), 0));
	expect_eq(rt_sem_wait(&sem), 1);
	expect_eq(rt_sem_wait_timed(&sem, MS(1)), RTE_TIMOUT);
	expect_ok(rt_sem_signal(&sem));
	expect_eq(rt_sem_count(&sem), 1);
	WORKS(rt_sem_delete, rt_sem_delete(&sem));
	expect_eq(rt_sem_signal(&sem), RTE_OBJINV);
	WORKS(rt_sem_init, (rt_sem_init(&sem, 3), 0));
	expect_eq(rt_sem_count(&sem), 3);
	expect_ok(rt_sem_delete(&sem));
	/* A bad type. */
	rt_typed_sem_init(&sem, 1, 64);
	expect_eq(rt_sem_count(&sem), RTE_OBJINV);
}

TEST_UNSTARTED(semaphores_have_names)
{
	const unsigned long name = nam2num("gate");
	SEM *named = _rt_typed_named_sem_init(name, 0, BIN_SEM, NULL);

	WORKS(_rt_typed_named_sem_init, _rt_typed_named_sem_init(name, 0, BIN_SEM, NULL) != named);
	FAILS(_rt_typed_named_sem_init, NULL,
	      _rt_typed_named_sem_init(nam2num("new"), 0, 64, NULL));
	expect_true(rt_typed_named_sem_init("gate", 0, BIN_SEM) == named);
	while (rt_named_sem_delete(named) > 0)
		;
	rt_typed_sem_init(&sem, 0, BIN_SEM);
	expect_eq(rt_register(name, &sem, IS_SEM, NULL), 1);
	expect_true(rt_get_adr(name) == &sem);
	expect_ok(rt_sem_delete(&sem));
	expect_true(rt_get_adr(name) == NULL);
}

static void lock_twice(long data)
{
	(void)data;
	WORKS(rt_mutex_init, (rt_mutex_init(&sem), 0));
	WORKS(rt_mutex_lock, rt_mutex_lock(&sem) - 1);
	expect_eq(rt_mutex_trylock(&sem), 2);
	WORKS(rt_mutex_unlock, rt_mutex_unlock(&sem));
	WORKS(rt_mutex_timedlock, rt_mutex_timedlock(&sem, rt_get_time() + MS(1)) - 2);
	expect_ok(rt_mutex_unlock(&sem));
	expect_ok(rt_mutex_unlock(&sem));
	WORKS(rt_mutex_trylock, rt_mutex_trylock(&sem) - 1);
	WORKS(rt_mutex_delete, rt_mutex_delete(&sem));
	rt_mutex_init(&sem);
	WORKS(rt_mutex_destroy, rt_mutex_destroy(&sem));
}

TEST_UNSTARTED(mutex_is_a_resource_semaphore)
{
	run_task(5, lock_twice, 0);
}

static void wait_for_condition(long data)
{
	(void)data;
	expect_eq(rt_mutex_lock(&sem), 1);
	expect_ok(rt_cond_wait(&cnd, &sem));
	runs++;
	expect_ok(rt_mutex_unlock(&sem));
}

TEST_UNSTARTED(condition_wakes)
{
	static RT_TASK waiter[2];

	runs = 0;
	WORKS(rt_cond_init, (rt_cond_init(&cnd), 0));
	rt_mutex_init(&sem);
	for (int i = 0; i < 2; i++) {
		expect_ok(rt_task_init(&waiter[i], wait_for_condition, i, STACK, 5, 0, NULL));
		expect_ok(rt_task_resume(&waiter[i]));
	}
	rt_sleep(MS(5));
	WORKS(rt_cond_broadcast, rt_cond_broadcast(&cnd));
	UNTIL(runs == 2);
	WORKS(rt_cond_delete, rt_cond_delete(&cnd));
	rt_cond_init(&cnd);
	WORKS(rt_cond_destroy, rt_cond_destroy(&cnd));
	expect_ok(rt_sem_delete(&sem));
}

static pmutex_t mutex;

static void hold(long data)
{
	(void)data;
	expect_ok(rt_pmutex_lock(&mutex));
	runs = 1;
	while (runs == 1)
		rt_sleep(MS(1));
	expect_ok(rt_pmutex_unlock(&mutex));
	runs = 3;
}

static void try_held(long data)
{
	(void)data;
	FAILS(rt_pmutex_trylock, EBUSY, -rt_pmutex_trylock(&mutex));
}

static void lock_alone(long data)
{
	(void)data;
	WORKS(rt_pmutex_init, rt_pmutex_init(&mutex, NULL));
	WORKS(rt_pmutex_lock, rt_pmutex_lock(&mutex));
	WORKS(rt_pmutex_unlock, rt_pmutex_unlock(&mutex));
	WORKS(rt_pmutex_trylock, rt_pmutex_trylock(&mutex));
	expect_ok(rt_pmutex_unlock(&mutex));
	WORKS(rt_pmutex_destroy, rt_pmutex_destroy(&mutex));
	FAILS(rt_pmutex_lock, EINVAL, -rt_pmutex_lock(&mutex));
}

TEST_UNSTARTED(names_of_posix)
{
	static RT_TASK holder;
	static psem_t units;

	FAILS(rt_psem_init, EINVAL, -rt_psem_init(&units, CNT_SEM, RTE_TIMOUT));
	WORKS(rt_psem_init, rt_psem_init(&units, CNT_SEM, 1));
	WORKS(rt_psem_wait, rt_psem_wait(&units));
	FAILS(rt_psem_trywait, EAGAIN, -rt_psem_trywait(&units));
	WORKS(rt_psem_post, rt_psem_post(&units));
	WORKS(rt_psem_trywait, rt_psem_trywait(&units));
	WORKS(rt_psem_destroy, rt_psem_destroy(&units));
	run_task(5, lock_alone, 0);
	runs = 0;
	expect_ok(rt_pmutex_init(&mutex, NULL));
	expect_ok(rt_task_init(&holder, hold, 0, STACK, 4, 0, NULL));
	expect_ok(rt_task_resume(&holder));
	UNTIL(runs == 1);
	run_task(5, try_held, 0);
	runs = 2;
	UNTIL(runs == 3);
	expect_ok(rt_pmutex_destroy(&mutex));
}

TEST_UNSTARTED(mailbox_holds_bytes)
{
	static MBX mbx;
	char text[4] = "abc";
	MBX *named;

	FAILS(rt_typed_mbx_init, EINVAL, -rt_typed_mbx_init(&mbx, 0, FIFO_Q));
	FAILS(rt_typed_mbx_init, ENOMEM, -rt_typed_mbx_init(&mbx, 8, 64));
	FAILS(rt_mbx_init, EINVAL, -rt_mbx_init(&mbx, 0));
	FAILS(rt_mbx_delete, EINVAL, -rt_mbx_delete(&mbx));
	WORKS(rt_typed_mbx_init, rt_typed_mbx_init(&mbx, 8, FIFO_Q));
	expect_ok(rt_mbx_send(&mbx, text, sizeof(text)));
	memset(text, 0, sizeof(text));
	expect_ok(rt_mbx_receive(&mbx, text, sizeof(text)));
	expect_str(text, "abc");
	WORKS(rt_mbx_delete, rt_mbx_delete(&mbx));
	WORKS(rt_mbx_init, rt_mbx_init(&mbx, 8));
	expect_ok(rt_mbx_delete(&mbx));
	named = _rt_typed_named_mbx_init(nam2num("post"), 8, FIFO_Q, NULL);
	WORKS(_rt_typed_named_mbx_init,
	      _rt_typed_named_mbx_init(nam2num("post"), 8, FIFO_Q, NULL) != named);
	FAILS(_rt_typed_named_mbx_init, NULL,
	      _rt_typed_named_mbx_init(nam2num("new"), 0, FIFO_Q, NULL));
	while (rt_named_mbx_delete(named) > 0)
		;
}

static void lock_again(long lock)
{
	expect_ok(rt_rwl_wrlock((RWL *)lock));
	expect_ok(rt_rwl_wrlock_if((RWL *)lock));
	expect_ok(rt_rwl_unlock((RWL *)lock));
	expect_ok(rt_rwl_unlock((RWL *)lock));
}

TEST_UNSTARTED(bits_and_locks)
{
	static BITS bits;
	static SPL spl;
	static RWL rwl;

	FAILS(rt_bits_delete, RTE_OBJINV, rt_bits_delete(&bits));
	FAILS(rt_spl_delete, RTE_OBJINV, rt_spl_delete(&spl));
	FAILS(rt_rwl_delete, RTE_OBJINV, rt_rwl_delete(&rwl));
	WORKS(rt_bits_init, (rt_bits_init(&bits, 5), 0));
	expect_eq(rt_get_bits(&bits), 5);
	expect_eq(bits.mask, 5);
	expect_eq(rt_bits_signal(&bits, SET_BITS, 8), 13);
	expect_eq(bits.mask, 13);
	WORKS(rt_bits_delete, rt_bits_delete(&bits));
	WORKS(rt_spl_init, rt_spl_init(&spl));
	WORKS(rt_spl_delete, rt_spl_delete(&spl));
	WORKS(rt_rwl_init, rt_rwl_init(&rwl));
	run_task(5, lock_again, (long)&rwl);
	WORKS(rt_rwl_delete, rt_rwl_delete(&rwl));
	WORKS(rt_typed_rwl_init, rt_typed_rwl_init(&rwl, RESEM_RECURS));
	expect_ok(rt_rwl_delete(&rwl));
}

TEST_UNSTARTED(queues_hold_messages)
{
	static RT_MSGQ queue;
	static TBX box;
	int priority = 0;
	char text[4] = "abc";

	FAILS(rt_msgq_init, ENOMEM, -rt_msgq_init(&queue, 0, 8));
	FAILS(rt_tbx_init, ENOMEM, -rt_tbx_init(&box, 0, 0));
	FAILS(rt_msgq_delete, RTE_OBJINV, rt_msgq_delete(&queue));
	FAILS(rt_tbx_delete, RTE_OBJINV, rt_tbx_delete(&box));
	WORKS(rt_msgq_init, rt_msgq_init(&queue, 4, 8));
	expect_eq(rt_msg_send(&queue, text, 4, 2), 0);
	expect_eq(rt_msg_receive(&queue, text, 4, &priority), 0);
	expect_eq(priority, 2);
	WORKS(rt_msgq_delete, rt_msgq_delete(&queue));
	WORKS(rt_tbx_init, rt_tbx_init(&box, 64, 0));
	expect_eq(rt_tbx_send(&box, text, 4), 0);
	WORKS(rt_tbx_delete, rt_tbx_delete(&box));
}

static void note(unsigned long data)
{
	seen = data;
	runs++;
}

TEST_UNSTARTED(structure_of_zeros_becomes_a_tasklet)
{
	static struct rt_tasklet_struct tasklet;
	static struct rt_tasklet_struct timer;
	struct rt_tasklet_struct *made;
	const RTIME now = rt_get_time();

	runs = 0;
	FAILS(rt_insert_tasklet, EINVAL, -rt_insert_tasklet(NULL, 1, note, 7, 1, 0));
	FAILS(rt_insert_tasklet, EINVAL, -rt_insert_tasklet(&tasklet, 1, NULL, 7, 1, 0));
	FAILS(rt_insert_tasklet, EINVAL, -rt_insert_tasklet(&tasklet, -1, note, 7, 1, 0));
	WORKS(rt_insert_tasklet, rt_insert_tasklet(&tasklet, 1, note, 7, 0, 0));
	expect_ok(rt_exec_tasklet(&tasklet));
	UNTIL(runs == 1);
	expect_eq(seen, 7);
	FAILS(rt_insert_timer, EINVAL, -rt_insert_timer(NULL, 1, now, 0, note, 8, 0));
	FAILS(rt_insert_timer, EINVAL, -rt_insert_timer(&timer, 1, now, -1, note, 8, 0));
	WORKS(rt_insert_timer, rt_insert_timer(&timer, 1, now + MS(5), MS(5), note, 8, 0));
	UNTIL(runs >= 4);
	expect_eq(seen, 8);
	rt_fast_set_timer_data(&timer, 9);
	UNTIL(seen == 9);
	WORKS(rt_delete_tasklet, (rt_delete_tasklet(&timer), 0));
	rt_delete_tasklet(&tasklet);
	WORKS(rt_init_tasklet, (made = rt_init_tasklet()) == NULL);
	rt_delete_tasklet(made);
}
