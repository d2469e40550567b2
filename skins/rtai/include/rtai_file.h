/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptors of FIFOs: what the linker puts in place of open(), read() and so on in the program's
 * own object files calls these functions for the paths and the descriptors of FIFOs. They are not
 * RTAI's. A program that is linked without these options may call them itself.
 */
#ifndef TACTUS_RTAI_FILE_H
#define TACTUS_RTAI_FILE_H

#ifndef __KERNEL__
#include <rtai_types.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct pollfd;

/** Is this a descriptor of a FIFO? 1 or 0. Context: any. */
int rtai_file_is(int fd);

/**
 * Open /dev/rtfN: use FIFO N once more, or make it with 1000 bytes. flags: as of open(). Returns a
 * descriptor.
 * Errors:
 *   -ENOENT      path is not /dev/rtf and a number, or a file of a process of modules
 *   -ENODEV      the number is 64 or more
 *   -EMFILE      there are 4096 descriptors, or as many as Linux allows
 *   -ENOMEM      there is no memory, or the caller is a handler
 * Context: task, main().
 */
int rtai_file_open(const char *path, int flags);

/**
 * Close: give up the use of the FIFO. Returns 0.
 * Errors:
 *   -EBADF       fd is no FIFO's
 * Context: task, main().
 */
int rtai_file_close(int fd);

/**
 * Read what is there, at most bytes; wait for the first byte, unless O_NONBLOCK is set. Returns the
 * number of bytes.
 * Errors:
 *   -EBADF       fd is no FIFO's, or is open for writing only
 *   -EAGAIN      nothing is there, and O_NONBLOCK is set
 *   -EFAULT      data is NULL
 *   -EINVAL      the FIFO was deleted
 *   -EINTR       the wait was broken
 *   -EPERM       from a handler, without O_NONBLOCK
 * Context: task, main(); with O_NONBLOCK any.
 */
long rtai_file_read(int fd, void *data, unsigned long bytes);

/**
 * Write all bytes and wait for room, or, with O_NONBLOCK, as many as there is room for. Returns
 * their number.
 * Errors:
 *   -EBADF       fd is no FIFO's, or is open for reading only
 *   -EAGAIN      there is no room, and O_NONBLOCK is set
 *   -EFAULT      data is NULL
 *   -EINVAL      the FIFO was deleted
 *   -EINTR       the wait was broken
 *   -EPERM       from a handler, without O_NONBLOCK
 * Context: task, main(); with O_NONBLOCK any.
 */
long rtai_file_write(int fd, const void *data, unsigned long bytes);

/**
 * fcntl() of F_GETFL, F_SETFL (O_NONBLOCK, O_ASYNC), F_GETOWN, F_SETOWN.
 * Errors:
 *   -EBADF       fd is no FIFO's
 *   -EINVAL      another command
 *   -ENOMEM      O_ASYNC: there is no memory for the thread that sends signals
 * Context: task, main().
 */
int rtai_file_fcntl(int fd, int command, long arg);

/**
 * ioctl() of FIONREAD and of the requests in <rtai_fifos.h> (RESET …). Returns as the function of
 * that request.
 * Errors:
 *   -EBADF       fd is no FIFO's
 *   -EINVAL      an unknown request
 *   -EFAULT      arg is NULL, where it is a pointer
 * Context: as of that function.
 */
int rtai_file_ioctl(int fd, unsigned long request, void *arg);

/**
 * poll() of the descriptors of FIFOs among fds, others are left as they are. ns: how long to wait;
 * below 0: for ever. Returns how many are ready.
 * Errors:
 *   -EFAULT      fds is NULL
 *   -EINTR       the wait was broken
 *   -ENOMEM      there is no memory
 *   -EPERM       from a handler that would have to wait
 * Context: task, main(); with ns 0 any.
 */
int rtai_file_poll(struct pollfd *fds, unsigned long count, RTIME ns);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif

#endif
