/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Device control: that of POSIX, with the names of Xenomai's conventions (cobalt/wrappers.h). */
#pragma GCC system_header
#include_next <sys/ioctl.h>

#ifndef COBALT_SYS_IOCTL_H
#define COBALT_SYS_IOCTL_H

#include <cobalt/wrappers.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __USE_GNU
COBALT_SAME(ioctl);
#endif

#ifdef __cplusplus
}
#endif

#endif
