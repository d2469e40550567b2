/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The timer benchmark and the test of switches of Xenomai's kernel, as latency programs and
 * switchtest name them; see <rtdm/rtdm.h>. */
#ifndef RTDM_TESTING_H
#define RTDM_TESTING_H

#include <rtdm/rtdm.h>

#define RTIOC_TYPE_TESTING RTDM_CLASS_TESTING

#define RTTST_TMBENCH_INVALID (-1)
#define RTTST_TMBENCH_TASK    0
#define RTTST_TMBENCH_HANDLER 1

struct rttst_tmbench_config {
	int mode; /* RTTST_TMBENCH_... */
	int priority;
	nanosecs_rel_t period;
	int warmup_loops;
	int histogram_size;
	int histogram_bucketsize;
	int freeze_max;
};

/* ns */
struct rttst_bench_res {
	int32_t avg;
	int32_t min;
	int32_t max;
	int32_t overruns;
	int32_t test_loops;
};

struct rttst_interm_bench_res {
	struct rttst_bench_res last;
	struct rttst_bench_res overall;
};

struct rttst_overall_bench_res {
	struct rttst_bench_res result;
	int32_t *histogram_avg;
	int32_t *histogram_min;
	int32_t *histogram_max;
	void *__padding;
};

#define RTTST_RTIOC_INTERM_BENCH_RES _IOWR(RTIOC_TYPE_TESTING, 0x00, struct rttst_interm_bench_res)
#define RTTST_RTIOC_TMBENCH_START    _IOW(RTIOC_TYPE_TESTING, 0x10, struct rttst_tmbench_config)
#define RTTST_RTIOC_TMBENCH_STOP     _IOWR(RTIOC_TYPE_TESTING, 0x11, struct rttst_overall_bench_res)

#define RTTST_SWTEST_FPU     0x1
#define RTTST_SWTEST_USE_FPU 0x2
#define RTTST_SWTEST_FREEZE  0x4

struct rttst_swtest_task {
	unsigned int index;
	unsigned int flags; /* RTTST_SWTEST_... */
};

struct rttst_swtest_dir {
	uint32_t switch_mode; /* switch modes in the call */
	uint32_t from;
	uint32_t to;
};

struct rttst_swtest_error {
	struct rttst_swtest_dir last_switch;
	unsigned int fp_val;
};

#define RTTST_RTIOC_SWTEST_SET_TASKS_COUNT    _IOW(RTIOC_TYPE_TESTING, 0x30, uint32_t)
#define RTTST_RTIOC_SWTEST_SET_CPU            _IOW(RTIOC_TYPE_TESTING, 0x31, uint32_t)
#define RTTST_RTIOC_SWTEST_REGISTER_UTASK     _IOW(RTIOC_TYPE_TESTING, 0x32, struct rttst_swtest_task)
#define RTTST_RTIOC_SWTEST_CREATE_KTASK       _IOWR(RTIOC_TYPE_TESTING, 0x33, struct rttst_swtest_task)
#define RTTST_RTIOC_SWTEST_PEND               _IOR(RTIOC_TYPE_TESTING, 0x34, struct rttst_swtest_task)
#define RTTST_RTIOC_SWTEST_SWITCH_TO          _IOR(RTIOC_TYPE_TESTING, 0x35, struct rttst_swtest_dir)
#define RTTST_RTIOC_SWTEST_GET_SWITCHES_COUNT _IOR(RTIOC_TYPE_TESTING, 0x36, uint32_t)
#define RTTST_RTIOC_SWTEST_GET_LAST_ERROR     _IOR(RTIOC_TYPE_TESTING, 0x37, struct rttst_swtest_error)
#define RTTST_RTIOC_SWTEST_SET_PAUSE          _IOW(RTIOC_TYPE_TESTING, 0x38, uint32_t)

#endif
