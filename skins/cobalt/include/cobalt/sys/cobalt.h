/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The services of the Cobalt core that POSIX has no names for. Where no other word is said they
 * return 0 or a negative error number. */
#ifndef COBALT_SYS_COBALT_H
#define COBALT_SYS_COBALT_H

#include <errno.h>
#include <stdio.h>
#include <time.h>

#include <boilerplate/atomic.h>
#include <boilerplate/list.h>
#include <cobalt/pthread.h>
#include <cobalt/sched.h>
#include <cobalt/semaphore.h>
#include <cobalt/signal.h>
#include <cobalt/ticks.h>
#include <cobalt/uapi/corectl.h>
#include <cobalt/uapi/event.h>
#include <cobalt/uapi/monitor.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cobalt_tsd_hook {
	void (*create_tsd)(void); /* in a thread that becomes real-time, before its entry */
	void (*delete_tsd)(void); /* at its end */
	struct cobalt_tsd_hook *next;
};

/* -ENOSYS: a personality of the kernel's cannot be added. */
int cobalt_extend(unsigned int magic);

/* Ask for a figure of the core (_CC_COBALT_GET_..., an int), or start it. -EINVAL (request, size),
 * -ENOTSUP (_CC_COBALT_STOP_CORE: the core is the program's own), -EPERM (it cannot be started). */
int cobalt_corectl(int request, void *buf, size_t bufsz);

/* Figures of a thread of the program; pid 0: the caller. -ESRCH, -EINVAL. */
int cobalt_thread_stat(pid_t pid, struct cobalt_threadstat *stat);
/* Text to the standard error output, whole; returns its length. */
int cobalt_serial_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* To primary and to secondary mode; nothing for a thread of no real-time policy. */
void cobalt_thread_harden(void);
void cobalt_thread_relax(void);
/* Wait for the end of a thread, and leave it to pthread_join(). -ESRCH, -EDEADLK (itself). */
int cobalt_thread_join(pthread_t thread);
/* The thread's id, or -ESRCH. */
pid_t cobalt_thread_pid(pthread_t thread);
/* XNRELAX, XNWEAK, XNLOCK and XNWARN of the caller. */
int cobalt_thread_mode(void);

/**
 * Monitors: a gate that one thread is behind at a time, who may wait there for a grant, given to it
 * or to all, or for a drain. Signals take effect when their sender leaves, waits or syncs. Threads
 * of no real-time policy become weak tasks. clk_id: of timeouts. COBALT_MONITOR_SHARED: *mon is in
 * memory that programs of a session share; a grant by window reaches threads of the granter's
 * program. -EINVAL (clock, flags, not a monitor, or its program has ended), -EPERM (not behind the
 * gate; no session), -EBUSY (destruction under waiters), -ETIMEDOUT, -EINTR, -EIDRM (its program
 * ended meanwhile), -EDEADLK (entered twice), -ENOMEM, -EFAULT (ts leads nowhere).
 */
int cobalt_monitor_init(cobalt_monitor_t *mon, clockid_t clk_id, int flags);
int cobalt_monitor_destroy(cobalt_monitor_t *mon);
int cobalt_monitor_enter(cobalt_monitor_t *mon);
int cobalt_monitor_exit(cobalt_monitor_t *mon);
int cobalt_monitor_wait(cobalt_monitor_t *mon, int event, const struct timespec *ts);
void cobalt_monitor_grant(cobalt_monitor_t *mon, struct xnthread_user_window *u_window);
int cobalt_monitor_grant_sync(cobalt_monitor_t *mon, struct xnthread_user_window *u_window);
void cobalt_monitor_grant_all(cobalt_monitor_t *mon);
int cobalt_monitor_grant_all_sync(cobalt_monitor_t *mon);
void cobalt_monitor_drain(cobalt_monitor_t *mon);
int cobalt_monitor_drain_sync(cobalt_monitor_t *mon);
void cobalt_monitor_drain_all(cobalt_monitor_t *mon);
int cobalt_monitor_drain_all_sync(cobalt_monitor_t *mon);
/* How the caller is named to cobalt_monitor_grant(). */
struct xnthread_user_window *cobalt_get_current_window(void);

/**
 * Groups of 32 event flags. bits 0: do not wait, tell the flags. timeout: an instant of
 * CLOCK_MONOTONIC; {0, 0}: do not wait; NULL: for ever. COBALT_EVENT_SHARED: *event is in memory
 * that programs of a session share. -EINVAL (also: its program has ended), -EWOULDBLOCK,
 * -ETIMEDOUT, -EINTR, -EIDRM (destroyed, or its program ended, meanwhile), -ENOMEM, -EPERM (no
 * session, or no real-time half), -EFAULT (timeout leads nowhere). cobalt_event_clear() returns the
 * flags before. waitlist: receives
 * the ids of at most waitsz / sizeof(pid_t) waiting threads of the owner's program; their number is
 * returned.
 */
int cobalt_event_init(cobalt_event_t *event, unsigned int value, int flags);
int cobalt_event_post(cobalt_event_t *event, unsigned int bits);
int cobalt_event_wait(cobalt_event_t *event, unsigned int bits, unsigned int *bits_r, int mode,
		      const struct timespec *timeout);
unsigned long cobalt_event_clear(cobalt_event_t *event, unsigned int bits);
int cobalt_event_inquire(cobalt_event_t *event, struct cobalt_event_info *info, pid_t *waitlist,
			 size_t waitsz);
int cobalt_event_destroy(cobalt_event_t *event);

/* Figures of a semaphore of sem_init_np() or sem_init(); waitlist: as above. -EINVAL. */
int cobalt_sem_inquire(sem_t *sem, struct cobalt_sem_info *info, pid_t *waitlist, size_t waitsz);

/* Where a priority of a policy lies among all of the core's, or -EINVAL. */
int cobalt_sched_weighted_prio(int policy, const struct sched_param_ex *param_ex);

void cobalt_register_tsd_hook(struct cobalt_tsd_hook *th);
/* Ends the program with a word if the caller is in primary mode. */
void cobalt_assert_nrt(void);
/* The monotonic clock. Context: any. */
unsigned long long cobalt_read_ns(void);

#ifdef __cplusplus
}
#endif

#endif
