/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Devices of Linux's kernel: not here. */
#ifndef TACTUS_RTAI_LINUX_MISCDEVICE_H
#define TACTUS_RTAI_LINUX_MISCDEVICE_H

#include <linux/fs.h>

#endif
