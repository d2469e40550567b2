/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks.
 *
 * A full task owns a Linux thread, its shadow: in primary mode the nucleus runs it on a real-time
 * CPU; a Linux call moves it to its shadow (secondary mode) and its next call of Tactus brings it
 * back. A light task (TACT_TASK_LIGHT) has a stack and nothing else: it may make no Linux call and
 * use no thread-local storage (a stray use stops it and is reported).
 *
 * A Linux signal that reaches a task's thread breaks its wait as tact_task_unblock() does, with
 * -TACT_EINTR, and its handler runs in secondary mode. A Linux thread that is no task waits on.
 *
 * Priorities run from 1 (lowest) to TACT_PRIO_MAX (highest). Tasks of one priority share their
 * level in the order that their scheduling class says (sched.h); FIFO is the default.
 */
#ifndef TACTUS_TASK_H
#define TACTUS_TASK_H

#include <stddef.h>

#include <tactus/object.h>
#include <tactus/sched.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef tact_handle_t tact_task_t;

/* The calling task, where a task handle is asked for; -TACT_EPERM for a thread that is no task, but
 * of tact_task_join(). */
#define TACT_SELF     0u
#define TACT_PRIO_MIN 1u
#define TACT_PRIO_MAX 255u

/* Flags of struct tact_task_attr */
#define TACT_TASK_LIGHT     0x0100u /* no shadow */
#define TACT_TASK_SUSPENDED 0x0200u /* starts suspended */
#define TACT_TASK_NO_LINUX  0x0400u /* a Linux call is a fault of the task */
#define TACT_TASK_WARN      0x0800u /* report each mode switch with a backtrace */
#define TACT_TASK_DETACHED  0x1000u /* its handle goes stale by itself when it ends */
#define TACT_TASK_SIGNAL    0x2000u /* send SIGXCPU at a switch it did not ask for */

/* What the value of that signal (si_value.sival_int) says: why the task left primary mode. The
 * numbers are those of Xenomai's SIGDEBUG. */
enum tact_switch_cause {
	TACT_SWITCH_MARK = (int)0xfccf0000,        /* in the upper half of each */
	TACT_SWITCH_SIGNAL = TACT_SWITCH_MARK + 1, /* to take a signal */
	TACT_SWITCH_CALL = TACT_SWITCH_MARK + 2,   /* by a Linux call */
	TACT_SWITCH_FAULT = TACT_SWITCH_MARK + 3,  /* by a fault (start.h, program_faults) */
	/* It has kept its CPU for too long (start.h, watchdog_signals and crowd_ms). */
	TACT_SWITCH_WATCHDOG = TACT_SWITCH_MARK + 6,
};

enum tact_task_state {
	TACT_TASK_STATE_READY = 0,         /* runs or could run */
	TACT_TASK_STATE_DORMANT = 1u << 0, /* created, not started */
	TACT_TASK_STATE_SUSPENDED = 1u << 1,
	TACT_TASK_STATE_WAITING = 1u << 2,   /* in a waiting call */
	TACT_TASK_STATE_SLEEPING = 1u << 3,  /* waiting for time only, and then not WAITING */
	TACT_TASK_STATE_RELAXED = 1u << 4,   /* secondary mode: Linux runs it */
	TACT_TASK_STATE_THROTTLED = 1u << 5, /* its class has no budget or partition for it now */
	TACT_TASK_STATE_ENDED = 1u << 6,     /* not joined yet */
	TACT_TASK_STATE_FAULTED = 1u << 7,   /* ended by a fault */
	TACT_TASK_STATE_MOVING = 1u << 8,    /* between two real-time CPUs */
};

/* All-zero members mean the default. */
struct tact_task_attr {
	const char *name;              /* registry entry, copied; NULL: none */
	uint32_t priority;             /* 1 … 255; default 1 */
	uint32_t flags;                /* TACT_TASK_*, TACT_ON_CPU(n) */
	size_t stack_bytes;            /* default 64 KiB */
	struct tact_sched_param sched; /* class and its parameters; default FIFO */
};

struct tact_task_info {
	char name[TACT_NAME_BYTES];
	uint32_t base_priority;
	uint32_t priority;    /* now, with inheritance and ceilings */
	uint32_t sched_class; /* enum tact_sched_class */
	uint32_t cpu;         /* real-time CPU */
	uint32_t state;       /* enum tact_task_state, or-ed; 0 is ready */
	uint32_t suspend_count;
	tact_handle_t waits_for;   /* object, 0: none */
	uint32_t linux_tid;        /* of the shadow; 0: light, or on sim */
	uint64_t run_ns;           /* time on real-time CPUs */
	uint64_t switches;         /* times it was switched to */
	uint64_t mode_switches;    /* times it went to secondary mode */
	uint64_t overruns;         /* releases it missed */
	uint64_t deadlines_missed; /* EDF, CBS: jobs that ended after their deadline */
	/* Page faults served (where Linux lets them be counted: tact_start() tells) and other traps
	 * taken, on real-time CPUs. */
	uint64_t faults;
	size_t stack_bytes;
	size_t stack_used_bytes;
	tact_time_t release; /* the next one; 0: not periodic */
};

/**
 * Create a task; it is dormant until tact_task_start().
 * attr: NULL for all defaults. task: receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  priority, flags, stack size, name or class parameters out of range (of a quantum,
 *                 budget or CBS's period below what this machine keeps a line on the standard error
 *                 tells the smallest), or a quota group of another CPU
 *   -TACT_EBADF, -TACT_EIDRM  class parameters that name no quota group, or a deleted one
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  no control block, stack or shadow
 *   -TACT_EPERM   from a handler, from a light task for a full task, or not started
 * Context: task (a full task goes to secondary mode to make another full task, or a light one whose
 * stack is not in the pool: others run meanwhile; a light task gets -TACT_ENOMEM then), linux.
 * Cost: a system call or more, except for a light task whose stack is in the pool, where those of
 * ended tasks go: O(1).
 */
int tact_task_create(const struct tact_task_attr *attr, tact_task_t *task);

/**
 * Start a dormant task at entry(arg). When entry returns the task ends. A C++ exception that leaves
 * entry ends the program, as in any thread; caught in the task that threw it, it is as good as
 * ever in a full task, while a light task has no thread-local storage to throw with.
 * Returns 0, -TACT_EINVAL (entry is NULL), -TACT_EBUSY (not dormant), -TACT_EBADF, -TACT_EIDRM.
 * Context: task, handler, linux. Cost: O(1).
 */
int tact_task_start(tact_task_t task, void (*entry)(void *arg), void *arg);

/**
 * Create and start in one. Returns as tact_task_create() and tact_task_start(). Context: task,
 * linux. Cost: as tact_task_create().
 */
int tact_task_spawn(const struct tact_task_attr *attr, void (*entry)(void *arg), void *arg,
		    tact_task_t *task);

/**
 * End a task and free its handle. Mutexes it owns pass on as owner-dead; whoever waits to join it
 * gets 0. Of more than some thirty of them the rest passes on in pieces, as urgently as somebody
 * waits for any of it; whoever joins the task comes back when all of it has. Deleting oneself does
 * not return. A task in secondary mode ends when it next enters Tactus or its entry returns; until
 * then it is marked, and the call returns 0. The Linux thread of an adopted task ends with it, as
 * one that was cancelled where the task was: its cleanup handlers run, local C++ objects are
 * destroyed, pthread_join() gives PTHREAD_CANCELED. That of main() stays then, waiting for signals,
 * because a process needs it. Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(1), and O(mutexes owned) in pieces.
 */
int tact_task_delete(tact_task_t task);

/**
 * End the calling task, as returning from its entry does, but without unwinding the stack: local
 * C++ objects are not destroyed, but those of an adopted thread, which ends as one that was
 * cancelled here (not on sim). The destructors of a full task's thread-local objects run in each
 * case of its end, on the Linux thread (not on sim, where tasks share one thread's).
 * Context: task. Cost: O(mutexes owned).
 */
void tact_task_exit(void) __attribute__((noreturn));

/**
 * Wait until a task has ended, and free its handle.
 * Returns 0; 1 when it was ended by a fault; or -TACT_EDEADLK (oneself), -TACT_EINVAL (a detached
 * task), -TACT_EBUSY (another one joins it), -TACT_EAGAIN, -TACT_ETIMEDOUT, -TACT_EINTR,
 * -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. May wait. Cost: O(1).
 */
int tact_task_join(tact_task_t task, tact_timeout_t timeout);

/**
 * Suspend a task, counted: it does not run until it was resumed as often; a wait it is in goes on
 * meanwhile. In secondary mode it goes on until it comes back. A Linux signal that reaches a
 * suspended task ends its suspension, and its handler runs.
 * Returns 0, -TACT_EINTR (oneself, and such a signal ended it), -TACT_EOVERFLOW (65535 times),
 * -TACT_EBADF, -TACT_EIDRM, -TACT_EBUSY (ended). Context: task (oneself: TACT_SELF), handler (not
 * TACT_SELF: -TACT_EPERM), linux. Cost: O(1).
 */
int tact_task_suspend(tact_task_t task);

/* Undo one suspension. Returns 0, -TACT_EINVAL (not suspended), -TACT_EBADF, -TACT_EIDRM,
 * -TACT_EBUSY (ended). Context: task, handler, linux. Cost: O(1). */
int tact_task_resume(tact_task_t task);

/**
 * Break the wait or sleep of a task: its call fails with -TACT_EINTR. A wait for the mutex at the
 * end of tact_cond_wait() goes on.
 * Returns 0, -TACT_EAGAIN (it was not waiting), -TACT_EBADF, -TACT_EIDRM, -TACT_EBUSY (ended).
 * Context: task, handler, linux. Cost: O(1).
 */
int tact_task_unblock(tact_task_t task);

/**
 * Change the base priority. The effective one stays above it while a mutex demands that.
 * old: receives the old base priority, or NULL.
 * Returns 0, -TACT_EINVAL (0 or above 255), -TACT_EBADF, -TACT_EIDRM, -TACT_EBUSY (ended).
 * Context: task, linux; handler with old NULL. Cost: O(waiters of the object it waits for).
 */
int tact_task_set_priority(tact_task_t task, uint32_t priority, uint32_t *old);

/**
 * The same, but one that is lowered goes before its new equals, where the other call puts it behind
 * them: it ran before them until now. Returns 0, -TACT_EINVAL (0 or above 255), -TACT_EBADF,
 * -TACT_EIDRM, -TACT_EBUSY (ended).
 * Context: task, linux; handler with old NULL. Cost: O(waiters of the object it waits for).
 * Source: POSIX.1-2017, 2.8.4, SCHED_FIFO: pthread_setschedprio().
 */
int tact_task_change_priority(tact_task_t task, uint32_t priority, uint32_t *old);

/**
 * Change, or tell, scheduling class and parameters. Return 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EBUSY
 * (ended), -TACT_EPERM (from a handler); tact_task_set_sched() also -TACT_EINVAL for parameters out
 * of range or a quota group of another CPU, -TACT_EBADF and -TACT_EIDRM for the handle of the quota
 * group as for the task's, and -TACT_ENOMEM (no room for the timers of the class). Context: task,
 * linux. Cost: O(log timers).
 */
int tact_task_set_sched(tact_task_t task, const struct tact_sched_param *sched);
int tact_task_get_sched(tact_task_t task, struct tact_sched_param *sched);

/**
 * Change the quantum of a round-robin task in the middle of things: it keeps its place, and what it
 * has used of the old quantum counts for the new one. quantum_ns: tact_sched_limits.slice_min_ns …
 * 2^62 - 1. Returns 0, -TACT_EINVAL (out of range), -TACT_ENOTSUP (its class has no quantum),
 * -TACT_EBADF, -TACT_EIDRM, -TACT_EBUSY (ended), -TACT_EPERM (TACT_SELF, and not a task).
 * Context: task, handler, linux. Cost: O(log timers).
 */
int tact_task_set_quantum(tact_task_t task, uint64_t quantum_ns);

/**
 * Let other tasks of the same priority go first; of the class CBS: until the next period begins.
 * Returns 0, or -TACT_EPERM (not a task).
 * Context: task. Cost: O(1).
 */
int tact_task_yield(void);

/**
 * No other task of this CPU runs before tact_task_unlock_scheduler() was called as often, unless
 * the caller waits or is in secondary mode, and events are still served. Return 0, -TACT_EPERM (not
 * a task), -TACT_EOVERFLOW (65535 times), -TACT_EINVAL (not locked). Context: task. Cost: O(1).
 */
int tact_task_lock_scheduler(void);
int tact_task_unlock_scheduler(void);

/**
 * Sleep. tact_task_sleep(): for a duration; 0 yields. tact_task_sleep_until(): until a timeout's
 * instant (any kind but TACT_NOWAIT).
 * Return 0 when the time came, -TACT_EINTR (unblocked), -TACT_EINVAL (kind), -TACT_EPERM (not a
 * task). Context: task. Cost: O(log timers).
 */
int tact_task_sleep(uint64_t duration_ns);
int tact_task_sleep_until(tact_timeout_t until);

/**
 * Make a task periodic: releases at first, first + period, …
 * first: instant of the monotonic clock, below 2^62; {0} means one period from now. period_ns:
 * 1000 … 2^62 - 1; 0 ends it. Returns 0, -TACT_EINVAL, -TACT_ETIMEDOUT (first has passed),
 * -TACT_EBADF, -TACT_EIDRM, -TACT_EBUSY (ended), -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(log timers).
 */
int tact_task_set_periodic(tact_task_t task, tact_time_t first, uint64_t period_ns);

/**
 * Wait for the next release. overruns: receives the number of releases that were missed since the
 * last one, or NULL; the wait then ends at once with -TACT_ETIMEDOUT and the schedule goes on from
 * now. release: receives the programmed instant of this release, or NULL. After -TACT_EINTR the
 * release is still to come: the next call waits for it, or counts it as missed. Returns 0,
 * -TACT_ETIMEDOUT (overruns), -TACT_EAGAIN (not periodic), -TACT_EINTR, -TACT_EPERM (not a task).
 * Context: task. May wait. Cost: O(log timers).
 */
int tact_task_wait_period(uint64_t *overruns, tact_time_t *release);

/**
 * Move a task to another real-time CPU of the program. A task in a wait goes on waiting there.
 * Returns 0 once it is on its way, -TACT_ENXIO, -TACT_EBADF, -TACT_EIDRM, -TACT_EBUSY (ended, or
 * its class is bound to its CPU), -TACT_ENOMEM (no room for its timers there). Moving oneself
 * returns on the other CPU. Context: task, linux. Cost: O(log timers), and a message to each CPU.
 */
int tact_task_migrate(tact_task_t task, uint32_t cpu);

/* The handle of the calling task; 0 when not called by one. Context: any. Cost: O(1). */
tact_task_t tact_task_self(void);

/**
 * Inquire. A task that has ended is told of until it is joined or deleted: TACT_TASK_STATE_ENDED,
 * with TACT_TASK_STATE_FAULTED when a fault ended it, and its last figures; its linux_tid,
 * waits_for and stack_used_bytes are 0. info: may be NULL. Returns 0, -TACT_EBADF, -TACT_EIDRM,
 * -TACT_EPERM (not started, from a handler, or TACT_SELF and not a task). Context: task, linux.
 * Cost: O(1) on the task's CPU, twice; then O(stack bytes never used) in the caller's own time:
 * more urgent tasks go before it.
 */
int tact_task_inquire(tact_task_t task, struct tact_task_info *info);

/**
 * The priority of a task, without its other figures: the base one, and the one that it has now with
 * inheritance and ceilings. base, effective: receive them, or NULL.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (not started, from a handler, or TACT_SELF and
 * not a task). Context: task, linux. Cost: O(1).
 */
int tact_task_get_priority(tact_task_t task, uint32_t *base, uint32_t *effective);

/* Modes. */
enum tact_mode {
	TACT_MODE_NONE = 0, /* not a task */
	TACT_MODE_PRIMARY = 1,
	TACT_MODE_SECONDARY = 2,
	TACT_MODE_HANDLER = 3,
};

/* In which mode is the caller? Context: any. Cost: O(1). */
enum tact_mode tact_mode(void);

/**
 * Go to secondary mode (relax) or come back to primary mode (harden) on purpose; 0 too when the
 * caller is there already. Return 0, -TACT_EPERM (not a task; tact_task_relax() also: a light task,
 * or one that may not go, TACT_TASK_NO_LINUX). Context: task. Cost: a hand-over between two Linux
 * threads.
 */
int tact_task_relax(void);
int tact_task_harden(void);

/**
 * Change the flags TACT_TASK_NO_LINUX, TACT_TASK_WARN and TACT_TASK_SIGNAL of a task.
 * Returns 0, -TACT_EINVAL (others), -TACT_EBADF, -TACT_EIDRM, -TACT_EBUSY (ended).
 * Context: task, handler, linux. Cost: O(1).
 */
int tact_task_set_flags(tact_task_t task, uint32_t set, uint32_t clear);

/**
 * Make the calling Linux thread a full task (in primary mode when this returns), and let it go
 * again as the plain thread that it was. attr: as for creation; stack_bytes is ignored, the thread
 * keeps its stack, whose used and next 64 KiB are locked, or what there is; beside 64 other such
 * threads 16 KiB are there at once, and the rest, with the lock, a little later. task: receives the
 * handle, or NULL. Adopt returns as tact_task_create(), -TACT_ENOSPC (too little of the stack is
 * left: two signal frames of the processor and 12 KiB, with AVX-512 20 KiB, are enough; or the
 * caller runs on another one than the thread's: a coroutine's, or a signal handler's), and
 * -TACT_EBUSY (it is a task already); a thread that an error was told to is plain, also when the
 * program stopped meanwhile. Let go returns 0, -TACT_EPERM (not an adopted task), -TACT_EBUSY (it
 * owns a mutex). A thread that must go on is let go, not deleted: see tact_task_delete(). One that
 * was in Linux when the program stopped can be let go too. A thread that returns from its start
 * routine, calls pthread_exit() or is cancelled is let go after the destructors of its thread-local
 * data; mutexes that it owns pass on as owner-dead. Context: linux; task. Cost: some Linux calls.
 */
int tact_task_adopt(const struct tact_task_attr *attr, tact_task_t *task);
int tact_task_let_go(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
