/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Processor time of threads. Linux does not count the time on real-time CPUs as that of the
 * tasks. */
#ifndef POSIX_CPUTIME_H
#define POSIX_CPUTIME_H

#include <tactus/task.h>

/* The caller is about to become a task; ceases to be one; is the only thread of a fork's child. */
void posix_cputime_begin(void);
void posix_cputime_end(const struct tact_task_info *last);
void posix_cputime_forked(void);

#endif
