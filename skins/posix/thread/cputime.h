/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Processor time of threads, of which tasks spend most where Linux does not count it as theirs. */
#ifndef POSIX_CPUTIME_H
#define POSIX_CPUTIME_H

#include <tactus/task.h>

/* The caller is about to be a task; and to be none any more; and is the only thread of a fork's
 * child. */
void posix_cputime_begin(void);
void posix_cputime_end(const struct tact_task_info *last);
void posix_cputime_forked(void);

#endif
