/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Streams: those of the C library, with the names of Xenomai's conventions (cobalt/wrappers.h), and
 * printing from primary mode. */
#pragma GCC system_header
#include_next <stdio.h>

#ifndef COBALT_STDIO_H
#define COBALT_STDIO_H

#include <cobalt/wrappers.h>
#include <xenomai/print.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __USE_GNU
COBALT_SAME(fclose);
COBALT_SAME(fprintf);
COBALT_SAME(fputc);
COBALT_SAME(fputs);
COBALT_SAME(fwrite);
COBALT_SAME(printf);
COBALT_SAME(putchar);
COBALT_SAME(puts);
COBALT_SAME(vfprintf);
COBALT_SAME(vprintf);
#endif

#ifdef __cplusplus
}
#endif

#endif
