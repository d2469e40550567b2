/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the actions for signals want done with calls that they interrupt. */
#ifndef POSIX_ACTIONS_H
#define POSIX_ACTIONS_H

/* Before the first task waits. */
void posix_signals_begin(void);

#endif
