/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What `tactus tune` stored for a CPU of this machine (docs/spec/gravity.md). */
#ifndef THREAD_GRAVITY_H
#define THREAD_GRAVITY_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/time.h"

/*
 * The stored values for a Linux CPU of this machine under this kernel; all 0 if there are none.
 * file: the only file to read; "": the usual places. Returns false, with a notice added to reason,
 * if a file is damaged. Context: linux.
 */
bool thread_gravity_read(const char *file, uint32_t linux_cpu, struct hal_gravity *gravity,
			 char reason[HAL_REASON_BYTES]);

#endif
