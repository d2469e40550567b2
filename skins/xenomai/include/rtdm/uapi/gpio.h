/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The header of Xenomai 3 for the definitions that its kernel shares with programs. */
#ifndef RTDM_UAPI_GPIO_H
#define RTDM_UAPI_GPIO_H

#include <rtdm/gpio.h>

#endif
