/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The HAL contract: what a back end supplies so that the nucleus can run. A back end supplies
 * real-time CPUs (hal/cpu.h), time (hal/time.h), contexts and stacks (hal/context.h), the way to
 * and from Linux (hal/linux.h), and devices (hal/device.h) if there are any. It calls up only
 * through hal/upcall.h and knows nothing of tasks or objects. tests/hal/ is the conformance suite;
 * it defines what a back end is.
 *
 * Terms.
 *   real-time CPU  what runs the nucleus's tasks; one Linux thread (thread), one coroutine
 *                  (sim), one processor taken from Linux (bare).
 *   stalled        the CPU's bit that defers events. While it is set the back end delivers no
 *                  upcall on that CPU; an event is logged and replayed when the bit clears.
 *   event          a timer shot, a kick, an interrupt: they all arrive as nuc_upcall_event().
 *   shadow         the Linux thread that belongs to a full task.
 */
#ifndef HAL_HAL_H
#define HAL_HAL_H

#include "hal/context.h"
#include "hal/cpu.h"
#include "hal/device.h"
#include "hal/linux.h"
#include "hal/time.h"
#include "hal/upcall.h"

#endif
