/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options of `tactus run`, as the program finds them in its environment. */
#ifndef POSIX_OPTIONS_H
#define POSIX_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Is this variable set, and not to 0? */
bool posix_option_is_set(const char *variable);

/* The flags with which tasks are made, for the options about mode switches. */
uint32_t posix_task_flags(void);
bool posix_real_time_is_required(void);

/* Is a summary wanted? Constant from the start on. */
extern bool posix_summary_wanted;

#endif
