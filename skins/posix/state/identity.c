/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which process this is, looked up before the skin begins. */
#define _GNU_SOURCE
#include "posix/state/identity.h"

#include <unistd.h>

struct posix_identity posix_identity;

__attribute__((constructor)) void posix_identity_look(void)
{
	posix_identity.pid = getpid();
	posix_identity.uid = getuid();
}

bool posix_identity_is_own(void)
{
	return getpid() == posix_identity.pid;
}
