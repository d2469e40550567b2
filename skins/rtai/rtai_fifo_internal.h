/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What FIFOs by number and their descriptors share. */
#ifndef RTAI_FIFO_INTERNAL_H
#define RTAI_FIFO_INTERNAL_H

#include <rtai_fifos.h>

#include "rtai_mbx_internal.h"

#define RTAI_FIFO_DEFAULT_BYTES 1000

/* A transfer that may wait. */
struct rtai_fifo_order {
	unsigned int number;
	char *data;
	size_t bytes;
	bool write;
	bool any; /* of what there is, without a wait for the rest */
};

/* Returns the number of bytes that were moved, which may be less at a timeout and 0, or -ENODEV,
 * -EINVAL (there is no such FIFO, before or since), -EFAULT, -EINTR, -EPERM (from a handler).
 * Context: task, linux; with TACT_NOWAIT any. */
long rtai_fifo_transfer(struct rtai_fifo_order order, tact_timeout_t timeout);
/* Copy what is there. Returns the number of bytes, -ENODEV, -EINVAL, -EFAULT. */
int rtai_fifo_peek(unsigned int number, void *data, int bytes);
/* Take the semaphore of a FIFO. Returns 0, -ENODEV, -EINVAL, -EINTR, -EPERM (the time came first,
 * the semaphore was destroyed, or the caller is a handler). */
int rtai_fifo_sem_take(unsigned int number, tact_timeout_t timeout);
/* A file or a descriptor was read ('r') or written ('w'): the handler of the FIFO runs. 0, or its
 * negative result. Context: task, linux. */
int rtai_fifo_done(unsigned int number, int how);
/* The file of a FIFO (fifo_served.c), where files are served: made with it; told that bytes moved
 * (context: any); and stopped before and removed after the FIFO's objects are deleted. */
/* Is the FIFO that of a process of modules, and none of this program? */
bool rtai_fifo_is_elsewhere(unsigned int number);
void rtai_fifo_serve(unsigned int number, const char *name);
void rtai_fifo_moved(unsigned int number);
void rtai_fifo_stop(unsigned int number);
void rtai_fifo_close(unsigned int number);
/* One descriptor more, or less, wants to be told when bytes move (fifo_file.c). */
void rtai_fifo_listen(unsigned int number, int change);
/* Bytes of a FIFO that is listened to have moved. Context: any. */
void rtai_file_notify(unsigned int number);

#endif
