/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What semaphores refuse: bad arguments, bad descriptors, callers that may not. */
#include "alchemy_test.h"

#include <alchemy/sem.h>

static RT_SEM sem;

TEST(creation_checks_its_arguments)
{
	expect_error(rt_sem_create(NULL, NULL, 0, S_FIFO), EINVAL);
	expect_error(rt_sem_create(&sem, NULL, 0, 0x4), EINVAL);
	expect_error(rt_sem_create(&sem, NULL, 0, -1), EINVAL);
	expect_error(rt_sem_create(&sem, NULL, 1, S_PULSE), EINVAL);
	expect_error(rt_sem_create(&sem, NULL, 0x80000000ul, S_FIFO), EINVAL);
	expect_ok(rt_sem_create(&sem, NULL, 0x7ffffffful, S_FIFO));
	expect_error(rt_sem_v(&sem), EOVERFLOW);
}

static void expect_bad(RT_SEM *bad)
{
	RT_SEM_INFO info;

	expect_error(rt_sem_delete(bad), EINVAL);
	expect_error(rt_sem_p(bad, TM_INFINITE), EINVAL);
	expect_error(rt_sem_p_until(bad, TM_INFINITE), EINVAL);
	expect_error(rt_sem_p_timed(bad, NULL), EINVAL);
	expect_error(rt_sem_v(bad), EINVAL);
	expect_error(rt_sem_broadcast(bad), EINVAL);
	expect_error(rt_sem_inquire(bad, &info), EINVAL);
}

TEST(bad_descriptors_are_known)
{
	RT_SEM never = {0};
	RT_SEM wild = {0x123456789abcdef0};
	RT_SEM copy;

	expect_bad(NULL);
	expect_bad(&never);
	expect_bad(&wild);
	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	copy = sem;
	expect_ok(rt_sem_delete(&sem));
	expect_bad(&sem);
	/* Another one may have taken its place. */
	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	expect_bad(&copy);
	expect_error(rt_sem_bind(NULL, "x", TM_NONBLOCK), EINVAL);
	expect_error(rt_sem_bind(&copy, NULL, TM_NONBLOCK), EINVAL);
	expect_error(rt_sem_unbind(NULL), EINVAL);
}

TEST(bad_times_are_known)
{
	expect_ok(rt_sem_create(&sem, NULL, 1, S_FIFO));
	expect_error(rt_sem_p_timed(&sem, &(struct timespec){-1, 0}), EINVAL);
	expect_error(rt_sem_p_timed(&sem, &(struct timespec){0, -1}), EINVAL);
	expect_error(rt_sem_p_timed(&sem, &(struct timespec){0, 1000000000}), EINVAL);
}

static void use_in_handler(void *unused)
{
	RT_SEM_INFO info;
	RT_SEM other;

	(void)unused;
	expect_error(rt_sem_create(&other, NULL, 0, S_FIFO), EPERM);
	expect_error(rt_sem_delete(&sem), EPERM);
	expect_error(rt_sem_bind(&other, "x", TM_NONBLOCK), EPERM);
	expect_ok(rt_sem_v(&sem));
	expect_ok(rt_sem_inquire(&sem, &info));
	expect_eq(info.count, 1);
	expect_ok(rt_sem_p(&sem, TM_INFINITE));
	expect_error(rt_sem_p(&sem, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_sem_p(&sem, TM_INFINITE), EPERM);
	expect_ok(rt_sem_broadcast(&sem));
}

TEST(handler_neither_waits_nor_creates)
{
	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	test_in_handler(use_in_handler, NULL);
}

static void *use_in_thread(void *unused)
{
	RT_SEM other;

	expect_error(rt_sem_p(&sem, TM_INFINITE), EPERM);
	expect_error(rt_sem_p(&sem, TEST_MS), EPERM);
	expect_error(rt_sem_p(&sem, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_sem_bind(&other, "nobody", TM_INFINITE), EPERM);
	expect_error(rt_sem_bind(&other, "nobody", TM_NONBLOCK), EWOULDBLOCK);
	expect_ok(rt_sem_v(&sem));
	expect_ok(rt_sem_p(&sem, TM_INFINITE));
	return unused;
}

TEST(plain_thread_does_not_wait)
{
	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	in_plain_thread(use_in_thread, NULL);
}
