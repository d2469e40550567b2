/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The functions that programs are called by when tasks have ended: tact_task_on_end(). */
#ifndef NUC_END_HOOK_H
#define NUC_END_HOOK_H

#include <stdint.h>

/* Empty the list of a CPU. Context: the start, before the CPU runs. */
void nuc_end_hooks_init(uint32_t cpu);

#endif
