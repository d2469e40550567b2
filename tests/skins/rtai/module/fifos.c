/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* FIFOs as modules see them. */
#include <rtai_fifos.h>

#include "module_test.h"

static char data[32];

static int handler(unsigned int fifo, int rw)
{
	(void)fifo;
	return rw;
}

TEST_UNSTARTED(numbers_are_checked)
{
	FAILS(rtf_create, ENODEV, -rtf_create(MAX_FIFOS, 8));
	FAILS(rtf_create, EINVAL, -rtf_create(5, 0));
	FAILS(rtf_create_handler, ENODEV, -rtf_create_handler(MAX_FIFOS, X_FIFO_HANDLER(handler)));
	FAILS(rtf_create_handler, EINVAL, -rtf_create_handler(5, X_FIFO_HANDLER(handler)));
	FAILS(rtf_sem_trywait, ENODEV, -rtf_sem_trywait(MAX_FIFOS));
	FAILS(rtf_sem_trywait, EINVAL, -rtf_sem_trywait(5));
	FAILS(rtf_evdrp, ENODEV, -rtf_evdrp(MAX_FIFOS, data, 1));
	FAILS(rtf_evdrp, EINVAL, -rtf_evdrp(5, data, 1));
	FAILS(rtf_reset, ENODEV, -rtf_reset(MAX_FIFOS));
	FAILS(rtf_reset, EINVAL, -rtf_reset(5));
	FAILS(rtf_resize, ENODEV, -rtf_resize(MAX_FIFOS, 8));
	FAILS(rtf_resize, EINVAL, -rtf_resize(5, 8));
	FAILS(rtf_sem_init, ENODEV, -rtf_sem_init(MAX_FIFOS, 1));
	FAILS(rtf_sem_init, EINVAL, -rtf_sem_init(5, 1));
	FAILS(rtf_sem_post, ENODEV, -rtf_sem_post(MAX_FIFOS));
	FAILS(rtf_sem_post, EINVAL, -rtf_sem_post(5));
	FAILS(rtf_sem_destroy, ENODEV, -rtf_sem_destroy(MAX_FIFOS));
	FAILS(rtf_sem_destroy, EINVAL, -rtf_sem_destroy(5));
	FAILS(rtf_named_create, EINVAL, -rtf_named_create("", 8));
	FAILS(rtf_create_named, EINVAL, -rtf_create_named(""));
	FAILS(rtf_getfifobyname, ENODEV, -rtf_getfifobyname("nobody"));
}

TEST_UNSTARTED(bytes_are_put_and_got)
{
	WORKS(rtf_create, rtf_create(3, 16));
	WORKS(rtf_create_handler, rtf_create_handler(3, X_FIFO_HANDLER(handler)));
	expect_eq(rtf_put(3, "abcdef", 6), 6);
	WORKS(rtf_evdrp, rtf_evdrp(3, data, 3) - 3);
	FAILS(rtf_evdrp, EFAULT, -rtf_evdrp(3, NULL, 3));
	FAILS(rtf_resize, EBUSY, -rtf_resize(3, 2));
	WORKS(rtf_resize, rtf_resize(3, 32) - 32);
	expect_eq(rtf_get(3, data, 32), 6);
	expect_eq(rtf_put(3, "x", 1), 1);
	WORKS(rtf_reset, rtf_reset(3));
	expect_eq(rtf_get_avbs(3), 0);
	expect_eq(rtf_destroy(3), 0);
}

TEST_UNSTARTED(semaphore_is_one_of_two_values)
{
	expect_ok(rtf_create(3, 16));
	WORKS(rtf_sem_init, rtf_sem_init(3, 1));
	WORKS(rtf_sem_trywait, rtf_sem_trywait(3) - 1);
	expect_eq(rtf_sem_trywait(3), 0);
	WORKS(rtf_sem_post, rtf_sem_post(3));
	WORKS(rtf_sem_destroy, rtf_sem_destroy(3));
	expect_eq(rtf_sem_trywait(3), 0);
	expect_eq(rtf_destroy(3), 0);
}

TEST_UNSTARTED(names_find_fifos)
{
	int number;

	WORKS(rtf_named_create, (number = rtf_named_create("log", 8)) < 0);
	FAILS(rtf_named_create, EBUSY, -rtf_named_create("log", 8));
	FAILS(rtf_create_named, EBUSY, -rtf_create_named("log"));
	WORKS(rtf_getfifobyname, rtf_getfifobyname("log") - number);
	expect_eq(rtf_destroy((unsigned int)number), 0);
	WORKS(rtf_create_named, rtf_create_named("log") - number);
	expect_eq(rtf_destroy((unsigned int)number), 0);
}
