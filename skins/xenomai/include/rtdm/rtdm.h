/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The devices of Xenomai's driver model (<rtdm/devices.h>), and the names that Xenomai 3 keeps for
 * their calls. These names are the real-time functions of POSIX, whatever options the linker got. A
 * program that has such names of its own defines RTDM_NO_DEFAULT_USER_API.
 */
#ifndef RTDM_RTDM_H
#define RTDM_RTDM_H

#include <unistd.h>

#include <cobalt/wrappers.h>
#include <rtdm/devices.h>

#ifndef RTDM_NO_DEFAULT_USER_API
#define rt_dev_open     __RT(open)
#define rt_dev_socket   __RT(socket)
#define rt_dev_close    __RT(close)
#define rt_dev_ioctl    __RT(ioctl)
#define rt_dev_read     __RT(read)
#define rt_dev_write    __RT(write)
#define rt_dev_recvmsg  __RT(recvmsg)
#define rt_dev_sendmsg  __RT(sendmsg)
#define rt_dev_recvfrom __RT(recvfrom)
#endif

#endif
