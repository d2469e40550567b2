/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Message queues, of which tasks may wait for messages. */
#ifndef POSIX_QUEUES_H
#define POSIX_QUEUES_H

/* The calling task is one no more. */
void posix_queues_leave(void);

#endif
