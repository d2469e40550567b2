/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Marks in the trace of the real-time CPUs, and its end, by the names of Xenomai's tracer. A mark
 * shows as one of tact_trace_mark(), with id and v.
 *
 * Context: task, linux. Cost: O(1) for a mark, else O(real-time CPUs).
 * Source: Xenomai 3, <boilerplate/trace.h>, as its demonstration programs use it.
 */
#ifndef BOILERPLATE_TRACE_H
#define BOILERPLATE_TRACE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Returns 0, or -EPERM: the caller is not on a real-time CPU, or nothing was started. */
int xntrace_special(unsigned char id, unsigned long v);
int xntrace_special_u64(unsigned char id, unsigned long long v);

/* Trace from now on; it is so at the start. Returns 0, or -EPERM: nothing was started. */
int xntrace_user_start(void);

/* Mark with id 0, if the caller is on a real-time CPU, and trace no more. Returns as above. */
int xntrace_user_stop(unsigned long v);

/* once: as xntrace_user_stop(), so that what led to this is kept. Otherwise a later one counts as
 * well, so the trace goes on after the mark. Returns as above. */
int xntrace_user_freeze(unsigned long v, int once);

/* The latest longest latency, in ns: xntrace_user_freeze() that later ones count after. */
void xntrace_latpeak_freeze(int delay);

#ifdef __cplusplus
}
#endif

#endif
