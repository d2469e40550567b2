/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The status segment (abi/status.h): laid out before the CPUs run, published when they do. */
#ifndef NUC_SEGMENT_H
#define NUC_SEGMENT_H

#include <tactus/start.h>

/* 0 or -TACT_ENOMEM. Context: linux, before hal_start(). */
int nuc_segment_map(const struct tact_config *config);
/* Context: linux, after hal_start(). */
void nuc_segment_publish(void);
/* Does nothing if no segment is mapped. Context: linux, after hal_stop(), when no task is left. */
void nuc_segment_unmap(void);

#endif
