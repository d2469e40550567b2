/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The timer benchmark of Xenomai's kernel, as latency programs name it; see <rtdm/rtdm.h>. */
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
	long long avg;
	long min;
	long max;
	long overruns;
	long test_loops;
};

struct rttst_interm_bench_res {
	struct rttst_bench_res last;
	struct rttst_bench_res overall;
};

struct rttst_overall_bench_res {
	struct rttst_bench_res result;
	long *histogram_avg;
	long *histogram_min;
	long *histogram_max;
	void *__padding;
};

#define RTTST_RTIOC_INTERM_BENCH_RES _IOWR(RTIOC_TYPE_TESTING, 0x00, struct rttst_interm_bench_res)
#define RTTST_RTIOC_TMBENCH_START    _IOW(RTIOC_TYPE_TESTING, 0x10, struct rttst_tmbench_config)
#define RTTST_RTIOC_TMBENCH_STOP     _IOWR(RTIOC_TYPE_TESTING, 0x11, struct rttst_overall_bench_res)

#endif
