/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Time: the clock of all services, its units, and how long a service may wait. Also: what services
 * on objects of other programs return in addition to their own codes.
 *
 * The clock is monotonic and counts ticks. A tick is 1 ns, unless the program was started with
 * --alchemy-clock-resolution=NS or chose another length (native/timer.h). Every RTIME of every
 * header is in ticks.
 *
 * Services that wait have three forms:
 *   rt_x(…, RTIME timeout)        relative: ticks from now
 *   rt_x_until(…, RTIME timeout)  absolute: a date of the clock, as rt_timer_read() returns it
 *   rt_x_timed(…, const struct timespec *abs_timeout)  absolute, in seconds and nanoseconds,
 *                                                      whatever the tick is
 * In the first two forms TM_INFINITE waits as long as it takes, and TM_NONBLOCK does not wait at
 * all. Any other negative number (a date minus a later one) has passed.
 *
 * In the third form NULL means TM_INFINITE, and {0, 0} means TM_NONBLOCK; a tv_nsec outside 0 …
 * 999999999 or a negative tv_sec gives -EINVAL. A wait that did not succeed in time returns
 * -ETIMEDOUT. A call that would have to wait with TM_NONBLOCK returns -EWOULDBLOCK.
 *
 * A service that is under way when another caller deletes its object may return -EIDRM, whatever
 * its own manual lists. A service that comes later returns -EINVAL.
 *
 * An object that rt_x_bind() found in another program has the same services. A task of that
 * program does the work, and the caller waits for its answer: a task in primary mode, except in its
 * first call of that program, which makes the connection in Linux. A unit or a message that the
 * other program has taken for a caller is lost if the caller is killed before it has the answer.
 * Context: task, linux. Cost: two hand-overs between the programs. Each of the services, whatever
 * its own manual lists, also returns
 *   -EIDRM      the program has ended, or has stopped Tactus, before or meanwhile
 *   -ENOMEM     no memory, descriptor or thread for the call, here or in that program; or the
 *               handler of a signal interrupted the beginning or the end of another such call
 *   -ETIMEDOUT  the program did not answer within 20 s after the timeout, for instance because it
 *               is stopped
 *   -EPERM      called from a handler of the native API (also rt_x_unbind())
 * and -EINVAL for an object that its program has deleted. rt_cond_wait() and rt_task_send() may end
 * with -EINTR also because that program was stopped and continued.
 *
 * Source: Xenomai 3 API manual, Alchemy, "Timer management services".
 */
#ifndef ALCHEMY_TIMER_H
#define ALCHEMY_TIMER_H

/* Programs of Xenomai expect its headers to include errno.h, string.h, printing and sums of
 * times. */
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
/* The value of rt_timer_info.period if the clock is not divided into ticks. */
#define TM_ONESHOT 0

/* The real-time or the Linux form of a POSIX call. Without the headers of the POSIX skin, both are
 * the call itself. */
#ifndef __RT
#define __RT(call) call
#endif
#ifndef __STD
#define __STD(call) call
#endif

/* Longest name of an object, with its terminating zero; a longer name is cut. */
#ifndef XNOBJECT_NAME_LEN
#define XNOBJECT_NAME_LEN 32
#endif

typedef struct rt_timer_info {
	RTIME period; /* length of a tick in ns */
	RTIME tsc;    /* the clock in ns, whatever the tick is */
	RTIME date;   /* the clock in ticks */
} RT_TIMER_INFO;

/* The present date, in ticks. Context: any. Cost: O(1), no system call. */
RTIME rt_timer_read(void);

/* Convert ns to ticks (cut towards zero), and back. Context: any. Cost: O(1). */
SRTIME rt_timer_ns2ticks(SRTIME ns);
SRTIME rt_timer_ticks2ns(SRTIME ticks);

/* The clock in ns, and its conversions, for programs that measure the time of sections with it. The
 * counter of the processor is not visible, so its unit is 1 ns. Context: any. */
RTIME rt_timer_tsc(void);
SRTIME rt_timer_ns2tsc(SRTIME ns);
SRTIME rt_timer_tsc2ns(SRTIME tsc);

/* Read the length of a tick and the date. info: must not be NULL. Returns 0, -EINVAL (info is
 * NULL). Context: any. */
int rt_timer_inquire(RT_TIMER_INFO *info);

/* Keep the processor busy for this many ns (not ticks). More urgent tasks preempt. Context: any. */
void rt_timer_spin(RTIME ns);

#ifdef __cplusplus
}
#endif

#endif
