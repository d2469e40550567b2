/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Changing settings of the machine so that they can be restored. Context: under the gate. */
#ifndef THREAD_NOTE_H
#define THREAD_NOTE_H

#include <stdbool.h>

#define RT_RUNTIME  "/proc/sys/kernel/sched_rt_runtime_us"
#define FAIR_SERVER "/sys/kernel/debug/sched/fair_server/cpu%u/runtime"

/* Note the former value, once, and change the setting. False: the setting is not changed. */
bool note_change(const char *path, const char *value);
/* Restore all noted settings. Returns 0; -EAGAIN: Linux refuses some for now, and all stay
 * noted. */
int note_put_back(void);

#endif
