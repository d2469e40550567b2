/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timers as files that wake who has set them. */
#ifndef COBALT_WAKEUP_H
#define COBALT_WAKEUP_H

/* The descriptor is closed: it wakes nobody any more. */
void cobalt_wakeup_forget(int fd);

#endif
