/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Requests of cobalt_corectl(). */
#ifndef COBALT_UAPI_CORECTL_H
#define COBALT_UAPI_CORECTL_H

#define _CC_COBALT_GET_VERSION   0
#define _CC_COBALT_GET_NR_PIPES  1
#define _CC_COBALT_GET_NR_TIMERS 2

/* Which debug checks the core makes. In Tactus it is MUTEX_RELAXED only; SIGDEBUG tells it to
 * threads that ask for it (PTHREAD_WARNSW). */
#define _CC_COBALT_GET_DEBUG           3
#define _CC_COBALT_DEBUG_ASSERT        1
#define _CC_COBALT_DEBUG_CONTEXT       2
#define _CC_COBALT_DEBUG_LOCKING       4
#define _CC_COBALT_DEBUG_USER          8
#define _CC_COBALT_DEBUG_MUTEX_RELAXED 16
#define _CC_COBALT_DEBUG_MUTEX_SLEEP   32
#define _CC_COBALT_DEBUG_LEGACY        128
#define _CC_COBALT_DEBUG_TRACE_RELAX   256

#define _CC_COBALT_GET_POLICIES   4
#define _CC_COBALT_SCHED_FIFO     1
#define _CC_COBALT_SCHED_RR       2
#define _CC_COBALT_SCHED_WEAK     4
#define _CC_COBALT_SCHED_SPORADIC 8
#define _CC_COBALT_SCHED_QUOTA    16
#define _CC_COBALT_SCHED_TP       32

#define _CC_COBALT_GET_WATCHDOG    5
#define _CC_COBALT_GET_CORE_STATUS 6
#define _CC_COBALT_START_CORE      7
#define _CC_COBALT_STOP_CORE       8

/* Which parts of a network and of CAN the kernel has. They are refused (EINVAL), because there is
 * neither. */
#define _CC_COBALT_GET_NET_CONFIG 9
#define _CC_COBALT_NET            0x0001
#define _CC_COBALT_NET_ETH_P_ALL  0x0002
#define _CC_COBALT_NET_IPV4       0x0004
#define _CC_COBALT_NET_ICMP       0x0008
#define _CC_COBALT_NET_NETROUTING 0x0010
#define _CC_COBALT_NET_ROUTER     0x0020
#define _CC_COBALT_NET_UDP        0x0040
#define _CC_COBALT_NET_AF_PACKET  0x0080
#define _CC_COBALT_NET_TDMA       0x0100
#define _CC_COBALT_NET_NOMAC      0x0200
#define _CC_COBALT_NET_CFG        0x0400
#define _CC_COBALT_NET_CAP        0x0800
#define _CC_COBALT_NET_PROXY      0x1000
#define _CC_COBALT_GET_CAN_CONFIG 10
#define _CC_COBALT_CAN            0x0001

enum cobalt_run_states {
	COBALT_STATE_DISABLED,
	COBALT_STATE_RUNNING,
	COBALT_STATE_STOPPED,
	COBALT_STATE_TEARDOWN,
	COBALT_STATE_WARMUP,
};

#endif
