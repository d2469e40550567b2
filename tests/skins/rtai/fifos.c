/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* FIFOs by number. */
#include <rtai_fifos.h>

#include "rtai_test.h"

static char data[32];

RTAI_TEST(numbers_are_checked)
{
	FAILS(rtf_create, ENODEV, -rtf_create(MAX_FIFOS, 8));
	FAILS(rtf_destroy, ENODEV, -rtf_destroy(MAX_FIFOS));
	FAILS(rtf_put, ENODEV, -rtf_put(MAX_FIFOS, data, 1));
	FAILS(rtf_put_if, ENODEV, -rtf_put_if(MAX_FIFOS, data, 1));
	FAILS(rtf_ovrwr_put, ENODEV, -rtf_ovrwr_put(MAX_FIFOS, data, 1));
	FAILS(rtf_get, ENODEV, -rtf_get(MAX_FIFOS, data, 1));
	FAILS(rtf_get_if, ENODEV, -rtf_get_if(MAX_FIFOS, data, 1));
	FAILS(rtf_get_avbs, ENODEV, -rtf_get_avbs(MAX_FIFOS));
	FAILS(rtf_get_frbs, ENODEV, -rtf_get_frbs(MAX_FIFOS));
	FAILS(rtf_reset_lxrt, ENODEV, -rtf_reset_lxrt(MAX_FIFOS));
	FAILS(rtf_resize_lxrt, ENODEV, -rtf_resize_lxrt(MAX_FIFOS, 8));
	FAILS(rtf_sem_init_lxrt, ENODEV, -rtf_sem_init_lxrt(MAX_FIFOS, 1));
	FAILS(rtf_sem_post_lxrt, ENODEV, -rtf_sem_post_lxrt(MAX_FIFOS));
	FAILS(rtf_sem_trywait_lxrt, ENODEV, -rtf_sem_trywait_lxrt(MAX_FIFOS));
	FAILS(rtf_sem_destroy_lxrt, ENODEV, -rtf_sem_destroy_lxrt(MAX_FIFOS));
	FAILS(rtf_get_avbs, ENODEV, -rtf_get_avbs(UINT32_MAX));
}

RTAI_TEST(only_created_fifos_are_used)
{
	FAILS(rtf_create, EINVAL, -rtf_create(5, 0));
	FAILS(rtf_destroy, EINVAL, -rtf_destroy(5));
	FAILS(rtf_put, EINVAL, -rtf_put(5, data, 1));
	FAILS(rtf_put_if, EINVAL, -rtf_put_if(5, data, 1));
	FAILS(rtf_ovrwr_put, EINVAL, -rtf_ovrwr_put(5, data, 1));
	FAILS(rtf_get, EINVAL, -rtf_get(5, data, 1));
	FAILS(rtf_get_if, EINVAL, -rtf_get_if(5, data, 1));
	FAILS(rtf_get_avbs, EINVAL, -rtf_get_avbs(5));
	FAILS(rtf_get_frbs, EINVAL, -rtf_get_frbs(5));
	FAILS(rtf_reset_lxrt, EINVAL, -rtf_reset_lxrt(5));
	FAILS(rtf_resize_lxrt, EINVAL, -rtf_resize_lxrt(5, 8));
	FAILS(rtf_sem_init_lxrt, EINVAL, -rtf_sem_init_lxrt(5, 1));
	FAILS(rtf_sem_post_lxrt, EINVAL, -rtf_sem_post_lxrt(5));
	FAILS(rtf_sem_trywait_lxrt, EINVAL, -rtf_sem_trywait_lxrt(5));
	FAILS(rtf_sem_destroy_lxrt, EINVAL, -rtf_sem_destroy_lxrt(5));
}

RTAI_TEST(bytes_come_in_order)
{
	WORKS(rtf_create, rtf_create(3, 8));
	WORKS(rtf_put, rtf_put(3, "abcdef", 6) != 6);
	WORKS(rtf_get_avbs, rtf_get_avbs(3) != 6);
	WORKS(rtf_get_frbs, rtf_get_frbs(3) != 2);
	WORKS(rtf_put_if, rtf_put_if(3, "ghi", 3) != 0);
	expect_eq(rtf_put(3, "ghi", 3), 2);
	expect_eq(rtf_put(3, "i", 1), 0);
	WORKS(rtf_get, rtf_get(3, data, 3) != 3);
	expect_true(!memcmp(data, "abc", 3));
	WORKS(rtf_get_if, rtf_get_if(3, data, 6) != 0);
	expect_eq(rtf_get_if(3, data, 4), 4);
	expect_true(!memcmp(data, "defg", 4));
	expect_eq(rtf_get(3, data, 30), 1);
	expect_eq(rtf_get(3, data, 30), 0);
	WORKS(rtf_ovrwr_put, rtf_ovrwr_put(3, "01234567", 8));
	expect_eq(rtf_ovrwr_put(3, "89", 2), 0);
	expect_eq(rtf_get(3, data, 30), 8);
	expect_true(!memcmp(data, "23456789", 8));
	FAILS(rtf_put, EFAULT, -rtf_put(3, NULL, 1));
	FAILS(rtf_put, EFAULT, -rtf_put(3, data, -1));
	FAILS(rtf_put_if, EFAULT, -rtf_put_if(3, NULL, 1));
	FAILS(rtf_ovrwr_put, EFAULT, -rtf_ovrwr_put(3, NULL, 1));
	FAILS(rtf_get, EFAULT, -rtf_get(3, NULL, 1));
	FAILS(rtf_get_if, EFAULT, -rtf_get_if(3, data, -1));
	rtf_put(3, "x", 1);
	WORKS(rtf_reset_lxrt, rtf_reset_lxrt(3));
	expect_eq(rtf_get_avbs(3), 0);
	WORKS(rtf_destroy, rtf_destroy(3));
	expect_eq(rtf_get_avbs(3), -EINVAL);
}

RTAI_TEST(uses_are_counted_and_sizes_grow)
{
	expect_eq(rtf_create(4, 8), 0);
	rtf_put(4, "abcd", 4);
	expect_eq(rtf_create(4, 16), 0);
	expect_eq(rtf_get_frbs(4), 12);
	WORKS(rtf_resize_lxrt, rtf_resize_lxrt(4, 4) != 4);
	FAILS(rtf_resize_lxrt, EBUSY, -rtf_resize_lxrt(4, 3));
	FAILS(rtf_resize_lxrt, EINVAL, -rtf_resize_lxrt(4, 0));
	expect_eq(rtf_get(4, data, 8), 4);
	expect_true(!memcmp(data, "abcd", 4));
	expect_eq(rtf_destroy(4), 1);
	expect_eq(rtf_destroy(4), 0);
	expect_eq(rtf_destroy(4), -EINVAL);
}

RTAI_TEST(semaphore_of_a_fifo)
{
	rtf_create(6, 8);
	WORKS(rtf_sem_init_lxrt, rtf_sem_init_lxrt(6, 1));
	FAILS(rtf_sem_init_lxrt, EINVAL, -rtf_sem_init_lxrt(6, 2));
	WORKS(rtf_sem_trywait_lxrt, rtf_sem_trywait_lxrt(6) < 0);
	FAILS(rtf_sem_trywait_lxrt, EAGAIN, -rtf_sem_trywait_lxrt(6));
	WORKS(rtf_sem_post_lxrt, rtf_sem_post_lxrt(6));
	expect_true(rtf_sem_trywait_lxrt(6) >= 0);
	WORKS(rtf_sem_destroy_lxrt, rtf_sem_destroy_lxrt(6));
	rtf_destroy(6);
}

RTAI_TEST(fifos_have_names)
{
	char name[RTF_NAMELEN + 1];
	int number;

	WORKS(rtf_named_create_lxrt, (number = rtf_named_create_lxrt("log", 8)) < 0);
	WORKS(rtf_getfifobyname_lxrt, rtf_getfifobyname_lxrt("log") != number);
	WORKS(rtf_getfifobyminor, !rtf_getfifobyminor(number, name, sizeof(name)));
	expect_true(!strncmp(name, "/dev/rtf", 8));
	FAILS(rtf_getfifobyminor, NULL, rtf_getfifobyminor(number, NULL, 5));
	FAILS(rtf_getfifobyminor, NULL, rtf_getfifobyminor(number, name, 0));
	FAILS(rtf_getfifobyname_lxrt, ENODEV, -rtf_getfifobyname_lxrt("none"));
	FAILS(rtf_named_create_lxrt, EBUSY, -rtf_named_create_lxrt("log", 8));
	FAILS(rtf_create_named_lxrt, EBUSY, -rtf_create_named_lxrt("log"));
	FAILS(rtf_named_create_lxrt, EINVAL, -rtf_named_create_lxrt("", 8));
	FAILS(rtf_named_create_lxrt, EINVAL, -rtf_named_create_lxrt(NULL, 8));
	FAILS(rtf_named_create_lxrt, EINVAL, -rtf_named_create_lxrt("other", 0));
	FAILS(rtf_create_named_lxrt, EINVAL, -rtf_create_named_lxrt("sixteen characters"));
	WORKS(rtf_create_named_lxrt, rtf_create_named_lxrt("events") < 0);
	rtf_destroy((unsigned int)number);
	FAILS(rtf_getfifobyname_lxrt, ENODEV, -rtf_getfifobyname_lxrt("log"));
}

static void use_in_handler(void *arg)
{
	(void)arg;
	FAILS(rtf_create, ENOMEM, -rtf_create(8, 8));
	FAILS(rtf_resize_lxrt, ENOMEM, -rtf_resize_lxrt(7, 16));
	FAILS(rtf_named_create_lxrt, ENOMEM, -rtf_named_create_lxrt("irq", 8));
	FAILS(rtf_create_named_lxrt, ENOMEM, -rtf_create_named_lxrt("irq"));
	expect_eq(rtf_put(7, "abc", 3), 3);
	expect_eq(rtf_get(7, data, 2), 2);
}

RTAI_TEST(handlers_use_fifos)
{
	rtf_create(7, 8);
	in_handler(use_in_handler);
	expect_eq(rtf_get_avbs(7), 1);
	rtf_destroy(7);
}
