/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* There is no /proc/rtai: tactus rtai lsmod and tactus ps tell what it would. */
#ifndef TACTUS_RTAI_RTAI_PROC_FS_H
#define TACTUS_RTAI_RTAI_PROC_FS_H

#include <linux/types.h>

#endif
