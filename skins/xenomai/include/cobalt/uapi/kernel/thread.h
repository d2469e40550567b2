/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* States of threads. */
#ifndef COBALT_UAPI_KERNEL_THREAD_H
#define COBALT_UAPI_KERNEL_THREAD_H

#include <cobalt/uapi/kernel/types.h>

#include <stdint.h>

#define XNSUSP    0x00000001 /* suspended */
#define XNPEND    0x00000002 /* waits for an object */
#define XNDELAY   0x00000004 /* waits for time */
#define XNREADY   0x00000008 /* ready to run */
#define XNDORMANT 0x00000010 /* not started */
#define XNZOMBIE  0x00000020 /* has ended */
#define XNMAPPED  0x00000040 /* is also a Linux thread: always set */
#define XNRELAX   0x00000080 /* in secondary mode */
#define XNHELD    0x00000200
#define XNBOOST   0x00000400 /* above its base priority */
#define XNSSTEP   0x00000800
#define XNLOCK    0x00001000 /* holds the scheduler lock */
#define XNRRB     0x00002000 /* round robin */
#define XNWARN    0x00004000 /* switches to secondary mode are reported */
#define XNFPU     0x00008000
#define XNROOT    0x00010000
#define XNWEAK    0x00020000 /* has no real-time policy */
#define XNUSER    0x00040000 /* always set */
#define XNJOINED  0x00080000
#define XNTRAPLB  0x00100000
#define XNDEBUG   0x00200000
#define XNDBGSTOP 0x00400000

#define XNTRAPSW XNWARN /* the name of XNWARN before Xenomai 3.1 */

/* The window by which cobalt_monitor_grant() reaches a thread: see cobalt_get_current_window(). */
struct xnthread_user_window {
	uint32_t state;
	uint32_t info;
	uint32_t grant_value;
	uint32_t pp_pending;
};

#endif
