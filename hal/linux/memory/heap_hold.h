/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The memory of the program: locked, and kept by the C library. */
#ifndef MEMORY_HEAP_HOLD_H
#define MEMORY_HEAP_HOLD_H

#include "hal/cpu.h"

void linux_heap_hold(char reason[HAL_REASON_BYTES]);

#endif
