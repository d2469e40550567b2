/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Modules include it, and need nothing of it that is not in <linux/kernel.h>. */
#ifndef TACTUS_RTAI_LINUX_PARAM_H
#define TACTUS_RTAI_LINUX_PARAM_H

#ifndef __KERNEL__
#include_next <linux/param.h>
#else
#include <linux/kernel.h>
#endif

#endif
