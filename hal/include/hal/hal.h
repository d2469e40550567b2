/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The HAL contract: what a back end supplies so that the nucleus can run. It supplies real-time
 * CPUs (hal/cpu.h), time (hal/time.h), contexts and stacks (hal/context.h), the way to Linux and
 * back (hal/linux.h), and devices (hal/device.h) if it has any. It calls the nucleus only through
 * hal/upcall.h, and knows nothing of tasks or objects. tests/hal/ is the conformance suite, which
 * defines what a back end is.
 *
 * Terms.
 *   real-time CPU  what runs the tasks of the nucleus: a Linux thread (thread), a coroutine (sim),
 *                  a processor that was taken from Linux (bare).
 *   stalled        the bit of a CPU that delays events. While it is set, the back end delivers no
 *                  upcall on this CPU: an event is logged, and replayed when the bit is cleared.
 *   event          a timer shot, a kick or an interrupt; each arrives as nuc_upcall_event().
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
