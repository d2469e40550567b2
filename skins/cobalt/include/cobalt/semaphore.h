/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores: those of POSIX, with the names of Xenomai's conventions (cobalt/wrappers.h), and the
 * extensions of Xenomai. */
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
 * As sem_init(), with flags.
 * flags: SEM_..., cobalt/uapi/sem.h. With SEM_PSHARED and no other flag except SEM_REPORT and
 *        SEM_WARNDEL, the semaphore is one of Linux. With SEM_PSHARED and other flags it belongs to
 *        this program; the programs of its session can use it until this program ends.
 * value: units at first.
 *
 * Returns 0, or -1: EINVAL (unknown flags, a value above SEM_VALUE_MAX, or a value above 0 with
 * SEM_PULSE), ENOMEM, EPERM (the nucleus could not be started in this program; or SEM_PSHARED, and
 * there is no session).
 */
int sem_init_np(sem_t *sem, int flags, unsigned int value);

/* Release all threads that wait now; the value does not change. Returns 0, or -1: EINVAL (not a
 * semaphore). Context: any thread. */
int sem_broadcast_np(sem_t *sem);

#ifdef __cplusplus
}
#endif

#endif
