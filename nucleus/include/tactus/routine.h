/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Routines: a function that a task calls when it is requested to, whatever it computes at that
 * moment. Any caller requests it, by bits. Requests of the same bit before the routine runs are one
 * request. The routine gets all bits that are requested and not masked, and these requests are used
 * up then.
 *
 * The routine runs in the task, at its priority, on its stack, and with the locks that it owns. It
 * runs as soon as the CPU would otherwise continue the program's code in the task:
 *   - A task that runs calls it at once. So does the calling task itself, before its call returns.
 *   - A ready task calls it when the CPU switches to it.
 *   - A request does not end a wait or a suspension. The routine runs when the task continues, and
 *     the waiting call returns after it. tact_task_unblock() ends the wait as well.
 *   - A task in secondary mode calls it when it comes back to primary mode.
 *   - It does not run while the task has locked its handlers (handler_lock.h), and never in a
 *     handler.
 *
 * All requests are masked while the routine runs. When it returns, the mask is again what it was
 * before, and the task continues where it was. The routine may call what the task may call, and may
 * wait. If it goes to secondary mode, the task comes back to primary mode when the routine returns.
 * The routine has to return: it must not leave by longjmp() or by an exception. The code that it
 * interrupts may be that of a library that holds a lock. What routine and task share is protected
 * by tact_task_mask_requests(), because a lock would be owned by the task already.
 *
 * The routine may run between any two instructions of the task, so a full task has to find errno as
 * it was: a routine that calls the C library saves errno first and restores it at its end. If
 * at_switch requests the routine and the task is switched away from while it runs, the routine runs
 * again after it.
 *
 * A task with a routine needs more stack, because the frames of two interruptions may be on it.
 */
#ifndef TACTUS_ROUTINE_H
#define TACTUS_ROUTINE_H

#include <tactus/task.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct tact_routine {
	uint32_t size;     /* sizeof(struct tact_routine) */
	uint32_t reserved; /* 0 */
	void (*run)(uint64_t requests, void *arg);
	void *arg;
	/* Requests that are masked from now on; from the end of the routine that runs, if one runs
	 * in the task. */
	uint64_t masked;
	/* Requests that are made by themselves each time the CPU switches to the task, except for
	 * its first run. The end of a handler that interrupted the task is no such switch. */
	uint64_t at_switch;
};

struct tact_routine_info {
	uint32_t size;    /* sizeof(struct tact_routine_info), set by the caller */
	uint32_t running; /* 1: the routine runs */
	uint64_t requests;
	uint64_t masked; /* all, while the routine runs and has not changed the mask */
};

/**
 * Give a task a routine, or take it away. A new routine gets the requests that were made before. A
 * routine that runs is not affected.
 * routine: copied; NULL: none, and the requests are dropped.
 *
 * Returns 0, or
 *   -TACT_EINVAL  run is NULL, an unknown size, reserved is not 0
 *   -TACT_ENOMEM  the first routine of the task, and the pool of its home CPU is exhausted
 *   -TACT_ENOSPC  the stack of the task has no room for the frames of two interruptions; the
 *                 default size has
 *   -TACT_EBADF   not a task
 *   -TACT_EIDRM   deleted
 *   -TACT_EBUSY   ended
 *   -TACT_EPERM   from a handler; or TACT_SELF, and the caller is not a task
 * Context: task, linux. Cost: O(1).
 * Source: pSOSystem System Calls, as_catch(); µITRON 4.0, def_tex; RTAI, rt_request_signal(),
 * rt_task_signal_handler() (at_switch).
 */
int tact_task_set_routine(tact_task_t task, const struct tact_routine *routine);

/**
 * Request the routine of a task.
 * requests: bits; 0 requests nothing.
 *
 * Returns 0, or
 *   -TACT_ENOTSUP  the task has no routine
 *   -TACT_EBADF    not a task
 *   -TACT_EIDRM    deleted
 *   -TACT_EBUSY    ended
 *   -TACT_ENOMEM   from a handler to a task of another CPU: no message record is free
 *   -TACT_EPERM    TACT_SELF, and the caller is not a task
 * Context: task, handler, linux. From a handler to a task of another CPU it returns 0 once it is
 * sent.
 * Cost: O(1).
 * Source: pSOSystem System Calls, as_send(): requests are neither queued nor counted, and the
 * routine runs when the task is next dispatched; µITRON 4.0, ras_tex, iras_tex; RTAI,
 * rt_trigger_signal().
 */
int tact_task_request(tact_task_t task, uint64_t requests);

/**
 * Change the mask of the calling task. A masked request waits until it is not masked any more. If
 * requests are made already that are not masked any more, the routine runs before the call returns.
 * set:    requests to mask.
 * clear:  requests not to mask any more, also if they are in set.
 * former: receives the mask as it was, or NULL.
 *
 * Returns 0, or
 *   -TACT_ENOTSUP  the task has no routine
 *   -TACT_EPERM    not a task
 * Context: task. Cost: O(1), on the caller's CPU.
 * Source: pSOSystem System Calls, t_mode() (T_NOASR); µITRON 4.0, dis_tex, ena_tex; RTAI,
 * rt_enable_signal(), rt_disable_signal().
 */
int tact_task_mask_requests(uint64_t set, uint64_t clear, uint64_t *former);

/**
 * Inquire. info: receives the state.
 *
 * Returns 0, or
 *   -TACT_EINVAL   info is NULL, or of an unknown size
 *   -TACT_ENOTSUP  the task has no routine
 *   -TACT_EBADF    not a task
 *   -TACT_EIDRM    deleted
 *   -TACT_EBUSY    ended
 *   -TACT_EPERM    from a handler; or TACT_SELF, and the caller is not a task
 * Context: task, linux. Cost: O(1).
 * Source: µITRON 4.0, ref_tex, sns_tex.
 */
int tact_task_inquire_routine(tact_task_t task, struct tact_routine_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
