/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The names of programs for the test devices of Xenomai's kernel: the timer benchmark, the test of
 * context switches, the test of drivers, and the check of the kernel's heap; see <rtdm/devices.h>.
 *
 * Source: Xenomai 3.3, <rtdm/uapi/testing.h>.
 */
#ifndef RTDM_TESTING_H
#define RTDM_TESTING_H

#include <linux/types.h>

#include <rtdm/rtdm.h>

#define RTTST_PROFILE_VER  2
#define RTIOC_TYPE_TESTING RTDM_CLASS_TESTING

#define RTDM_SUBCLASS_TIMERBENCH 0
#define RTDM_SUBCLASS_IRQBENCH   1
#define RTDM_SUBCLASS_SWITCHTEST 2
#define RTDM_SUBCLASS_RTDMTEST   3
#define RTDM_SUBCLASS_HEAPCHECK  4

#define RTTST_TMBENCH_INVALID (-1)
#define RTTST_TMBENCH_TASK    0
#define RTTST_TMBENCH_HANDLER 1

typedef struct rttst_tmbench_config {
	int mode; /* RTTST_TMBENCH_... */
	int priority;
	__u64 period; /* ns */
	int warmup_loops;
	int histogram_size;
	int histogram_bucketsize;
	int freeze_max;
} rttst_tmbench_config_t;

/* avg, min and max: ns. */
typedef struct rttst_bench_res {
	__s32 avg;
	__s32 min;
	__s32 max;
	__s32 overruns;
	__s32 test_loops;
} rttst_bench_res_t;

typedef struct rttst_interm_bench_res {
	struct rttst_bench_res last;
	struct rttst_bench_res overall;
} rttst_interm_bench_res_t;

typedef struct rttst_overall_bench_res {
	struct rttst_bench_res result;
	__s32 *histogram_avg;
	__s32 *histogram_min;
	__s32 *histogram_max;
} rttst_overall_bench_res_t;

#define RTTST_RTIOC_INTERM_BENCH_RES _IOWR(RTIOC_TYPE_TESTING, 0x00, struct rttst_interm_bench_res)
#define RTTST_RTIOC_TMBENCH_START    _IOW(RTIOC_TYPE_TESTING, 0x10, struct rttst_tmbench_config)
#define RTTST_RTIOC_TMBENCH_STOP     _IOWR(RTIOC_TYPE_TESTING, 0x11, struct rttst_overall_bench_res)

#define RTTST_SWTEST_FPU     0x1
#define RTTST_SWTEST_USE_FPU 0x2 /* in releases of Xenomai before 3.2 */
#define RTTST_SWTEST_FREEZE  0x4

struct rttst_swtest_task {
	unsigned int index;
	unsigned int flags; /* RTTST_SWTEST_... */
};

struct rttst_swtest_dir {
	unsigned int from;
	unsigned int to;
	unsigned int switch_mode; /* 1: the call also switches the mode */
};

struct rttst_swtest_error {
	struct rttst_swtest_dir last_switch;
	unsigned int fp_val;
};

#define RTTST_RTIOC_SWTEST_SET_TASKS_COUNT    _IOW(RTIOC_TYPE_TESTING, 0x30, __u32)
#define RTTST_RTIOC_SWTEST_SET_CPU            _IOW(RTIOC_TYPE_TESTING, 0x31, __u32)
#define RTTST_RTIOC_SWTEST_REGISTER_UTASK     _IOW(RTIOC_TYPE_TESTING, 0x32, struct rttst_swtest_task)
#define RTTST_RTIOC_SWTEST_CREATE_KTASK       _IOWR(RTIOC_TYPE_TESTING, 0x33, struct rttst_swtest_task)
#define RTTST_RTIOC_SWTEST_PEND               _IOR(RTIOC_TYPE_TESTING, 0x34, struct rttst_swtest_task)
#define RTTST_RTIOC_SWTEST_SWITCH_TO          _IOR(RTIOC_TYPE_TESTING, 0x35, struct rttst_swtest_dir)
#define RTTST_RTIOC_SWTEST_GET_SWITCHES_COUNT _IOR(RTIOC_TYPE_TESTING, 0x36, __u32)
#define RTTST_RTIOC_SWTEST_GET_LAST_ERROR     _IOR(RTIOC_TYPE_TESTING, 0x37, struct rttst_swtest_error)
#define RTTST_RTIOC_SWTEST_SET_PAUSE          _IOW(RTIOC_TYPE_TESTING, 0x38, __u32)

#define RTTST_RTDM_NORMAL_CLOSE        0
#define RTTST_RTDM_DEFER_CLOSE_CONTEXT 1
#define RTTST_RTDM_MAGIC_PRIMARY       0xfefbfefb
#define RTTST_RTDM_MAGIC_SECONDARY     0xa5b9a5b9

#define RTTST_RTIOC_RTDM_DEFER_CLOSE    _IOW(RTIOC_TYPE_TESTING, 0x40, __u32)
#define RTTST_RTIOC_RTDM_ACTOR_GET_CPU  _IOR(RTIOC_TYPE_TESTING, 0x41, __u32)
#define RTTST_RTIOC_RTDM_PING_PRIMARY   _IOR(RTIOC_TYPE_TESTING, 0x42, __u32)
#define RTTST_RTIOC_RTDM_PING_SECONDARY _IOR(RTIOC_TYPE_TESTING, 0x43, __u32)

#define RTTST_HEAPCHECK_ZEROOVRD 1
#define RTTST_HEAPCHECK_SHUFFLE  2
#define RTTST_HEAPCHECK_PATTERN  4
#define RTTST_HEAPCHECK_HOT      8

struct rttst_heap_parms {
	__u64 heap_size;
	__u64 block_size;
	int flags; /* RTTST_HEAPCHECK_... */
	int nrstats;
};

struct rttst_heap_stats {
	__u64 heap_size;
	__u64 user_size;
	__u64 block_size;
	__s64 alloc_avg_ns;
	__s64 alloc_max_ns;
	__s64 free_avg_ns;
	__s64 free_max_ns;
	__u64 maximum_free;
	__u64 largest_free;
	int nrblocks;
	int flags;
};

struct rttst_heap_stathdr {
	int nrstats;
	struct rttst_heap_stats *buf;
};

#define RTTST_RTIOC_HEAP_CHECK        _IOR(RTIOC_TYPE_TESTING, 0x44, struct rttst_heap_parms)
#define RTTST_RTIOC_HEAP_STAT_COLLECT _IOR(RTIOC_TYPE_TESTING, 0x45, int)

#endif
