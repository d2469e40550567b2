/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the nucleus asks about its process. */
#define _GNU_SOURCE /* program_invocation_short_name */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "hal/linux.h"

const char *hal_environment(const char *name)
{
	return getenv(name);
}

const char *hal_program_name(void)
{
	return program_invocation_short_name ? program_invocation_short_name : "";
}

uint32_t hal_process_id(void)
{
	return (uint32_t)getpid();
}
