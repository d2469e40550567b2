/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* In virtual time there are no other processes: the program itself opens the Linux end of a
 * pipe. */
#include <tactus/pipe.h>

#include <tactus/task.h>

int tact_pipe_serve(tact_pipe_t pipe, char *address, size_t size)
{
	int result = tact_pipe_inquire(pipe, NULL);

	(void)address;
	(void)size;
	if (tact_mode() != TACT_MODE_NONE)
		return -TACT_EPERM;
	return result ? result : -TACT_ENOTSUP;
}
