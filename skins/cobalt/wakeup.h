/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timers as files that wake the thread that has set them. */
#ifndef COBALT_WAKEUP_H
#define COBALT_WAKEUP_H

#include <signal.h>
#include <stdbool.h>

/* Is it the signal of one of these timers? */
bool cobalt_wakeup_is(const siginfo_t *info);

/* The descriptor is closed: its timer wakes no thread any more. */
void cobalt_wakeup_forget(int fd);

#endif
