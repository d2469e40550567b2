/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Faults, as Linux's signals report them. */
#ifndef LINUX_FAULT_CAUSE_H
#define LINUX_FAULT_CAUSE_H

#include <signal.h>

#include "hal/hal.h"

/* Context: the handler of the signal. */
struct hal_fault linux_fault_of(int signal, const siginfo_t *info, const void *ucontext);
int linux_fault_signal(enum hal_fault_cause cause);

#endif
