/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The events of the real-time CPUs, written to a file at the program's end (`--trace FILE`). */
#ifndef POSIX_TRACE_H
#define POSIX_TRACE_H

#include <stdbool.h>

#include "posix/state/record.h"

/* The number of latest events that are kept for each real-time CPU. */
#define POSIX_TRACE_EVENTS 65536u

bool posix_trace_wanted(void);
/* A task's name in the trace: its thread's number and name. */
void posix_trace_name(const struct posix_thread *thread);
/* To be called in a fork's child, which has no real-time CPUs. */
void posix_trace_forked(void);
/* To be called while the real-time CPUs still exist. */
void posix_trace_write(void);

#endif
