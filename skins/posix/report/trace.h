/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What happened on the real-time CPUs, written to a file at the program's end (`--trace FILE`). */
#ifndef POSIX_TRACE_H
#define POSIX_TRACE_H

#include <stdbool.h>

#include "posix/state/record.h"

/* Events that are kept for each real-time CPU, the latest ones. */
#define POSIX_TRACE_EVENTS 65536u

bool posix_trace_wanted(void);
/* A task's name in the trace: its thread's number and name. */
void posix_trace_name(const struct posix_thread *thread);
/* In a fork's child, which has none of them. */
void posix_trace_forked(void);
/* While the real-time CPUs are there still. */
void posix_trace_write(void);

#endif
