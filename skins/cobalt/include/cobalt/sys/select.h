/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waiting for files: that of POSIX, with the names of Xenomai's conventions (cobalt/wrappers.h). */
#pragma GCC system_header
#include_next <sys/select.h>

#ifndef COBALT_SYS_SELECT_H
#define COBALT_SYS_SELECT_H

#include <cobalt/wrappers.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __USE_GNU
COBALT_SAME(select);
#endif

#ifdef __cplusplus
}
#endif

#endif
