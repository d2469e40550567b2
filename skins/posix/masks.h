/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which signals a thread lets in. */
#ifndef POSIX_MASKS_H
#define POSIX_MASKS_H

#include <signal.h>

/* Of the calling thread, as Linux has it: at its birth. */
void posix_mask_look(void);
/* A call that waits under this mask, or NULL, begins. */
void posix_mask_admit(const sigset_t *mask);

#endif
