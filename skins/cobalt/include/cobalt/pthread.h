/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads: POSIX's, with the names of Xenomai's conventions, and its extensions. */
#pragma GCC system_header
#include_next <pthread.h>

#ifndef COBALT_PTHREAD_H
#define COBALT_PTHREAD_H

#include <signal.h>

#include <cobalt/sched.h>
#include <cobalt/uapi/thread.h>
#include <cobalt/wrappers.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __USE_GNU
COBALT_SAME(pthread_attr_init);
COBALT_SAME(pthread_cond_broadcast);
COBALT_SAME(pthread_cond_clockwait);
COBALT_SAME(pthread_cond_destroy);
COBALT_SAME(pthread_cond_init);
COBALT_SAME(pthread_cond_signal);
COBALT_SAME(pthread_cond_timedwait);
COBALT_SAME(pthread_cond_wait);
COBALT_SAME(pthread_create);
COBALT_SAME(pthread_getschedparam);
COBALT_SAME(pthread_join);
COBALT_SAME(pthread_kill);
COBALT_SAME(pthread_mutex_clocklock);
COBALT_SAME(pthread_mutex_destroy);
COBALT_SAME(pthread_mutex_getprioceiling);
COBALT_SAME(pthread_mutex_init);
COBALT_SAME(pthread_mutex_lock);
COBALT_SAME(pthread_mutex_setprioceiling);
COBALT_SAME(pthread_mutex_timedlock);
COBALT_SAME(pthread_mutex_trylock);
COBALT_SAME(pthread_mutex_unlock);
COBALT_SAME(pthread_setname_np);
COBALT_SAME(pthread_setschedparam);
COBALT_SAME(pthread_setschedprio);
#endif
/* The C library's own has but its other name now: by this one nothing links with it. */
#define __real_pthread_yield __real_sched_yield
COBALT_DECL(int, pthread_yield, (void));

/* Attributes with the policies of sched.h. */
typedef struct pthread_attr_ex {
	pthread_attr_t std;
	struct {
		int personality;
		int sched_policy;
		struct sched_param_ex sched_param;
	} nonstd;
} pthread_attr_ex_t;

/* As pthread_attr_*(): 0, or an error number. */
int pthread_attr_init_ex(pthread_attr_ex_t *attr_ex);
int pthread_attr_destroy_ex(pthread_attr_ex_t *attr_ex);
int pthread_attr_setdetachstate_ex(pthread_attr_ex_t *attr_ex, int detachstate);
int pthread_attr_getdetachstate_ex(const pthread_attr_ex_t *attr_ex, int *detachstate);
int pthread_attr_setinheritsched_ex(pthread_attr_ex_t *attr_ex, int inheritsched);
int pthread_attr_getinheritsched_ex(const pthread_attr_ex_t *attr_ex, int *inheritsched);
int pthread_attr_setpersonality_ex(pthread_attr_ex_t *attr_ex, int personality);
int pthread_attr_getpersonality_ex(const pthread_attr_ex_t *attr_ex, int *personality);
int pthread_attr_setschedpolicy_ex(pthread_attr_ex_t *attr_ex, int schedpolicy);
int pthread_attr_getschedpolicy_ex(const pthread_attr_ex_t *attr_ex, int *schedpolicy);
int pthread_attr_setscope_ex(pthread_attr_ex_t *attr_ex, int scope);
int pthread_attr_getscope_ex(const pthread_attr_ex_t *attr_ex, int *scope);
int pthread_attr_setstacksize_ex(pthread_attr_ex_t *attr_ex, size_t stacksize);
int pthread_attr_getstacksize_ex(const pthread_attr_ex_t *attr_ex, size_t *stacksize);
int pthread_attr_setschedparam_ex(pthread_attr_ex_t *attr_ex,
				  const struct sched_param_ex *param_ex);
int pthread_attr_getschedparam_ex(const pthread_attr_ex_t *attr_ex,
				  struct sched_param_ex *param_ex);

/* As pthread_create(); also EINVAL for parameters that the policy does not take. */
int pthread_create_ex(pthread_t *ptid_r, const pthread_attr_ex_t *attr_ex, void *(*start)(void *),
		      void *arg);

/* As sched_setscheduler_ex() and sched_getscheduler_ex(), by thread. */
int pthread_setschedparam_ex(pthread_t ptid, int pol, const struct sched_param_ex *par);
int pthread_getschedparam_ex(pthread_t ptid, int *pol, struct sched_param_ex *par);

/**
 * Change the modes of the calling thread: PTHREAD_LOCK_SCHED (no other task of its CPU runs),
 * PTHREAD_WARNSW (each switch to secondary mode is reported), PTHREAD_CONFORMING (with neither:
 * come back to primary mode now). PTHREAD_DISABLE_LOCKBREAK is kept and changes nothing: a thread
 * that waits lets others run. What a thread of no real-time policy sets is in force when it gives
 * itself one. mask_r: receives the modes before, or NULL. Returns 0, EINVAL (others), EPERM
 * (PTHREAD_LOCK_SCHED, and the caller is not of a real-time policy).
 * Context: task, linux.
 */
int pthread_setmode_np(int clrmask, int setmask, int *mask_r);

/* As pthread_mutex_lock() and pthread_mutex_timedlock(), but EINTR when a signal handler ran. */
int pthread_mutex_lock_interruptible_np(pthread_mutex_t *mutex);
int pthread_timedmutex_lock_interruptible_np(pthread_mutex_t *mutex, const struct timespec *to);

/**
 * Releases from starttp on (an instant of CLOCK_REALTIME, as that stands at the call; 0: now),
 * every periodtp (0: no more). Returns 0, ESRCH (not a thread of a real-time policy), ETIMEDOUT
 * (the start has passed), EINVAL (a period below 1 us). Source: Xenomai 2.6 and its 3.x transition
 * kit.
 */
int pthread_make_periodic_np(pthread_t thread, struct timespec *starttp, struct timespec *periodtp);
/* Wait for the next release; a caller that comes after it is given it at once. overruns_r: receives
 * how many after it have passed, too, and are gone, or NULL. Returns 0, ETIMEDOUT (some),
 * EWOULDBLOCK (not periodic), EINTR, EPERM. */
int pthread_wait_np(unsigned long *overruns_r);
/* The older names. PTHREAD_PRIMARY is for this one alone: set, it leads to primary mode, cleared to
 * secondary mode; nothing for a thread of no real-time policy. */
#define PTHREAD_PRIMARY 0x10000000
/* Accepted where programs of Xenomai 2 set them, without effect. */
#define PTHREAD_SHIELD 0x0
#define PTHREAD_RPIOFF 0x0
int pthread_set_mode_np(int clrmask, int setmask);
int pthread_set_name_np(pthread_t thread, const char *name);

#ifdef __cplusplus
}
#endif

#endif
