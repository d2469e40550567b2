/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Posting semaphores from the nucleus itself. */
#ifndef NUC_SEM_H
#define NUC_SEM_H

#include <tactus/sem.h>

struct nuc_cpu;

/* tact_sem_post() for a semaphore of any CPU. A post to another CPU is a cast, without its result;
 * -TACT_ENOMEM: too many are under way. Context: stalled. */
int nuc_sem_post(struct nuc_cpu *cpu, tact_sem_t sem);

#endif
