/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The error numbers of Linux. */
#ifndef TACTUS_RTAI_LINUX_ERRNO_H
#define TACTUS_RTAI_LINUX_ERRNO_H

#include_next <linux/errno.h>
#ifdef __KERNEL__
#define ERESTARTSYS 512
#endif

#endif
