/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Not here. */
#ifndef __KERNEL__
#include_next <linux/tty.h>
#else
#error "<linux/tty.h>: Terminals are not here; use a FIFO and a program"
#endif
