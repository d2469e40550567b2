/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names of programs for their own drivers over Xenomai's UDD core; see <rtdm/devices.h>. In
 * Tactus, a program serves a device by <tactus/device.h>. */
#ifndef RTDM_UDD_H
#define RTDM_UDD_H

#include <rtdm/rtdm.h>

struct udd_signotify {
	pid_t pid; /* 0 or less: no signal */
	int sig;
};

#define UDD_RTIOC_IRQEN  _IO(RTDM_CLASS_UDD, 0)
#define UDD_RTIOC_IRQDIS _IO(RTDM_CLASS_UDD, 1)
#define UDD_RTIOC_IRQSIG _IOW(RTDM_CLASS_UDD, 2, struct udd_signotify)

#endif
