/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores: POSIX's, with the names of Xenomai's conventions, and its extensions. */
#pragma GCC system_header
#include_next <semaphore.h>

#ifndef COBALT_SEMAPHORE_H
#define COBALT_SEMAPHORE_H

#include <cobalt/uapi/sem.h>
#include <cobalt/wrappers.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __USE_GNU
COBALT_SAME(sem_clockwait);
COBALT_SAME(sem_close);
COBALT_SAME(sem_destroy);
COBALT_SAME(sem_getvalue);
COBALT_SAME(sem_init);
COBALT_SAME(sem_open);
COBALT_SAME(sem_post);
COBALT_SAME(sem_timedwait);
COBALT_SAME(sem_trywait);
COBALT_SAME(sem_unlink);
COBALT_SAME(sem_wait);
#endif

/**
 * As sem_init(), with flags (SEM_..., cobalt/uapi/sem.h). Returns 0, or -1: EINVAL (unknown flags,
 * a value above SEM_VALUE_MAX, or not 0 with SEM_PULSE), ENOMEM, EPERM (the real-time half could
 * not be started; SEM_PSHARED: there is no session). SEM_PSHARED with no other flag but SEM_REPORT
 * and SEM_WARNDEL makes Linux's; with others the semaphore is this program's, and of use to the
 * programs of its session until it ends.
 */
int sem_init_np(sem_t *sem, int flags, unsigned int value);

/* Release all who wait now; the value stays. Returns 0, or -1: EINVAL. Context: any thread. */
int sem_broadcast_np(sem_t *sem);

#ifdef __cplusplus
}
#endif

#endif
