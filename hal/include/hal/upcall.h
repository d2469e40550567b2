/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The upcalls: everything a back end may call in the nucleus.
 */
#ifndef HAL_UPCALL_H
#define HAL_UPCALL_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/cpu.h"

/* First code of a real-time CPU, on the CPU's own stack, stalled. Returns when the CPU stops. */
void nuc_upcall_start(struct hal_cpu *cpu);

/* A shot, a kick or an interrupt. May switch to another task. Context: stalled. */
void nuc_upcall_event(struct hal_cpu *cpu);

/*
 * The running task asks Linux for something. Returns 0 in secondary mode, on the task's shadow; 1
 * there, too, when the call is one that the task's end has to wait for (hal_linux_call_is_inner()),
 * and the next one that is none is to be told by nuc_upcall_shadow_calls(); or a negative error
 * when the task may not leave primary mode (the task was stopped and reported if it returns at
 * all). number: the system call. ip: where. Context: stalled.
 */
int nuc_upcall_linux_call(struct hal_cpu *cpu, long number, uintptr_t ip);

/* That call: its task ends here. Context: the shadow, secondary mode. */
void nuc_upcall_shadow_calls(void *owner) __attribute__((noreturn));

enum hal_fault_cause {
	HAL_FAULT_MEMORY = 1,
	HAL_FAULT_ARITHMETIC,
	HAL_FAULT_INSTRUCTION,
	HAL_FAULT_ALIGNMENT,
	HAL_FAULT_BREAKPOINT,
	HAL_FAULT_STACK,      /* the guard or the canary of the task's stack */
	HAL_FAULT_TLS,        /* thread-local storage used by a light task */
	HAL_FAULT_LINUX_CALL, /* a Linux call by a task that may make none */
	HAL_FAULT_WATCHDOG,   /* it kept the CPU too long */
	HAL_FAULT_BACKING,    /* nothing behind the memory: a mapped file that became shorter */
};

struct hal_fault {
	enum hal_fault_cause cause;
	uintptr_t address; /* what was touched, or the system call's number */
	uintptr_t ip;
	uintptr_t sp;
	uintptr_t fp;
};

/*
 * The running task faulted. Does not return when the task was stopped; returns a negative error
 * when the nucleus itself is at fault (stalled at the fault) or no task runs: the back end panics.
 * Context: stalled by the back end.
 */
int nuc_upcall_fault(struct hal_cpu *cpu, const struct hal_fault *fault);

/* The same in secondary mode, on the shadow. Does not return. */
void nuc_upcall_shadow_fault(void *owner, const struct hal_fault *fault);

/*
 * Whether a fault is the program's, whose handler for it is known to the back end, rather than to
 * be told by the other two. cpu: where the task runs, which has not gone on since; when it is, it
 * leaves for its shadow with the next nuc_upcall_event(), which the back end sees to, and what it
 * did faults again there; or the back end tells it by nuc_upcall_fault() all the same. NULL: in
 * secondary mode, on the shadow. Context: stalled; or the shadow.
 */
bool nuc_upcall_fault_leaves(struct hal_cpu *cpu);

/* The shadow's task is saved and wants to be in primary mode. Context: linux, the shadow's stack.
 */
void nuc_upcall_parked(void *owner);

/* A signal is pending for a parked shadow: its task must come to secondary mode. Context: linux. */
void nuc_upcall_shadow_signal(void *owner);

/*
 * The task goes on here because of that, with handlers of signals as soon as it does: pending, bit
 * n - 1 for signal n; 0: others have taken them, or sim. Context: linux, the shadow's stack and
 * thread-local data, signals blocked.
 */
void nuc_upcall_handlers(uint64_t pending);

/*
 * The calling thread ends, and may be an adopted one: its task ends with it, mutexes pass on as
 * owner-dead, and its shadow is released. Context: linux, task.
 */
void nuc_upcall_thread_ends(void);

/*
 * The task of the calling thread, an adopted one, was ended by others, and the thread is plain
 * again. Next its stack is unwound. Context: linux, signals blocked.
 */
void nuc_upcall_thread_stopped(void);

/* What a parked shadow watches has become readable. Context: linux. */
void nuc_upcall_watched(void *watch);

/* The wall clock was set. Context: linux. */
void nuc_upcall_wall_changed(void);

/*
 * The watchdog's pace. The back end counts it in the program's own life: while the program is
 * stopped (SIGSTOP, a debugger), the pace stands still. Context: linux.
 */
#define HAL_WATCH_PERIOD_NS 100000000u
void nuc_upcall_watch(void);

#endif
