/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A socket of one process of a test, and what others send to it. */
#ifndef COBALT_SHARED_SOCKETS_H
#define COBALT_SHARED_SOCKETS_H

#include "processes.h"
#include "sockets.h"

enum { BOUND, SENT, WAITS, RECEIVED, MAY_END };

#define PORT 5

static char bytes[8192];

static inline void fill(int fd)
{
	while (send(fd, bytes, 500, MSG_DONTWAIT) == 500)
		;
	expect_eq(errno, EAGAIN);
}

#endif
