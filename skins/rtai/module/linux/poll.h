/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Not here. */
#ifndef __KERNEL__
#include_next <linux/poll.h>
#else
#error "<linux/poll.h>: Devices of Linux are not here; use a FIFO"
#endif
