/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Restartable sequences: the C library's area of a thread, while the thread runs a task. */
#ifndef LINUX_RSEQ_H
#define LINUX_RSEQ_H

void linux_rseq_leave(void);
void linux_rseq_enter(void);

#endif
