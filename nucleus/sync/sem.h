/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores that the nucleus itself posts. */
#ifndef NUC_SEM_H
#define NUC_SEM_H

#include <tactus/sem.h>

struct nuc_cpu;

/* As tact_sem_post(), whichever CPU's it is; of another one's nobody waits for the result.
 * -TACT_EAGAIN: too much is under way. Context: stalled. */
int nuc_sem_post(struct nuc_cpu *cpu, tact_sem_t sem);

#endif
