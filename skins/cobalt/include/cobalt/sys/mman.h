/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory mappings: those of POSIX, with the names of Xenomai's conventions (cobalt/wrappers.h). */
#pragma GCC system_header
#include_next <sys/mman.h>

#ifndef COBALT_SYS_MMAN_H
#define COBALT_SYS_MMAN_H

#include <cobalt/wrappers.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __USE_GNU
COBALT_SAME(mmap);
COBALT_SAME(mmap64);
#endif

#ifdef __cplusplus
}
#endif

#endif
