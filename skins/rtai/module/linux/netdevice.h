/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Not here. */
#ifndef __KERNEL__
#include_next <linux/netdevice.h>
#else
#error "<linux/netdevice.h>: Networks of Linux are not here; use <tactus/net.h>"
#endif
