/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the actions for signals want done with interrupted calls. */
#ifndef POSIX_ACTIONS_H
#define POSIX_ACTIONS_H

/* To be called before the first task waits. */
void posix_signals_begin(void);

#endif
