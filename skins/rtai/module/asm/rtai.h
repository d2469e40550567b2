/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names of RTAI's header for a processor. */
#ifndef TACTUS_RTAI_ASM_RTAI_H
#define TACTUS_RTAI_ASM_RTAI_H

#include <rtai.h>

#endif
