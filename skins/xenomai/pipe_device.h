/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The Linux end of a pipe, /dev/rtpN: what the back end serves, and what it works on. */
#ifndef SKINS_XENOMAI_PIPE_DEVICE_H
#define SKINS_XENOMAI_PIPE_DEVICE_H

#include "pipe_ends.h"

#define PIPE_MINORS 32

/* Is the number free on this machine? From here on it is the caller's: 0 or -EBUSY. Context of all:
 * linux, task in secondary mode. */
int pipe_device_reserve(int minor);
void pipe_device_release(int minor);

/* Make the file. What keeps it from being there is told, and not an error. 0 or -ENOMEM. */
int pipe_device_open(int minor, const char *name, const struct pipe_ends *ends);

/* Before the objects of its ends are deleted: what is being read is given back, and readers see the
 * end. */
void pipe_device_stop(int minor);
/* Take it away; the objects of its ends are deleted already, so that nobody waits for them. */
void pipe_device_close(int minor);

#endif
