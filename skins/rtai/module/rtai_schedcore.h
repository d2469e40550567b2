/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Modules that are parts of RTAI's scheduler include more than this; others, what follows. */
#ifndef TACTUS_RTAI_RTAI_SCHEDCORE_H
#define TACTUS_RTAI_RTAI_SCHEDCORE_H

#include <rtai_sched.h>

#endif
