/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The version of Linux for which modules are compiled. */
#ifndef TACTUS_RTAI_LINUX_VERSION_H
#define TACTUS_RTAI_LINUX_VERSION_H

#ifndef __KERNEL__
#include_next <linux/version.h>
#else
/* As the last one that RTAI 3.9 knew, so that modules take what is here. */
#define KERNEL_VERSION(a, b, c) (((a) << 16) + ((b) << 8) + (c))
#define LINUX_VERSION_CODE      KERNEL_VERSION(2, 6, 32)
#define UTS_RELEASE             "2.6.32"
#endif

#endif
