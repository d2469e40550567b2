/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The services of the Cobalt core that have no name in POSIX. They return 0 or a negative error
 * number, except where their comment says something else. */
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
	/* Called in each new thread of pthread_create(), before its start function. */
	void (*create_tsd)(void);
	/* Called in such a thread at its end. */
	void (*delete_tsd)(void);
	struct cobalt_tsd_hook *next;
};

/* Returns -ENOSYS: there are no personalities of the kernel to add. */
int cobalt_extend(unsigned int magic);

/* Read a figure of the core (_CC_COBALT_GET_..., an int), or start the core. Returns 0, -EINVAL
 * (request, size), -ENOTSUP (_CC_COBALT_STOP_CORE: the core is part of the program), -EPERM (the
 * core cannot be started). */
int cobalt_corectl(int request, void *buf, size_t bufsz);

/* Figures of a thread of the program. pid: id of the thread; 0: the caller. Returns 0, -ESRCH (no
 * such thread), -EINVAL (NULL). */
int cobalt_thread_stat(pid_t pid, struct cobalt_threadstat *stat);
/* Write a text of at most 511 characters to the standard error output, in one piece. Returns its
 * length, or a negative number. */
int cobalt_serial_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Switch the caller to primary mode, and to secondary mode. They have no effect for a thread
 * without a real-time policy. */
void cobalt_thread_harden(void);
void cobalt_thread_relax(void);
/* Wait for the end of a thread; pthread_join() is still needed after it. Returns 0, -ESRCH (no such
 * thread), -EDEADLK (the caller itself). */
int cobalt_thread_join(pthread_t thread);
/* Returns the thread's id, or -ESRCH. */
pid_t cobalt_thread_pid(pthread_t thread);
/* Returns the bits XNRELAX, XNWEAK, XNLOCK and XNWARN of the caller. */
int cobalt_thread_mode(void);

/**
 * Monitors. A monitor has a gate; one thread at a time is behind it. A thread behind the gate can
 * wait for a grant, which another thread gives to it alone or to all, or for a drain. While it
 * waits it is not behind the gate. A grant or a drain takes effect when its sender leaves the gate,
 * waits, or calls a function ..._sync(). A thread without a real-time policy becomes a weak task.
 * clk_id: clock of the timeouts.
 * flags: COBALT_MONITOR_SHARED: *mon is in memory that programs of a session share. A grant by
 *        window reaches threads of the granting program only.
 * event: COBALT_MONITOR_WAITGRANT or COBALT_MONITOR_WAITDRAIN.
 * ts: instant at which the wait ends; NULL: no end.
 *
 * Errors: -EINVAL (clock, flags, event, a bad timespec; not a monitor, or its program has ended),
 * -EPERM (the caller is not behind the gate; there is no session, or the nucleus could not be
 * started in this program), -EBUSY (destruction while threads wait), -ETIMEDOUT, -EINTR, -EIDRM
 * (the monitor's program ended meanwhile), -EDEADLK (the caller is already behind the gate),
 * -ENOMEM, -EFAULT (ts is a bad address).
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
/* Returns the window by which cobalt_monitor_grant() reaches the caller. */
struct xnthread_user_window *cobalt_get_current_window(void);

/**
 * Groups of 32 event flags.
 * flags: COBALT_EVENT_SHARED: *event is in memory that programs of a session share.
 * bits: flags to post, to wait for, or to clear. cobalt_event_wait() with 0 does not wait; it reads
 *       all flags.
 * bits_r: receives those of the awaited flags that are set, or NULL.
 * mode: COBALT_EVENT_ALL or COBALT_EVENT_ANY.
 * timeout: instant of CLOCK_MONOTONIC; {0, 0}: do not wait; NULL: no end.
 * waitlist: receives the ids of waiting threads of the owner's program, at most waitsz /
 *           sizeof(pid_t); cobalt_event_inquire() returns their number.
 *
 * Errors: -EINVAL (flags, mode, a bad timespec; not a group, or its program has ended),
 * -EWOULDBLOCK, -ETIMEDOUT, -EINTR, -EIDRM (the group was destroyed meanwhile, or its program
 * ended), -ENOMEM, -EPERM (there is no session, or the nucleus could not be started in this
 * program), -EFAULT (timeout is a bad address). cobalt_event_clear() returns the flags before the
 * call; 0 for every error.
 */
int cobalt_event_init(cobalt_event_t *event, unsigned int value, int flags);
int cobalt_event_post(cobalt_event_t *event, unsigned int bits);
int cobalt_event_wait(cobalt_event_t *event, unsigned int bits, unsigned int *bits_r, int mode,
		      const struct timespec *timeout);
unsigned long cobalt_event_clear(cobalt_event_t *event, unsigned int bits);
int cobalt_event_inquire(cobalt_event_t *event, struct cobalt_event_info *info, pid_t *waitlist,
			 size_t waitsz);
int cobalt_event_destroy(cobalt_event_t *event);

/* Figures of a semaphore of sem_init_np() or sem_init(). waitlist, and the result: as those of
 * cobalt_event_inquire(). Returns -EINVAL if it is not a semaphore. */
int cobalt_sem_inquire(sem_t *sem, struct cobalt_sem_info *info, pid_t *waitlist, size_t waitsz);

/* Returns the priority that a priority of a policy has among all those of the core, or -EINVAL. */
int cobalt_sched_weighted_prio(int policy, const struct sched_param_ex *param_ex);

/* Add a hook. It cannot be removed. th: memory of the program, not copied. */
void cobalt_register_tsd_hook(struct cobalt_tsd_hook *th);
/* If the caller is in primary mode, end the program with a message (abort()). */
void cobalt_assert_nrt(void);
/* Returns the instant of the monotonic clock, ns. Context: any. */
unsigned long long cobalt_read_ns(void);

#ifdef __cplusplus
}
#endif

#endif
