/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Devices of Xenomai's driver model, as <rtdm/devices.h> has them. */
#ifndef RTDM_RTDM_H
#define RTDM_RTDM_H

#include <rtdm/devices.h>

#endif
