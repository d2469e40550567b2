/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files and sleeps: those of POSIX, with the names of Xenomai's conventions (cobalt/wrappers.h). */
#pragma GCC system_header
#include_next <unistd.h>

#ifndef COBALT_UNISTD_H
#define COBALT_UNISTD_H

#include <cobalt/wrappers.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __USE_GNU
COBALT_SAME(close);
COBALT_SAME(read);
COBALT_SAME(sleep);
COBALT_SAME(usleep);
COBALT_SAME(write);
#endif

#ifdef __cplusplus
}
#endif

#endif
