/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Changing settings of the machine so that they find their way back. Context: under the gate. */
#ifndef THREAD_NOTE_H
#define THREAD_NOTE_H

#include <stdbool.h>

#define RT_RUNTIME  "/proc/sys/kernel/sched_rt_runtime_us"
#define FAIR_SERVER "/sys/kernel/debug/sched/fair_server/cpu%u/runtime"

/* Note what is there, once, and change it. False: it stays as it is. */
bool note_change(const char *path, const char *value);
/* All that is noted. Returns 0; -EAGAIN: Linux refuses some for a while, and it stays noted. */
int note_put_back(void);

#endif
