/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* System log: that of POSIX, with the names of Xenomai's conventions (cobalt/wrappers.h). */
#pragma GCC system_header
#include_next <syslog.h>

#ifndef COBALT_SYSLOG_H
#define COBALT_SYSLOG_H

#include <cobalt/wrappers.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __USE_GNU
COBALT_SAME(syslog);
COBALT_SAME(vsyslog);
#endif

#ifdef __cplusplus
}
#endif

#endif
