/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names of programs for pulse width modulation by Xenomai's GPIO drivers; see
 * <rtdm/devices.h>. */
#ifndef RTDM_GPIOPWM_H
#define RTDM_GPIOPWM_H

#include <rtdm/rtdm.h>

struct gpiopwm {
	unsigned int duty_cycle; /* percent */
	unsigned int range_min;  /* pulse at 0 %, us */
	unsigned int range_max;  /* pulse at 100 %, us */
	unsigned int period;     /* ns */
	int gpio;
};

#define RTIOC_TYPE_PWM RTDM_CLASS_PWM

#define GPIOPWM_RTIOC_SET_CONFIG        _IOW(RTIOC_TYPE_PWM, 0x00, struct gpiopwm)
#define GPIOPWM_RTIOC_GET_CONFIG        _IOR(RTIOC_TYPE_PWM, 0x10, struct gpiopwm)
#define GPIOPWM_RTIOC_START             _IO(RTIOC_TYPE_PWM, 0x20)
#define GPIOPWM_RTIOC_STOP              _IO(RTIOC_TYPE_PWM, 0x30)
#define GPIOPWM_RTIOC_CHANGE_DUTY_CYCLE _IOW(RTIOC_TYPE_PWM, 0x40, unsigned int)

#endif
