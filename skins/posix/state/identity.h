/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which process this is. */
#ifndef POSIX_IDENTITY_H
#define POSIX_IDENTITY_H

#include <stdbool.h>
#include <sys/types.h>

/* As it was looked up last, for signals that the process sends to itself. */
struct posix_identity {
	pid_t pid;
	uid_t uid;
};
extern struct posix_identity posix_identity __attribute__((visibility("hidden")));

/* Look up which process this is: at the start, and in a fork's child. */
void posix_identity_look(void);
/* Is this not a vfork's child, which runs in its parent's memory? Cost: a Linux call. */
bool posix_identity_is_own(void);

#endif
