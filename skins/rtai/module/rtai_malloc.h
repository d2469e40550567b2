/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* RTAI's memory for tasks, as rtai_shm.h has it. */
#ifndef TACTUS_RTAI_RTAI_MALLOC_H
#define TACTUS_RTAI_RTAI_MALLOC_H

#include <rtai_shm.h>

#endif
