/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Settings of the machine, for the time that the program runs. */
#ifndef THREAD_SETTINGS_H
#define THREAD_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/hal.h"

void thread_settings_start(const struct hal_config *config, const uint32_t linux_cpus[],
			   char reason[HAL_REASON_BYTES]);
void thread_settings_stop(void);

/* note.c: changing settings so that they can be restored. Context: under the gate. */
#define RT_RUNTIME  "/proc/sys/kernel/sched_rt_runtime_us"
#define FAIR_SERVER "/sys/kernel/debug/sched/fair_server/cpu%u/runtime"

/* Note the former value, once, and change the setting. False: the setting is not changed. */
bool note_change(const char *path, const char *value);
/* Restore all noted settings. Returns 0; -EAGAIN: Linux refuses some for now, and all stay
 * noted. */
int note_put_back(void);

/*
 * guardian.c: the guardian process, and what it and the next start do.
 *
 * repair: called in the guardian; restores what programs that are gone have changed. It returns 0;
 * -EBUSY: another program relies on it; -EAGAIN: Linux refuses for now. Returns 0 or -errno.
 */
int guardian_start(int (*repair)(void));
/* Let the guardian do its work now. True: it has said that it has done it. */
bool guardian_dismiss(void);
void guardian_forget(void);

#endif
