/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names of programs for the pins of Xenomai's GPIO drivers; see <rtdm/devices.h>. */
#ifndef RTDM_GPIO_H
#define RTDM_GPIO_H

#include <rtdm/rtdm.h>

struct rtdm_gpio_readout {
	nanosecs_abs_t timestamp;
	int32_t value;
};

#define GPIO_RTIOC_DIR_OUT _IOW(RTDM_CLASS_GPIO, 0, int)
#define GPIO_RTIOC_DIR_IN  _IO(RTDM_CLASS_GPIO, 1)
#define GPIO_RTIOC_IRQEN   _IOW(RTDM_CLASS_GPIO, 2, int) /* GPIO_TRIGGER_... */
#define GPIO_RTIOC_IRQDIS  _IO(RTDM_CLASS_GPIO, 3)
#define GPIO_RTIOC_REQS    _IO(RTDM_CLASS_GPIO, 4)
#define GPIO_RTIOC_RELS    _IO(RTDM_CLASS_GPIO, 5)
#define GPIO_RTIOC_TS_MONO _IOR(RTDM_CLASS_GPIO, 7, int)
#define GPIO_RTIOC_TS      GPIO_RTIOC_TS_MONO
#define GPIO_RTIOC_TS_REAL _IOR(RTDM_CLASS_GPIO, 8, int)

#define GPIO_TRIGGER_NONE         0x0
#define GPIO_TRIGGER_EDGE_RISING  0x1
#define GPIO_TRIGGER_EDGE_FALLING 0x2
#define GPIO_TRIGGER_LEVEL_HIGH   0x4
#define GPIO_TRIGGER_LEVEL_LOW    0x8
#define GPIO_TRIGGER_MASK         0xf

#endif
