/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* poll() on a machine: it is Linux's. */
#define _GNU_SOURCE
#include "linux_poll.h"

#include <time.h>

int rtai_linux_poll(struct pollfd *fds, nfds_t count, long long ns)
{
	const struct timespec timeout = {ns / 1000000000, ns % 1000000000};

	return ppoll(fds, count, ns < 0 ? NULL : &timeout, NULL);
}
