/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The log of the process: what it writes to its standard error output, the newest MiB of it. */
#ifndef RTAI_LOG_H
#define RTAI_LOG_H

#include <stddef.h>

/* Take the standard error output over. 0 or an error number. */
int log_begin(void);
/* What is written from here on is also sent to the connection; -1: to none. Waits until what was
 * written before has arrived. */
void log_send_to(int connection);
/* Call `part` for what is kept, oldest first. */
void log_read(void (*part)(const char *text, size_t bytes, void *arg), void *arg);

#endif
