/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Jobs and their deadlines, for the classes that order their tasks by deadline. */
#ifndef NUC_EDF_H
#define NUC_EDF_H

#include "task/task.h"

/* Is the deadline in range? 0 or -TACT_EINVAL. */
int nuc_edf_check(uint64_t deadline_ns);

/* A job begins, or ends; a job that ends late is counted. */
void nuc_edf_begin_job(struct nuc_task *task, uint64_t instant_ns);
void nuc_edf_end_job(struct nuc_task *task);

#endif
