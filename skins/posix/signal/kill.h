/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whose signals these are. */
#ifndef POSIX_KILL_H
#define POSIX_KILL_H

#include <stdbool.h>

/* Look who this process is: at the start, and in a fork's child. */
void posix_identity_look(void);
/* Not a vfork's child, which has all of its parent's memory? Cost: a Linux call. */
bool posix_identity_is_own(void);

#endif
