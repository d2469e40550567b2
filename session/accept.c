/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A connection is accepted even if this process has all the descriptors that it may have: a spare
 * one is kept for that. Otherwise the other side would wait for ever, and Linux would report the
 * connection again and again.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lines.h"

static int spare = -1;

void session_spare_keep(int like)
{
	if (spare < 0)
		spare = fcntl(like, F_DUPFD_CLOEXEC, 0);
}

void session_spare_forget(void)
{
	if (spare >= 0)
		close(spare);
	spare = -1;
}

static bool is_want(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOBUFS;
}

int session_accept(int listener, bool *wants)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

	*wants = fd < 0 && is_want(errno);
	if (!*wants || spare < 0)
		return fd;
	session_spare_forget();
	return accept4(listener, NULL, NULL, SOCK_CLOEXEC);
}
