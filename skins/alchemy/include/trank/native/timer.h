/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/timer.h> had in Xenomai 2. */
#ifndef TRANK_NATIVE_TIMER_H
#define TRANK_NATIVE_TIMER_H

#include <alchemy/timer.h>

#endif
