/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counters that several callers change. */
#ifndef TACTUS_RTAI_LINUX_ATOMIC_H
#define TACTUS_RTAI_LINUX_ATOMIC_H

#include <asm/atomic.h>

#endif
