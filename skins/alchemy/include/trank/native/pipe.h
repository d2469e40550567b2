/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/pipe.h> had in Xenomai 2, where rt_pipe_create() returned 0 and not the
 * number of the pipe. */
#ifndef TRANK_NATIVE_PIPE_H
#define TRANK_NATIVE_PIPE_H

#include <alchemy/pipe.h>

static inline int native_pipe_create(RT_PIPE *pipe, const char *name, int minor, size_t poolsize)
{
	int number = rt_pipe_create(pipe, name, minor, poolsize);

	return number < 0 ? number : 0;
}

#define rt_pipe_create native_pipe_create

#endif
