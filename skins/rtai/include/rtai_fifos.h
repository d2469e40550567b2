/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * FIFOs by numbers, and by descriptors of /dev/rtf0 to /dev/rtf63. Calls by number do not wait.
 * open(), close(), read(), write(), poll(), select(), ioctl() and fcntl() of the program itself
 * know the descriptors. Those of a library, as fdopen() and fread(), fail with EBADF.
 */
#ifndef TACTUS_RTAI_FIFOS_H
#define TACTUS_RTAI_FIFOS_H

#ifndef __KERNEL__
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#endif

#include <rtai_lxrt.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define MAX_FIFOS   64
#define RTF_NAMELEN 15

#ifndef __KERNEL__
/* Requests of ioctl(). */
#define RESET              1
#define RESIZE             2
#define RTF_SUSPEND_TIMED  3
#define READ_ALL_AT_ONCE   5
#define READ_TIMED         6
#define WRITE_TIMED        7
#define RTF_SEM_INIT       8
#define RTF_SEM_WAIT       9
#define RTF_SEM_TRYWAIT    10
#define RTF_SEM_TIMED_WAIT 11
#define RTF_SEM_POST       12
#define RTF_SEM_DESTROY    13
#define SET_ASYNC_SIG      14
#define EAVESDROP          19
#define OVRWRITE           20
#define READ_IF            21
#define WRITE_IF           22
#endif

#ifndef __KERNEL__
/**
 * Make the FIFO of a number, or use it once more; it grows if it is smaller. Returns 0.
 * Errors:
 *   -ENODEV      the number is 64 or more
 *   -EINVAL      size is below 1
 *   -ENOMEM      there is no memory, or the caller is a handler
 * Context: task, main().
 */
int rtf_create(unsigned int fifo, int size);
#endif

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

#ifndef __KERNEL__
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

/**
 * Open /dev/rtfN: use FIFO N once more, which grows if it is smaller, or make it with this size.
 * perm: as the flags of open(). Returns a descriptor.
 * Errors:
 *   -ENOENT      dev is not /dev/rtf and a number
 *   -ENODEV      the number is 64 or more
 *   -EINVAL      size is below 1
 *   -EMFILE      there are 4096 descriptors, or as many as Linux allows
 *   -ENOMEM      there is no memory, or the caller is a handler
 * Context: task, main().
 */
int rtf_open_sized(const char *dev, int perm, int size);

/**
 * Drop what is there. Returns 0.
 * Errors:
 *   -EBADF       fd is no descriptor of a FIFO
 *   -EINVAL      the FIFO was deleted
 * Context: any.
 */
int rtf_reset(int fd);

/**
 * Change the size; the bytes stay. Returns size.
 * Errors:
 *   -EBADF       fd is no descriptor of a FIFO
 *   -EINVAL      size is below 1; the FIFO was deleted
 *   -ENOMEM      there is no memory, or the caller is a handler
 *   -EBUSY       more bytes are there than would fit
 * Context: task, main().
 */
int rtf_resize(int fd, int size);

/**
 * Sleep for so many ms. Returns 0.
 * Errors:
 *   -EBADF       fd is no descriptor of a FIFO
 *   -EINTR       the wait was broken
 *   -EPERM       the caller is a handler
 * Context: task, main().
 */
int rtf_suspend_timed(int fd, int ms_delay);

/**
 * Copy the bytes that are there, at most count, and leave them. Returns their number.
 * Errors:
 *   -EBADF       fd is no descriptor of a FIFO
 *   -EINVAL      the FIFO was deleted
 *   -EFAULT      buf is NULL; count is below 0
 * Context: any.
 */
int rtf_evdrp(int fd, void *buf, int count);

/**
 * Read count bytes; wait until they are there. Returns count.
 * Errors:
 *   -EBADF       fd is no descriptor of a FIFO
 *   -EINVAL      the FIFO was deleted, before or meanwhile
 *   -EFAULT      buf is NULL; count is below 0
 *   -EINTR       the wait was broken
 *   -EPERM       the caller is a handler
 * Context: task, main().
 */
int rtf_read_all_at_once(int fd, void *buf, int count);

/**
 * The same, but for ms_delay at most; 0: no wait. Returns the number of bytes that were read.
 * Errors:
 *   -EBADF       fd is no descriptor of a FIFO
 *   -EINVAL      the FIFO was deleted, before or meanwhile
 *   -EAGAIN      ms_delay is 0, and nothing is there
 *   -EFAULT      buf is NULL; count is below 0
 *   -EINTR       the wait was broken
 *   -EPERM       the caller is a handler
 * Context: task, main().
 */
int rtf_read_timed(int fd, void *buf, int count, int ms_delay);

/**
 * Read count bytes if they are there. Returns count or 0.
 * Errors:
 *   -EBADF       fd is no descriptor of a FIFO
 *   -EINVAL      the FIFO was deleted
 *   -EFAULT      buf is NULL; count is below 0
 * Context: any.
 */
int rtf_read_if(int fd, void *buf, int count);

/**
 * Write count bytes; wait for room for ms_delay at most, 0: no wait. Returns the number of bytes
 * that were written.
 * Errors:
 *   -EBADF       fd is no descriptor of a FIFO
 *   -EINVAL      the FIFO was deleted, before or meanwhile
 *   -EAGAIN      ms_delay is 0, and there is no room
 *   -EFAULT      buf is NULL; count is below 0
 *   -EINTR       the wait was broken
 *   -EPERM       the caller is a handler
 * Context: task, main().
 */
int rtf_write_timed(int fd, void *buf, int count, int ms_delay);

/**
 * rtf_write_timed() with 0 ms: as many bytes as there is room for.
 * Errors:
 *   -EBADF       fd is no descriptor of a FIFO
 *   -EINVAL      the FIFO was deleted
 *   -EAGAIN      there is no room
 *   -EFAULT      buf is NULL; count is below 0
 * Context: any.
 */
int rtf_write_if(int fd, void *buf, int count);

/**
 * rtf_ovrwr_put(). Returns 0.
 * Errors:
 *   -EBADF       fd is no descriptor of a FIFO
 *   -EINVAL      the FIFO was deleted
 *   -EFAULT      buf is NULL; count is below 0
 * Context: any.
 */
int rtf_overwrite(int fd, void *buf, int count);

/**
 * Set the semaphore of the FIFO: 0 or 1. Returns 0.
 * Errors:
 *   -EBADF       fd is no descriptor of a FIFO
 *   -EINVAL      another value; the FIFO was deleted
 * Context: any.
 */
int rtf_sem_init(int fd, int value);

/**
 * Take it; wait until it is 1. Returns 0.
 * Errors:
 *   -EBADF       fd is no descriptor of a FIFO
 *   -EINVAL      the FIFO was deleted, before or meanwhile
 *   -EINTR       the wait was broken
 *   -EPERM       the semaphore was destroyed meanwhile; the caller is a handler
 * Context: task, main().
 */
int rtf_sem_wait(int fd);

/**
 * The same for ms_delay at most. Returns 0. If the time comes first and nobody else waits, the
 * semaphore is 1 then.
 * Errors:
 *   -EBADF       fd is no descriptor of a FIFO
 *   -EINVAL      the FIFO was deleted, before or meanwhile
 *   -EINTR       the wait was broken
 *   -EPERM       the time came first; the semaphore was destroyed meanwhile; the caller is a
 *                handler
 * Context: task, main().
 */
int rtf_sem_timed_wait(int fd, int ms_delay);

/**
 * Take it without a wait. Returns 0.
 * Errors:
 *   -EBADF       fd is no descriptor of a FIFO
 *   -EINVAL      the FIFO was deleted
 *   -EAGAIN      it is 0
 * Context: any.
 */
int rtf_sem_trywait(int fd);

/**
 * Set it to 1, or wake a waiter. Returns 0.
 * Errors:
 *   -EBADF       fd is no descriptor of a FIFO
 *   -EINVAL      the FIFO was deleted
 * Context: any.
 */
int rtf_sem_post(int fd);

/**
 * Set it to 0; waiters get -EPERM. Returns 0.
 * Errors:
 *   -EBADF       fd is no descriptor of a FIFO
 *   -EINVAL      the FIFO was deleted
 * Context: any.
 */
int rtf_sem_destroy(int fd);

/**
 * The signal that owners of descriptors with O_ASYNC get when bytes move in a FIFO; SIGIO by
 * default. It is that of all FIFOs. fcntl() of F_SETOWN and F_SETFL asks for it. Returns 0.
 * Errors:
 *   -EBADF       fd is no descriptor of a FIFO
 *   -EINVAL      there is no such signal
 * Context: any.
 */
int rtf_set_async_sig(int fd, int signum);

/**
 * rtf_getfifobyname_lxrt().
 * Errors:
 *   -ENODEV      no FIFO has the name
 * Context: any.
 */
int rtf_getfifobyname(const char *name);

/**
 * rtf_named_create_lxrt().
 * Errors:
 *   -EINVAL      name is NULL, empty or longer than 15 bytes; size is below 1
 *   -EBUSY       the name is taken, or there are 64 FIFOs
 *   -ENOMEM      there is no memory, or the caller is a handler
 * Context: task, main().
 */
int rtf_named_create(const char *name, int size);

/**
 * rtf_create_named_lxrt().
 * Errors:
 *   -EINVAL      name is NULL, empty or longer than 15 bytes
 *   -EBUSY       as rtf_named_create()
 *   -ENOMEM      there is no memory, or the caller is a handler
 * Context: task, main().
 */
int rtf_create_named(const char *name);
#endif

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef __KERNEL__
#include <rtai_module/fifos.h>
#endif

#endif
