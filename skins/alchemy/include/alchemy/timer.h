/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Time: the clock of all services, its units, and how long a service may wait; and what services
 * on objects of other programs return beside their own codes.
 *
 * The clock is monotonic and counts ticks. A tick is 1 ns unless the program was started with
 * --alchemy-clock-resolution=NS, or chose another length (native/timer.h); every RTIME of every
 * header is in ticks.
 *
 * Services that wait come in three forms:
 *   rt_x(…, RTIME timeout)            relative: ticks from now
 *   rt_x_until(…, RTIME timeout)      absolute: a date of the clock, as rt_timer_read() gives it
 *   rt_x_timed(…, const struct timespec *abs_timeout)
 *                                     absolute, in seconds and nanoseconds whatever the tick is
 * In the first two TM_INFINITE waits for as long as it takes and TM_NONBLOCK does not wait at all;
 * any other negative number, a date minus a later one, has passed.
 * In the third NULL and {0, 0} do; a tv_nsec outside 0 … 999999999 or a negative tv_sec is
 * -EINVAL. What did not come in time is -ETIMEDOUT, what would have to wait and may not is
 * -EWOULDBLOCK.
 *
 * A service that is under way when another one deletes its object may return -EIDRM, whatever its
 * own manual lists; one that comes later gets -EINVAL.
 *
 * What rt_x_bind() has found in another program has the same services, by calls of Linux: task,
 * linux; two mode switches of the caller. Any of them, whatever its own manual lists, returns also
 *   -EIDRM      the program has ended, or stopped Tactus, before or meanwhile
 *   -ENOMEM     no memory, descriptor or thread for the call, here or in that program; or a
 *               signal's handler has interrupted the beginning or the end of another such call
 *   -ETIMEDOUT  the program, stopped for instance, did not answer within seconds
 *   -EPERM      a handler of the native API calls; rt_x_unbind(), too
 * and -EINVAL for an object that its program has deleted. rt_cond_wait() and rt_task_send() may end
 * with -EINTR also because that program was stopped, and goes on.
 *
 * Source: Xenomai 3 API manual, Alchemy, "Timer management services".
 */
#ifndef ALCHEMY_TIMER_H
#define ALCHEMY_TIMER_H

/* Programs of Xenomai expect its headers to bring errno.h, string.h, printing and sums of times. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <copperplate/clockobj.h>
#include <xenomai/print.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned long long RTIME;
typedef long long SRTIME;

#define TM_INFINITE ((RTIME)0)
#define TM_NOW      ((RTIME)0)
#define TM_NONBLOCK ((RTIME)-1)
/* The value of rt_timer_info.period where the clock is not divided into ticks. */
#define TM_ONESHOT 0

/* Real-time or Linux, as a program may ask of a POSIX call: without the POSIX skin's headers, it is
 * the call. */
#ifndef __RT
#define __RT(call) call
#endif
#ifndef __STD
#define __STD(call) call
#endif

/* Longest name of an object with its terminating zero; a longer one is cut. */
#ifndef XNOBJECT_NAME_LEN
#define XNOBJECT_NAME_LEN 32
#endif

typedef struct rt_timer_info {
	RTIME period; /* length of a tick in ns */
	RTIME tsc;    /* the clock in ns, whatever the tick is */
	RTIME date;   /* the clock in ticks */
} RT_TIMER_INFO;

/* The date now, in ticks. Context: any. Cost: O(1), no system call. */
RTIME rt_timer_read(void);

/* Ticks of so many ns, cut towards zero, and back. Context: any. Cost: O(1). */
SRTIME rt_timer_ns2ticks(SRTIME ns);
SRTIME rt_timer_ticks2ns(SRTIME ticks);

/* The clock in ns, and conversions of it, for programs that time sections with it: the counter of
 * the processor is not shown, so a unit of it is 1 ns. Context: any. */
RTIME rt_timer_tsc(void);
SRTIME rt_timer_ns2tsc(SRTIME ns);
SRTIME rt_timer_tsc2ns(SRTIME tsc);

/* Tell the length of a tick and the date. info: may not be NULL. Returns 0, -EINVAL (it is).
 * Context: any. */
int rt_timer_inquire(RT_TIMER_INFO *info);

/* Keep the processor busy for so many ns (not ticks); more urgent tasks preempt. Context: any. */
void rt_timer_spin(RTIME ns);

#ifdef __cplusplus
}
#endif

#endif
