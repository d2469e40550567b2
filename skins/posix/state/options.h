/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What `tactus run` was told, as the program finds it in its environment. */
#ifndef POSIX_OPTIONS_H
#define POSIX_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Is this one of its variables set, and not to 0? */
bool posix_option_is_set(const char *variable);

/* What tasks are made with, for what was told about mode switches. */
uint32_t posix_task_flags(void);
bool posix_real_time_is_required(void);

/* Is a summary wanted? Constant from the start on. */
extern bool posix_summary_wanted;

#endif
