/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The names that programs use for the devices of Xenomai's driver model: by <rtdm/rtdm.h>, and by
 * the header that had this name in Xenomai 2. Tactus has none of these devices. open() of
 * /dev/rtdm/... fails with ENOENT, which programs report as a driver that is not loaded.
 *
 * Source: Xenomai 3 API manual, "RTDM", and the device profiles.
 */
#ifndef RTDM_DEVICES_H
#define RTDM_DEVICES_H

/* Programs expect these headers from this one. */
#include <errno.h>
#include <fcntl.h>
#include <linux/types.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/types.h>

typedef uint64_t nanosecs_abs_t;
typedef int64_t nanosecs_rel_t; /* a duration, or one of RTDM_TIMEOUT_... */

#define RTDM_TIMEOUT_INFINITE 0
#define RTDM_TIMEOUT_NONE     (-1)

#define RTDM_CLASS_PARPORT      1
#define RTDM_CLASS_SERIAL       2
#define RTDM_CLASS_CAN          3
#define RTDM_CLASS_NETWORK      4
#define RTDM_CLASS_RTMAC        5
#define RTDM_CLASS_TESTING      6
#define RTDM_CLASS_RTIPC        7
#define RTDM_CLASS_COBALT       8
#define RTDM_CLASS_UDD          9
#define RTDM_CLASS_MEMORY       10
#define RTDM_CLASS_GPIO         11
#define RTDM_CLASS_SPI          12
#define RTDM_CLASS_PWM          13
#define RTDM_CLASS_EXPERIMENTAL 224
#define RTDM_CLASS_MAX          255

#define RTDM_SUBCLASS_GENERIC (-1)
#define RTDM_MAX_DEVNAME_LEN  31

#define RTIOC_TYPE_COMMON 0

#define RTDM_PURGE_RX_BUFFER 0x1
#define RTDM_PURGE_TX_BUFFER 0x2

struct rtdm_device_info {
	int device_flags;
	int device_class;
	int device_sub_class;
	int profile_version;
};

#define RTIOC_DEVICE_INFO _IOR(RTIOC_TYPE_COMMON, 0x00, struct rtdm_device_info)
#define RTIOC_PURGE       _IOW(RTIOC_TYPE_COMMON, 0x10, int)

#endif
