/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Drivers in the program over Xenomai's UDD core, as programs name it; see <rtdm/rtdm.h>. What
 * serves a device from a program here is <tactus/device.h>. */
#ifndef RTDM_UDD_H
#define RTDM_UDD_H

#include <rtdm/rtdm.h>

struct udd_signotify {
	pid_t pid; /* at most 0: no signal */
	int sig;
};

#define UDD_RTIOC_IRQEN  _IO(RTDM_CLASS_UDD, 0)
#define UDD_RTIOC_IRQDIS _IO(RTDM_CLASS_UDD, 1)
#define UDD_RTIOC_IRQSIG _IOW(RTDM_CLASS_UDD, 2, struct udd_signotify)

#endif
