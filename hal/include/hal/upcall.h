/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The upcalls: all functions of the nucleus that a back end may call.
 */
#ifndef HAL_UPCALL_H
#define HAL_UPCALL_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/cpu.h"

/* The first code of a real-time CPU, on the CPU's own stack, stalled. Returns when the CPU
 * stops. */
void nuc_upcall_start(struct hal_cpu *cpu);

/* A shot, a kick or an interrupt has come. May switch to another task. Context: stalled. */
void nuc_upcall_event(struct hal_cpu *cpu);

/*
 * The running task makes a Linux call.
 * number: the system call. ip: the address of the instruction.
 * Returns, in secondary mode and on the shadow of the task, 0 or 1. 1: the task has to end, but the
 * call is one that its end has to wait for (hal_linux_call_is_inner()). The back end then reports
 * the next call that is not such a call by nuc_upcall_shadow_calls(). Returns a negative error if
 * no task runs, or if the task may not leave primary mode; in the latter case the task was stopped
 * and reported, and usually the upcall does not return at all.
 * Context: stalled.
 */
int nuc_upcall_linux_call(struct hal_cpu *cpu, long number, uintptr_t ip);

/* That next call has come: the task ends here. Context: the shadow, secondary mode. */
void nuc_upcall_shadow_calls(void *owner) __attribute__((noreturn));

enum hal_fault_cause {
	HAL_FAULT_MEMORY = 1,
	HAL_FAULT_ARITHMETIC,
	HAL_FAULT_INSTRUCTION,
	HAL_FAULT_ALIGNMENT,
	HAL_FAULT_BREAKPOINT,
	HAL_FAULT_STACK,      /* the guard or the canary of the task's stack */
	HAL_FAULT_TLS,        /* thread-local storage used by a light task */
	HAL_FAULT_LINUX_CALL, /* a Linux call of a task that may make none */
	HAL_FAULT_WATCHDOG,   /* the task kept the CPU too long */
	HAL_FAULT_BACKING,    /* memory without backing: a mapped file that became shorter */
};

struct hal_fault {
	enum hal_fault_cause cause;
	uintptr_t address; /* the address that was accessed, or the number of the system call */
	uintptr_t ip;
	uintptr_t sp;
	uintptr_t fp;
};

/*
 * The running task faulted. Does not return if the task was stopped. Returns a negative error if
 * the fault is that of the nucleus itself (the CPU was stalled) or if no task runs; then the back
 * end panics.
 * Context: stalled by the back end.
 */
int nuc_upcall_fault(struct hal_cpu *cpu, const struct hal_fault *fault);

/* A task faulted in secondary mode, on its shadow. Does not return. */
void nuc_upcall_shadow_fault(void *owner, const struct hal_fault *fault);

/*
 * Does a fault belong to the program, which has a handler for it that the back end knows? If not,
 * the back end reports the fault by one of the other two upcalls.
 * cpu: the CPU where the task runs; the task has not continued since the fault. If the answer is
 *      yes, the task goes to its shadow with the next nuc_upcall_event(), which the back end has to
 *      cause, and the instruction faults again there. The back end may also report the fault by
 *      nuc_upcall_fault() all the same. NULL: the task is in secondary mode, and the caller is its
 *      shadow.
 * Context: stalled; or the shadow.
 */
bool nuc_upcall_fault_leaves(struct hal_cpu *cpu);

/* The task of the shadow is saved and wants to be in primary mode. Context: linux, the shadow's
 * stack. */
void nuc_upcall_parked(void *owner);

/* A signal is pending for a parked shadow: its task has to come to secondary mode.
 * Context: linux. */
void nuc_upcall_shadow_signal(void *owner);

/*
 * After nuc_upcall_shadow_signal(): the task is about to continue on this shadow, and handlers of
 * signals run as soon as it does.
 * pending: the pending signals, bit n - 1 for signal n; 0: other threads have taken them, or sim.
 * Context: linux, the shadow's stack and thread-local data, signals blocked.
 */
void nuc_upcall_handlers(uint64_t pending);

/*
 * The calling thread ends, and may be an attached one: its task ends with it, its mutexes pass on
 * as owner-dead, and its shadow is released. Context: linux, task.
 */
void nuc_upcall_thread_ends(void);

/*
 * The task of the calling thread, an attached one, was ended by another party, and the thread is
 * plain again. The stack of the thread is unwound next.
 * Context: linux, signals blocked.
 */
void nuc_upcall_thread_stopped(void);

/* A file descriptor that a parked shadow watches has become readable. Context: linux. */
void nuc_upcall_watched(void *watch);

/* The wall clock was set. Context: linux. */
void nuc_upcall_wall_changed(void);

/*
 * A round of the watchdog. The back end calls it with this period, measured in the program's own
 * life: while the program is stopped (SIGSTOP, a debugger), no time passes for it.
 * Context: linux.
 */
#define HAL_WATCH_PERIOD_NS 100000000u
void nuc_upcall_watch(void);

#endif
