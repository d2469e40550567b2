/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Time partitions. Each real-time CPU can run a schedule: a frame of fixed length, which repeats
 * and is divided into windows. Each window belongs to a partition. Tasks of the class
 * TACT_SCHED_PARTITION run only in the windows of their partition, by priority and in FIFO order. A
 * task that is ready at the end of a window continues in the next one where it was interrupted.
 * Between windows, and while no schedule runs, these tasks do not run at all. Tasks of other
 * classes run by their priorities as usual, in windows and between them.
 *
 * A window does not begin early. It does not end early either, as long as a task of its partition
 * is ready or runs. Both its begin and its end are late by the time that an event takes. Therefore
 * a window that is not large against this time is refused: tact_sched_limits() gives the smallest
 * one (slice_min_ns), and so does a line on the standard error of the program. A gap between
 * windows may have any length; a gap that has passed before its event comes is skipped.
 *
 * Outside of its windows a task is in TACT_TASK_STATE_THROTTLED. If it owns something that another
 * task waits for, it runs nevertheless, at the priority of the waiting task (with a ceiling: at the
 * ceiling), until it has given that back. In secondary mode Linux runs a task also outside of its
 * windows; its return to primary mode waits for a window. A task of this class is bound to its CPU.
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
	uint64_t length_ns; /* at least tact_sched_limits.slice_min_ns */
	uint32_t partition;
	uint32_t reserved; /* 0 */
};

struct tact_partition_info {
	uint32_t size;
	uint32_t windows;
	uint64_t frame_ns; /* 0: no schedule is set */
	uint64_t frames;   /* begun since the start; 0 before its instant, and after a stop */
	uint32_t running;  /* 1: started */
	uint32_t active;   /* partition of the present window, or TACT_PARTITION_NONE */
};

/**
 * Set the schedule of a CPU. It replaces the last schedule, which must not be running.
 * cpu:      real-time CPU.
 * windows:  the windows in their order, without overlaps, all inside the frame; the time between
 *           windows is a gap. Copied. A partition may have several windows.
 * count:    number of windows, 1 … TACT_PARTITION_WINDOWS_MAX; 0 with frame_ns 0 removes the
 *           schedule.
 * frame_ns: length of the frame, which contains all windows, at most 2^62 - 1.
 *
 * Returns 0, or
 *   -TACT_EINVAL  no windows, too many, in the wrong order, overlapping, too short, or out of range
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
 * at: instant of the monotonic clock; {0}: now. No partition is active before it.
 *
 * Returns 0, or
 *   -TACT_ESRCH     no schedule is set
 *   -TACT_EBUSY     it runs
 *   -TACT_ETIMEDOUT the instant has passed
 *   -TACT_ENXIO     no such real-time CPU
 *   -TACT_EPERM     from a handler, or not started
 * Context: task, linux. Cost: O(tasks of the first partition).
 */
int tact_partition_start(uint32_t cpu, tact_time_t at);

/**
 * Stop at once: no partition is active any more. Without effect if no schedule runs.
 * Returns 0, -TACT_ENXIO, -TACT_EPERM.
 * Context: task, linux. Cost: O(tasks of the active partition).
 */
int tact_partition_stop(uint32_t cpu);

/**
 * Inquire. info: receives the state, or NULL.
 * Returns 0, -TACT_EINVAL (size), -TACT_ENXIO, -TACT_EPERM (not started). Context: task, linux;
 * handler of that CPU. Cost: O(1).
 */
int tact_partition_inquire(uint32_t cpu, struct tact_partition_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
