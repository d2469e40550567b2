/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* In virtual time there is no file, as there are no other programs: pipes hold what is written. */
#include "pipe_device.h"

#include <errno.h>

#include <alchemy/pipe.h>

static _Atomic uint32_t reserved[P_MINORS];

int pipe_device_reserve(int minor)
{
	return atomic_exchange(&reserved[minor], 1) ? -EBUSY : 0;
}

void pipe_device_release(int minor)
{
	atomic_store(&reserved[minor], 0);
}

int pipe_device_open(int minor, const char *name, const struct pipe_ends *ends)
{
	(void)minor;
	(void)name;
	(void)ends;
	return 0;
}

void pipe_device_stop(int minor)
{
	(void)minor;
}

void pipe_device_close(int minor)
{
	(void)minor;
}
