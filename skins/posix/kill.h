/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whose signals these are. */
#ifndef POSIX_KILL_H
#define POSIX_KILL_H

/* Look who this process is: at the start, and in a fork's child. */
void posix_identity_look(void);

#endif
