/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Time partitions. Each real-time CPU can run a schedule: a frame of fixed length that repeats, cut
 * into windows, each of which belongs to a partition. Tasks of the class TACT_SCHED_PARTITION run
 * in the windows of their partition only, by priority and in FIFO order; what is ready goes on in
 * the next window where it was taken away. Between windows, and while no schedule runs, they do not
 * run at all. Tasks of other classes run by their priorities as ever, windows or not.
 *
 * A window does not begin early. It does not end early either while a task of its partition is
 * ready or runs. Both come late by what an event takes, so windows that are not large against that
 * are refused: tact_sched_limits() tells the smallest one (slice_min_ns), and so does a line on the
 * standard error of the program. A gap may have any length: one that has passed before its event
 * comes is passed over.
 *
 * Outside its windows a task is in TACT_TASK_STATE_THROTTLED. One that owns what another task waits
 * for runs nevertheless, at the priority of whoever waits (and with a ceiling at the ceiling),
 * until it has given it back. In secondary mode Linux runs a task whatever the window; its return
 * to primary mode waits for one. A task of this class is bound to its CPU.
 *
 * Source: ARINC 653 part 1, 2.3.1 (partition scheduling).
 */
#ifndef TACTUS_PARTITION_H
#define TACTUS_PARTITION_H

#include <tactus/object.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define TACT_PARTITIONS            32u /* numbers 0 … 31 on each CPU */
#define TACT_PARTITION_WINDOWS_MAX 64u
#define TACT_PARTITION_NONE        UINT32_MAX

struct tact_partition_window {
	uint64_t offset_ns; /* from the begin of the frame */
	uint64_t length_ns; /* tact_sched_limits.slice_min_ns at least */
	uint32_t partition;
};

struct tact_partition_info {
	uint64_t frame_ns; /* 0: no schedule is set */
	uint64_t frames;   /* begun since the start; 0 before its instant and after the stop */
	uint32_t windows;
	uint32_t running; /* 1: started */
	uint32_t active;  /* partition of the present window, or TACT_PARTITION_NONE */
};

/**
 * Set the schedule of a CPU, which must not run; it replaces the last one.
 * cpu:      real-time CPU.
 * windows:  count windows in order, none overlapping, all inside the frame; what lies between them
 *           is a gap. Copied. A partition may have several.
 * count:    1 … TACT_PARTITION_WINDOWS_MAX; 0 with frame_ns 0 removes the schedule.
 * frame_ns: length of the frame, with all windows in it, up to 2^62 - 1.
 *
 * Returns 0, or
 *   -TACT_EINVAL  windows: none, too many, disordered, overlapping, short, or out of range
 *   -TACT_EBUSY   the schedule runs: stop it first
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_ENOMEM  the CPU's pool is exhausted
 *   -TACT_EPERM   from a handler, or not started
 * Context: task, linux. Cost: O(count).
 */
int tact_partition_set(uint32_t cpu, const struct tact_partition_window *windows, uint32_t count,
		       uint64_t frame_ns);

/**
 * Begin the first frame.
 * at: instant of the monotonic clock; {0}: now. Until then no partition is active.
 *
 * Returns 0, or
 *   -TACT_EINVAL    no schedule is set
 *   -TACT_EBUSY     it runs
 *   -TACT_ETIMEDOUT the instant has passed
 *   -TACT_ENXIO     no such real-time CPU
 *   -TACT_EPERM     from a handler, or not started
 * Context: task, linux. Cost: O(tasks of the first partition).
 */
int tact_partition_start(uint32_t cpu, tact_time_t at);

/**
 * Stop at once: no partition is active any more. One that does not run stays as it is.
 * Returns 0, -TACT_ENXIO, -TACT_EPERM. Context: task, linux. Cost: O(tasks of the active
 * partition).
 */
int tact_partition_stop(uint32_t cpu);

/**
 * Inquire. info: receives the state, or NULL.
 * Returns 0, -TACT_ENXIO, -TACT_EPERM (not started). Context: task, linux; handler of that CPU.
 * Cost: O(1).
 */
int tact_partition_inquire(uint32_t cpu, struct tact_partition_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
