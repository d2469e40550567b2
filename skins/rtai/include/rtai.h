/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What programs and modules include of RTAI before all else. */
#ifndef TACTUS_RTAI_H
#define TACTUS_RTAI_H

#include <rtai_types.h>
#ifdef __KERNEL__
#include <rtai_module/hal.h>
#endif

#endif
