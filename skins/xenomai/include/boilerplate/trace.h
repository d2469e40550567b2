/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Marks in the trace of the real-time CPUs, and the start and the end of the trace, under the names
 * of Xenomai's tracer. A mark appears in the trace as one of tact_trace_mark(), with id and v.
 *
 * Context: task, linux. Cost: O(1) for a mark, otherwise O(real-time CPUs).
 * Source: Xenomai 3, <boilerplate/trace.h>, as its demonstration programs use it.
 */
#ifndef BOILERPLATE_TRACE_H
#define BOILERPLATE_TRACE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Leave a mark. Returns 0, or -EPERM: the caller is not on a real-time CPU, or the nucleus was not
 * started. */
int xntrace_special(unsigned char id, unsigned long v);
int xntrace_special_u64(unsigned char id, unsigned long long v);

/* Trace from now on. At the start of the program the trace is on. Returns 0, or -EPERM: the nucleus
 * was not started. */
int xntrace_user_start(void);

/* Leave a mark with id 0 if the caller is on a real-time CPU, and stop the trace. Returns as
 * xntrace_user_start(). */
int xntrace_user_stop(unsigned long v);

/* With once not 0: as xntrace_user_stop(), so that the events before the mark are kept. With once
 * 0: leave the mark, and continue the trace, because later marks count as well. Returns as
 * xntrace_user_start(). */
int xntrace_user_freeze(unsigned long v, int once);

/* Report a new longest latency, ns: as xntrace_user_freeze() with once 0. */
void xntrace_latpeak_freeze(int delay);

#ifdef __cplusplus
}
#endif

#endif
