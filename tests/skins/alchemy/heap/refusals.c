/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What heaps refuse: arguments, blocks, descriptors, contexts. */
#include "alchemy_test.h"

#include <alchemy/heap.h>
#include <alchemy/sem.h>

static RT_HEAP heap;

TEST(creation_checks_its_arguments)
{
	expect_error(rt_heap_create(&heap, "h", 0, H_FIFO), EINVAL);
	expect_error(rt_heap_create(&heap, "h", (size_t)1 << 31, H_FIFO), EINVAL);
	expect_error(rt_heap_create(&heap, "h", 100, 2), EINVAL);
	expect_error(rt_heap_create(NULL, "h", 100, H_FIFO), EINVAL);
	expect_ok(rt_heap_create(&heap, "h", 100, H_FIFO));
}

TEST(blocks_are_checked)
{
	struct timespec negative = {-1, 0};
	struct timespec long_ns = {1, 1000000000};
	void *block;
	void *behind;
	char stray[64];

	expect_ok(rt_heap_create(&heap, "h", 8192, H_FIFO));
	expect_error(rt_heap_alloc(&heap, 0, TM_NONBLOCK, &block), EINVAL);
	expect_error(rt_heap_alloc(&heap, 1, TM_NONBLOCK, NULL), EINVAL);
	expect_error(rt_heap_alloc_timed(&heap, 1, &negative, &block), EINVAL);
	expect_error(rt_heap_alloc_timed(&heap, 1, &long_ns, &block), EINVAL);
	expect_ok(rt_heap_alloc(&heap, 64, TM_NONBLOCK, &block));
	expect_error(rt_heap_free(&heap, NULL), EINVAL);
	expect_error(rt_heap_free(&heap, stray), EINVAL);
	expect_error(rt_heap_free(&heap, (char *)block + 16), EINVAL);
	expect_ok(rt_heap_free(&heap, block));
	expect_error(rt_heap_free(&heap, block), EINVAL);
	expect_ok(rt_heap_alloc(&heap, 64, TM_NONBLOCK, &block));
	expect_ok(rt_heap_alloc(&heap, 64, TM_NONBLOCK, &behind));
	memset((char *)block + 64, 0xff, 16);
	expect_error(rt_heap_free(&heap, block), EINVAL);
}

static void expect_all_refused(RT_HEAP *bad)
{
	void *block;

	expect_error(rt_heap_alloc(bad, 1, TM_INFINITE, &block), EINVAL);
	expect_error(rt_heap_alloc_until(bad, 1, TM_INFINITE, &block), EINVAL);
	expect_error(rt_heap_alloc_timed(bad, 1, NULL, &block), EINVAL);
	expect_error(rt_heap_free(bad, &block), EINVAL);
	expect_error(rt_heap_inquire(bad, NULL), EINVAL);
	expect_error(rt_heap_delete(bad), EINVAL);
}

TEST(descriptors_are_checked)
{
	RT_HEAP never = {0};
	RT_HEAP deleted;
	RT_HEAP other;
	RT_SEM sem;

	expect_all_refused(NULL);
	expect_all_refused(&never);
	expect_ok(rt_heap_create(&heap, "h", 100, H_SINGLE));
	deleted = heap;
	expect_ok(rt_heap_delete(&heap));
	expect_all_refused(&deleted);
	expect_ok(rt_heap_create(&heap, "h", 100, H_FIFO));
	expect_all_refused(&deleted);
	expect_ok(rt_sem_create(&sem, "s", 0, S_FIFO));
	other.handle = sem.handle;
	expect_all_refused(&other);
	expect_error(rt_heap_bind(NULL, "h", TM_NONBLOCK), EINVAL);
	expect_error(rt_heap_bind(&other, NULL, TM_NONBLOCK), EINVAL);
	expect_error(rt_heap_unbind(NULL), EINVAL);
}

static void use_in_handler(void *unused)
{
	RT_HEAP_INFO info;
	RT_HEAP other;
	void *block;

	(void)unused;
	expect_error(rt_heap_create(&other, "x", 100, H_FIFO), EPERM);
	expect_error(rt_heap_delete(&heap), EPERM);
	expect_error(rt_heap_bind(&other, "h", TM_NONBLOCK), EPERM);
	expect_error(rt_heap_alloc(&heap, 1000000, TM_INFINITE, &block), EPERM);
	expect_error(rt_heap_alloc(&heap, 1000000, TM_NONBLOCK, &block), EWOULDBLOCK);
	expect_ok(rt_heap_alloc(&heap, 10, TM_INFINITE, &block));
	expect_ok(rt_heap_free(&heap, block));
	expect_ok(rt_heap_inquire(&heap, &info));
}

TEST(handlers_do_not_wait_nor_create)
{
	expect_ok(rt_heap_create(&heap, "h", 1000, H_FIFO));
	test_in_handler(use_in_handler, NULL);
}

static void *use_in_thread(void *result)
{
	void *block;

	*(int *)result = rt_heap_alloc(&heap, 1000000, TM_INFINITE, &block);
	return NULL;
}

TEST(other_threads_do_not_wait)
{
	int result = 0;

	expect_ok(rt_heap_create(&heap, "h", 1000, H_FIFO));
	in_plain_thread(use_in_thread, &result);
	expect_error(result, EPERM);
}
