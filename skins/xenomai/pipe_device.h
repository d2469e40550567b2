/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The Linux end of a pipe, /dev/rtpN. */
#ifndef SKINS_XENOMAI_PIPE_DEVICE_H
#define SKINS_XENOMAI_PIPE_DEVICE_H

#include "pipe_ends.h"

#define PIPE_MINORS 32

/* Reserve the number on this machine: 0 or -EBUSY. Context of all: linux, task in secondary
 * mode. */
int pipe_device_reserve(int minor);
void pipe_device_release(int minor);

/* Make the file. If that fails, the reason is printed, and this is not an error. 0 or -ENOMEM. */
int pipe_device_open(int minor, const char *name, const struct pipe_ends *ends);

/* To be called before the objects of its ends are deleted: the message that is being read is freed,
 * and readers get the end of file. */
void pipe_device_stop(int minor);
/* Remove the file. The objects of its ends must be deleted already, so that no thread waits for
 * them. */
void pipe_device_close(int minor);

#endif
