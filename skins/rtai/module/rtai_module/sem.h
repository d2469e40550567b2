/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores of modules: structures of the module, which rt_sem_init() makes semaphores. */
#ifndef TACTUS_RTAI_RTAI_MODULE_SEM_H
#define TACTUS_RTAI_RTAI_MODULE_SEM_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* If there is no memory, a line of the log says so, and all calls give RTE_OBJINV. */
void rt_typed_sem_init(SEM *sem, int value, int type) __asm__("rtai_module_sem_init");

static inline void rt_sem_init(SEM *sem, int value)
{
	rt_typed_sem_init(sem, value, CNT_SEM | PRIO_Q);
}

/* 0; RTE_OBJINV: no semaphore. */
int rt_sem_delete(SEM *sem) __asm__("rtai_module_sem_delete");

/* handle: not needed. */
SEM *_rt_typed_named_sem_init(unsigned long sem_name, int value, int type,
			      unsigned long *handle) __asm__("rtai_module_named_sem_init");

#define rt_cond_init(cnd)             rt_typed_sem_init(cnd, 0, BIN_SEM | PRIO_Q)
#define rt_cond_delete(cnd)           rt_sem_delete(cnd)
#define rt_cond_destroy(cnd)          rt_sem_delete(cnd)
#define rt_cond_broadcast(cnd)        rt_sem_broadcast(cnd)
#define rt_mutex_init(mtx)            rt_typed_sem_init(mtx, 1, RES_SEM)
#define rt_mutex_delete(mtx)          rt_sem_delete(mtx)
#define rt_mutex_destroy(mtx)         rt_sem_delete(mtx)
#define rt_mutex_trylock(mtx)         rt_sem_wait_if(mtx)
#define rt_mutex_lock(mtx)            rt_sem_wait(mtx)
#define rt_mutex_timedlock(mtx, time) rt_sem_wait_until(mtx, time)
#define rt_mutex_unlock(mtx)          rt_sem_signal(mtx)

typedef SEM psem_t;
typedef SEM pmutex_t;

static inline int rt_psem_init(psem_t *sem, int pshared, unsigned int value)
{
	if (value >= RTE_TIMOUT)
		return -EINVAL;
	rt_typed_sem_init(sem, (int)value, pshared | PRIO_Q);
	return 0;
}

static inline int rt_psem_destroy(psem_t *sem)
{
	if (rt_sem_wait_if(sem) < 0)
		return -EBUSY;
	rt_sem_signal(sem);
	return rt_sem_delete(sem);
}

static inline int rt_psem_wait(psem_t *sem)
{
	return rt_sem_wait(sem) < RTE_LOWERR ? 0 : -1;
}

static inline int rt_psem_trywait(psem_t *sem)
{
	return rt_sem_wait_if(sem) > 0 ? 0 : -EAGAIN;
}

static inline int rt_psem_post(psem_t *sem)
{
	return rt_sem_signal(sem);
}

static inline int rt_pmutex_init(pmutex_t *mutex, void *attr)
{
	(void)attr;
	rt_typed_sem_init(mutex, 1, RES_SEM);
	return 0;
}

static inline int rt_pmutex_destroy(pmutex_t *mutex)
{
	return rt_sem_delete(mutex);
}

static inline int rt_pmutex_lock(pmutex_t *mutex)
{
	return rt_sem_wait(mutex) < RTE_LOWERR ? 0 : -EINVAL;
}

static inline int rt_pmutex_trylock(pmutex_t *mutex)
{
	return rt_sem_wait_if(mutex) > 0 ? 0 : -EBUSY;
}

static inline int rt_pmutex_unlock(pmutex_t *mutex)
{
	return rt_sem_signal(mutex);
}

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
