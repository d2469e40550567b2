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
 * a value above SEM_VALUE_MAX, or not 0 with SEM_PULSE), ENOSYS (SEM_PSHARED with SEM_PULSE or
 * SEM_FIFO), ENOMEM, EPERM (the real-time half could not be started).
 */
int sem_init_np(sem_t *sem, int flags, unsigned int value);

/* Release all who wait now; the value stays. Returns 0, or -1: EINVAL. Context: any thread. */
int sem_broadcast_np(sem_t *sem);

#ifdef __cplusplus
}
#endif

#endif
