/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory: that of POSIX, with the names of Xenomai's conventions (cobalt/wrappers.h). */
#pragma GCC system_header
#include_next <stdlib.h>

#ifndef COBALT_STDLIB_H
#define COBALT_STDLIB_H

#include <cobalt/wrappers.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __USE_GNU
COBALT_SAME(free);
COBALT_SAME(malloc);
#endif

#ifdef __cplusplus
}
#endif

#endif
