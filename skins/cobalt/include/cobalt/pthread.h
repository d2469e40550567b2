/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads: those of POSIX, with the names of Xenomai's conventions (cobalt/wrappers.h), and the
 * extensions of Xenomai. */
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
/* The C library has this function only as sched_yield() now: programs cannot be linked with the old
 * name any more. */
#define __real_pthread_yield __real_sched_yield
COBALT_DECL(int, pthread_yield, (void));

/* Attributes of a thread, with the additional policies of cobalt/sched.h. */
typedef struct pthread_attr_ex {
	pthread_attr_t std;
	struct {
		int personality;
		int sched_policy;
		struct sched_param_ex sched_param;
	} nonstd;
} pthread_attr_ex_t;

/* As the functions pthread_attr_*() of POSIX. Return 0, or an error number. */
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

/* As pthread_create(). Also returns what pthread_setschedparam_ex() refuses the policy with: EINVAL
 * for parameters that do not suit the policy. */
int pthread_create_ex(pthread_t *ptid_r, const pthread_attr_ex_t *attr_ex, void *(*start)(void *),
		      void *arg);

/* As sched_setscheduler_ex() and sched_getscheduler_ex(), for a thread that is named by its
 * pthread_t. */
int pthread_setschedparam_ex(pthread_t ptid, int pol, const struct sched_param_ex *par);
int pthread_getschedparam_ex(pthread_t ptid, int *pol, struct sched_param_ex *par);

/**
 * Change the modes of the calling thread: first the modes of clrmask are cleared, then those of
 * setmask are set.
 *
 *   PTHREAD_LOCK_SCHED         no other task of its CPU runs, except while the caller waits
 *   PTHREAD_DISABLE_LOCKBREAK  together with PTHREAD_LOCK_SCHED: the caller does not wait. Instead
 *                              of a sleep, or of a wait that a signal can end, it gets SIGDEBUG
 *                              with the reason SIGDEBUG_LOCK_BREAK, and the call ends at once with
 *                              EINTR; a wait for a condition ends with 0. These waits are made as
 *                              usual: for a mutex (except the interruptible calls below), for a
 *                              release, for event flags, at a monitor, and for a semaphore with
 *                              flags of Cobalt.
 *   PTHREAD_WARNSW             each switch to secondary mode is reported, on the standard error
 *                              output and by SIGDEBUG
 *
 * If both masks are PTHREAD_CONFORMING (0), the call does not change a mode; it switches the caller
 * to primary mode. A mode that a thread without a real-time policy sets is in force from the time
 * when the thread gives itself such a policy.
 * mask_r: receives the modes before the call, or NULL.
 * Returns 0, EINVAL (another mode), EPERM (PTHREAD_LOCK_SCHED, and the caller has no real-time
 * policy).
 * Context: task, linux.
 */
int pthread_setmode_np(int clrmask, int setmask, int *mask_r);

/* As pthread_mutex_lock() and pthread_mutex_timedlock(). The wait also ends, with EINTR, after the
 * handler of a signal has run. */
int pthread_mutex_lock_interruptible_np(pthread_mutex_t *mutex);
int pthread_timedmutex_lock_interruptible_np(pthread_mutex_t *mutex, const struct timespec *to);

/**
 * Make a thread periodic: its releases are at starttp, and then every periodtp.
 * starttp: instant of CLOCK_REALTIME, converted at the call; 0: one period from now.
 * periodtp: at least 1 us; 0: the thread is not periodic any more.
 * Returns 0, ESRCH (not a thread with a real-time policy), ETIMEDOUT (the start has passed), EINVAL
 * (a bad timespec, or a period below 1 us).
 * Context: task, linux.
 * Source: Xenomai 2.6 and the transition kit of Xenomai 3.
 */
int pthread_make_periodic_np(pthread_t thread, struct timespec *starttp, struct timespec *periodtp);
/**
 * Wait for the next release of the caller. If that release has already passed, the call returns at
 * once.
 * overruns_r: receives the number of further releases that have passed and are lost; or NULL.
 * Returns 0, ETIMEDOUT (releases were lost), EWOULDBLOCK (the caller is not periodic), EINTR (a
 * signal), EPERM (not a task).
 * Context: task.
 */
int pthread_wait_np(unsigned long *overruns_r);
/* The names of Xenomai 2. PTHREAD_PRIMARY is a mode of pthread_set_mode_np() only: to set it leads
 * the caller to primary mode, to clear it leads the caller to secondary mode. It has no effect for
 * a thread without a real-time policy. */
#define PTHREAD_PRIMARY 0x10000000
/* Modes of Xenomai 2 that are accepted, without effect. */
#define PTHREAD_SHIELD 0x0
#define PTHREAD_RPIOFF 0x0
int pthread_set_mode_np(int clrmask, int setmask);
int pthread_set_name_np(pthread_t thread, const char *name);

#ifdef __cplusplus
}
#endif

#endif
