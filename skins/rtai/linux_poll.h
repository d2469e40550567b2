/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* poll() of files that are no FIFOs, in programs: Linux's (linux_poll.c), in the simulation one
 * that takes virtual time (virtual_linux.c). */
#ifndef RTAI_LINUX_POLL_H
#define RTAI_LINUX_POLL_H

#include <poll.h>

int rtai_linux_poll(struct pollfd *fds, nfds_t count, long long ns);

#endif
