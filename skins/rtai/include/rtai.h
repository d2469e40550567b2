/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What programs of user space include of RTAI before all else. */
#ifndef TACTUS_RTAI_H
#define TACTUS_RTAI_H

#include <rtai_types.h>

#endif
