/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * FIFOs by numbers. No call waits.
 */
#ifndef TACTUS_RTAI_FIFOS_H
#define TACTUS_RTAI_FIFOS_H

#include <rtai_lxrt.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define MAX_FIFOS   64
#define RTF_NAMELEN 15

/**
 * Make the FIFO of a number, or use it once more; it grows if it is smaller. Returns 0.
 * Errors:
 *   -ENODEV      the number is 64 or more
 *   -EINVAL      size is below 1
 *   -ENOMEM      there is no memory, or the caller is a handler
 * Context: task, main().
 */
int rtf_create(unsigned int fifo, int size);

/**
 * Give up one use, and delete the FIFO with the last one. Returns the uses that are left.
 * Errors:
 *   -ENODEV      the number is 64 or more
 *   -EINVAL      no such FIFO was created
 * Context: task, main().
 */
int rtf_destroy(unsigned int fifo);

/**
 * Write as many bytes as there is room for. Returns their number.
 * Errors:
 *   -ENODEV      the number is 64 or more
 *   -EINVAL      no such FIFO was created
 *   -EFAULT      buf is NULL; count is below 0
 * Context: any.
 */
int rtf_put(unsigned int fifo, const void *buf, int count);

/**
 * Write all bytes if there is room for them. Returns count or 0.
 * Errors:
 *   -ENODEV      the number is 64 or more
 *   -EINVAL      no such FIFO was created
 *   -EFAULT      buf is NULL; count is below 0
 * Context: any.
 */
int rtf_put_if(unsigned int fifo, const void *buf, int count);

/**
 * Write all bytes; the oldest ones make room. Of more than the FIFO holds, the last ones are
 * written. Returns 0.
 * Errors:
 *   -ENODEV      the number is 64 or more
 *   -EINVAL      no such FIFO was created
 *   -EFAULT      buf is NULL; count is below 0
 * Context: any.
 */
int rtf_ovrwr_put(unsigned int fifo, const void *buf, int count);

/**
 * Read the bytes that are there, at most count. Returns their number.
 * Errors:
 *   -ENODEV      the number is 64 or more
 *   -EINVAL      no such FIFO was created
 *   -EFAULT      buf is NULL; count is below 0
 * Context: any.
 */
int rtf_get(unsigned int fifo, void *buf, int count);

/**
 * Read count bytes if they are there. Returns count or 0.
 * Errors:
 *   -ENODEV      the number is 64 or more
 *   -EINVAL      no such FIFO was created
 *   -EFAULT      buf is NULL; count is below 0
 * Context: any.
 */
int rtf_get_if(unsigned int fifo, void *buf, int count);

/**
 * How many bytes are there.
 * Errors:
 *   -ENODEV      the number is 64 or more
 *   -EINVAL      no such FIFO was created
 * Context: any.
 */
int rtf_get_avbs(unsigned int fifo);

/**
 * For how many there is room.
 * Errors:
 *   -ENODEV      the number is 64 or more
 *   -EINVAL      no such FIFO was created
 * Context: any.
 */
int rtf_get_frbs(unsigned int fifo);

/**
 * Drop what is there. Returns 0.
 * Errors:
 *   -ENODEV      the number is 64 or more
 *   -EINVAL      no such FIFO was created
 * Context: any.
 */
int rtf_reset_lxrt(unsigned int fifo);

/**
 * Change the size; the bytes stay. Returns size.
 * Errors:
 *   -ENODEV      the number is 64 or more
 *   -EINVAL      no such FIFO was created; size is below 1
 *   -ENOMEM      there is no memory, or the caller is a handler
 *   -EBUSY       more bytes are there than would fit
 * Context: task, main().
 */
int rtf_resize_lxrt(unsigned int fifo, int size);

/**
 * Set the semaphore of a FIFO: 0 or 1. Returns 0.
 * Errors:
 *   -ENODEV      the number is 64 or more
 *   -EINVAL      no such FIFO was created; another value
 * Context: any.
 */
int rtf_sem_init_lxrt(unsigned int fifo, int value);

/**
 * Set it to 1. Returns 0.
 * Errors:
 *   -ENODEV      the number is 64 or more
 *   -EINVAL      no such FIFO was created
 * Context: any.
 */
int rtf_sem_post_lxrt(unsigned int fifo);

/**
 * Take it. Returns 0.
 * Errors:
 *   -ENODEV      the number is 64 or more
 *   -EINVAL      no such FIFO was created
 *   -EAGAIN      it is 0
 * Context: any.
 */
int rtf_sem_trywait_lxrt(unsigned int fifo);

/**
 * Set it to 0. Returns 0.
 * Errors:
 *   -ENODEV      the number is 64 or more
 *   -EINVAL      no such FIFO was created
 * Context: any.
 */
int rtf_sem_destroy_lxrt(unsigned int fifo);

/**
 * Make a FIFO with a name of up to 15 bytes, and a number that is free. Returns the number.
 * Errors:
 *   -EINVAL      name is NULL, empty or longer; size is below 1
 *   -EBUSY       the name is taken, or there are 64 FIFOs
 *   -ENOMEM      there is no memory, or the caller is a handler
 * Context: task, main().
 */
int rtf_named_create_lxrt(const char *name, int size);

/**
 * The same with 1000 bytes.
 * Errors:
 *   -EINVAL      name is NULL, empty or longer
 *   -EBUSY       as rtf_named_create_lxrt()
 *   -ENOMEM      there is no memory, or the caller is a handler
 * Context: task, main().
 */
int rtf_create_named_lxrt(const char *name);

/**
 * The number of the FIFO with a name.
 * Errors:
 *   -ENODEV      no FIFO has the name
 * Context: any.
 */
int rtf_getfifobyname_lxrt(const char *name);

/**
 * The path that RTAI gives the FIFO: /dev/rtf and the number. Returns buf.
 * Errors:
 *   NULL         buf is NULL; len is below 1
 * Context: any.
 */
char *rtf_getfifobyminor(int minor, char *buf, int len);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
