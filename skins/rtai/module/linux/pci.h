/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Not here. */
#ifndef __KERNEL__
#include_next <linux/pci.h>
#else
#error "<linux/pci.h>: PCI devices are not here; use <tactus/device.h>"
#endif
