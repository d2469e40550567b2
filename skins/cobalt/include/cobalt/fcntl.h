/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files: those of POSIX, with the names of Xenomai's conventions (cobalt/wrappers.h). */
#pragma GCC system_header
#include_next <fcntl.h>

#ifndef COBALT_FCNTL_H
#define COBALT_FCNTL_H

#include <cobalt/wrappers.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __USE_GNU
COBALT_SAME(fcntl);
COBALT_SAME(open);
COBALT_SAME(open64);
#endif

#ifdef __cplusplus
}
#endif

#endif
