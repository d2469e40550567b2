/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks.
 *
 * A full task has a Linux thread, its shadow. In primary mode the nucleus runs the task on a
 * real-time CPU. A Linux call moves the task to its shadow (secondary mode), and its next call of
 * Tactus brings it back. A light task (TACT_TASK_LIGHT) has a stack and nothing else: it may make
 * no Linux call and use no thread-local storage. A light task that does either is stopped, with a
 * report.
 *
 * A Linux signal that reaches the thread of a task breaks the wait of the task: the waiting call
 * fails with -TACT_EINTR, and the handler of the signal runs in secondary mode. A Linux thread that
 * is not a task continues to wait. (In the headers a signal is one of Linux, unless the text says
 * that a condition is signalled.)
 *
 * Priorities are 1 (lowest) to TACT_PRIORITY_MAX (highest). The tasks of one priority share their
 * level in the order that their scheduling class defines (sched.h); FIFO is the default.
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

typedef struct {
	uint32_t id;
} tact_task_t;

/* In place of a task handle: the calling task. If the caller is not a task, the call returns
 * -TACT_EPERM; tact_task_join() returns -TACT_EDEADLK for any caller. */
#ifdef __cplusplus
#define TACT_SELF (tact_task_t{0xffffffffu})
#else
#define TACT_SELF ((tact_task_t){0xffffffffu})
#endif
#define TACT_PRIORITY_MIN 1u
#define TACT_PRIORITY_MAX 256u

/* Flags of struct tact_task_attr */
#define TACT_TASK_LIGHT     0x0100u /* no shadow */
#define TACT_TASK_SUSPENDED 0x0200u /* starts suspended */
#define TACT_TASK_NO_LINUX  0x0400u /* a Linux call is a fault of the task */
#define TACT_TASK_WARN      0x0800u /* report each mode switch with a backtrace */
#define TACT_TASK_NO_JOIN   0x1000u /* its handle becomes invalid when it ends, without a join */
#define TACT_TASK_SIGNAL    0x2000u /* send SIGXCPU when it leaves primary mode without request */

/* The value of this signal (si_value.sival_int): why the task left primary mode. The numbers are
 * those of Xenomai's SIGDEBUG. */
enum tact_switch_cause {
	TACT_SWITCH_MARK = (int)0xfccf0000,        /* the upper half of each value */
	TACT_SWITCH_SIGNAL = TACT_SWITCH_MARK + 1, /* to take a signal */
	TACT_SWITCH_CALL = TACT_SWITCH_MARK + 2,   /* by a Linux call */
	TACT_SWITCH_FAULT = TACT_SWITCH_MARK + 3,  /* by a fault (start.h, program_faults) */
	/* The task kept its CPU for too long (start.h, watchdog_signals and hog_timeout_ms). */
	TACT_SWITCH_WATCHDOG = TACT_SWITCH_MARK + 6,
};

enum tact_task_state {
	TACT_TASK_STATE_READY = 0,         /* runs, or could run */
	TACT_TASK_STATE_DORMANT = 1u << 0, /* created, not started */
	TACT_TASK_STATE_SUSPENDED = 1u << 1,
	TACT_TASK_STATE_WAITING = 1u << 2,   /* in a waiting call */
	TACT_TASK_STATE_SLEEPING = 1u << 3,  /* waiting for time only; WAITING is not set then */
	TACT_TASK_STATE_RELAXED = 1u << 4,   /* in secondary mode: Linux runs it */
	TACT_TASK_STATE_THROTTLED = 1u << 5, /* its class has no budget or window for it now */
	TACT_TASK_STATE_ENDED = 1u << 6,     /* ended, not joined yet */
	TACT_TASK_STATE_FAULTED = 1u << 7,   /* ended by a fault */
	TACT_TASK_STATE_MOVING = 1u << 8,    /* between two real-time CPUs */
};

/* A member that is zero has its default value. */
struct tact_task_attr {
	uint32_t size;
	uint32_t reserved;                    /* 0 */
	const char *name;                     /* entry in the registry, copied; NULL: none */
	uint32_t priority;                    /* 1 … TACT_PRIORITY_MAX; default 1 */
	uint32_t flags;                       /* TACT_TASK_*, TACT_ON_CPU(n) */
	size_t stack_bytes;                   /* default 64 KiB */
	const struct tact_sched_param *sched; /* class and its parameters; NULL: FIFO */
};

struct tact_task_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	uint32_t base_priority;
	uint32_t priority;    /* the present one, with inheritance and ceilings */
	uint32_t sched_class; /* enum tact_sched_class */
	uint32_t cpu;         /* real-time CPU */
	uint32_t state;       /* enum tact_task_state, or-ed; 0 is ready */
	uint32_t suspend_count;
	tact_object_t waits_for; /* the object that it waits for; {0}: none */
	uint32_t linux_tid;      /* of the shadow; 0: a light task, or on sim */
	/* 1: it is served next of the callers that wait for this object in the same way; 0 also if
	   the object is on another CPU. */
	uint32_t waits_first;
	uint64_t run_ns;           /* time on real-time CPUs */
	uint64_t switches;         /* how often a CPU switched to it */
	uint64_t mode_switches;    /* how often it went to secondary mode */
	uint64_t overruns;         /* releases that it missed */
	uint64_t deadlines_missed; /* EDF, CBS: jobs that ended after their deadline */
	/* Page faults and other traps of the task on real-time CPUs. Page faults are counted only
	   if Linux allows that; tact_start() says if it does not. */
	uint64_t faults;
	size_t stack_bytes;
	size_t stack_used_bytes;
	tact_time_t release; /* the next release; 0: not periodic */
};

/**
 * Create a task. It is dormant until tact_task_start().
 * attr: NULL for all defaults.
 * task: receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  the size of attr or sched, priority, flags, stack size, name or a parameter of
 *                 the class out of range; or a quota group of another CPU. If a quantum, a budget
 *                 or a period of CBS is too short for this machine, a line on the standard error
 *                 names the shortest one.
 *   -TACT_EBADF   the class parameters name what is not a quota group
 *   -TACT_EIDRM   the class parameters name a deleted quota group
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  no control block, stack or shadow
 *   -TACT_EPERM   from a handler; for a full task, from a light task or from a task that may not
 *                 call Linux (TACT_TASK_NO_LINUX); or not started
 * Context: task, linux. A full task goes to secondary mode to create a full task, or to create a
 * light task whose stack is not in the pool; other tasks run meanwhile. In the second case a light
 * task, or a task that may not call Linux, gets -TACT_ENOMEM.
 * Cost: O(1) for a light task whose stack is in the pool, which receives the stacks of tasks that
 * have ended; otherwise one or more system calls.
 */
int tact_task_create(const struct tact_task_attr *attr, tact_task_t *task);

/**
 * Start a dormant task at entry(arg). The task ends when entry returns. A C++ exception that leaves
 * entry ends the program, as in any thread. A full task can throw exceptions and catch them as
 * usual. A light task cannot throw, because it has no thread-local storage.
 * Returns 0, -TACT_EINVAL (entry is NULL), -TACT_EBUSY (not dormant), -TACT_EBADF, -TACT_EIDRM.
 * Context: task, handler, linux. Cost: O(1).
 */
int tact_task_start(tact_task_t task, void (*entry)(void *arg), void *arg);

/**
 * Create a task and start it in one call. Returns as tact_task_create() and tact_task_start().
 * Context: task, linux. Cost: as tact_task_create().
 */
int tact_task_spawn(const struct tact_task_attr *attr, void (*entry)(void *arg), void *arg,
		    tact_task_t *task);

/**
 * End a task and free its handle. A call for the calling task does not return. A task that waits to
 * join the deleted one gets 0. A task in secondary mode is only marked, and the call returns 0; the
 * task ends when it next enters Tactus or when its entry returns.
 *
 * The mutexes that the task owns pass on as owner-dead. If it owns more than about thirty, they
 * pass on in pieces, as urgently as the most urgent task that waits for one of them; a task that
 * joins the deleted one returns after the last piece.
 *
 * The Linux thread of an attached task ends as if it had been cancelled where the task was: its
 * cleanup handlers run, local C++ objects are destroyed, and pthread_join() gives PTHREAD_CANCELED.
 * The thread of main() then stays and waits for signals, because a process needs it.
 *
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(1), and O(mutexes owned) in pieces.
 */
int tact_task_delete(tact_task_t task);

/**
 * End the calling task, as a return from its entry does, but without unwinding the stack: local C++
 * objects are not destroyed. An attached thread is the exception: it ends as if it had been
 * cancelled here, and its stack is unwound (not on sim). Whenever a full task ends, for whatever
 * reason, the destructors of its thread-local objects run on its Linux thread (not on sim, where
 * all tasks share the thread-local objects of one thread).
 * Context: task. Cost: O(mutexes owned).
 */
void tact_task_exit(void) __attribute__((noreturn));

/**
 * Wait until a task has ended, and free its handle.
 * Returns 0; 1 if a fault ended the task; or
 *   -TACT_EDEADLK   the caller would wait for itself
 *   -TACT_EINVAL    a task with TACT_TASK_NO_JOIN, or a timeout of unknown kind
 *   -TACT_EBUSY     another caller joins it
 *   -TACT_EAGAIN    it has not ended and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT it did not end in time
 *   -TACT_ECANCELED tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler)
 * Context: task, linux. May wait. Cost: O(1).
 */
int tact_task_join(tact_task_t task, tact_timeout_t timeout);

/**
 * Suspend a task. Suspensions are counted: the task does not run until it has been resumed as
 * often. A wait of the task goes on meanwhile. A task in secondary mode runs on until it comes back
 * to primary mode. A Linux signal that reaches a suspended task ends all its suspensions, and the
 * handler of the signal runs.
 * Returns 0, or
 *   -TACT_EINTR     the caller suspended itself, and such a signal ended the suspension
 *   -TACT_EOVERFLOW suspended 65535 times already
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_EBUSY (ended)
 *   -TACT_EPERM     from a handler, with TACT_SELF
 * Context: task (also the caller itself), handler, linux. Cost: O(1).
 */
int tact_task_suspend(tact_task_t task);

/* Undo one suspension. Returns 0, -TACT_ESRCH (not suspended), -TACT_EBADF, -TACT_EIDRM,
 * -TACT_EBUSY (ended). Context: task, handler, linux. Cost: O(1). */
int tact_task_resume(tact_task_t task);

/**
 * Break the wait or the sleep of a task: the waiting call fails with a code of the caller's choice.
 * Only the wait for the mutex at the end of tact_cond_wait() is not broken. If a wait is broken
 * twice before it has ended, the first code counts; a signal counts more.
 * code: -4095 … -1, which need not be one of error.h; 0: -TACT_ECANCELED. Not -TACT_EOWNERDEAD and
 *       not -TACT_ENOTRECOVERABLE, by which a wait for a lock says who owns it.
 *
 * Returns 0, or
 *   -TACT_ESRCH   the task was not waiting
 *   -TACT_EINVAL  code out of range, or one of those two
 *   -TACT_EBUSY   the task has ended
 *   -TACT_EBADF, -TACT_EIDRM
 * Context: task, handler, linux. Cost: O(1).
 */
int tact_task_unblock(tact_task_t task, int code);

/* Flag of tact_task_set_priority(): a task whose present priority falls goes before the tasks that
 * have its new priority, because it ran before them until now.
 * Source: POSIX.1-2017, 2.8.4, SCHED_FIFO: pthread_setschedprio(). */
#define TACT_PRIORITY_AHEAD 1u

/**
 * Change the base priority. The present priority stays above it as long as a mutex demands that. A
 * task whose present priority changes goes behind the tasks that have its new priority.
 * priority: 1 … TACT_PRIORITY_MAX.
 * flags:    0 or TACT_PRIORITY_AHEAD.
 * old:      receives the old base priority, or NULL.
 * Returns 0, -TACT_EINVAL (a priority out of range, or not above the low priority of a sporadic
 * server; unknown flags), -TACT_EBADF, -TACT_EIDRM, -TACT_EBUSY (ended).
 * Context: task, linux; handler with old NULL. Cost: O(waiters of the object it waits for).
 */
int tact_task_set_priority(tact_task_t task, uint32_t priority, uint32_t flags, uint32_t *old);

/**
 * Change, or read, the scheduling class and its parameters.
 * sched: the new ones; or receives the present ones (NULL: none).
 * Return 0, or
 *   -TACT_EBADF, -TACT_EIDRM  of the task; of tact_task_set_sched() also of the quota group
 *   -TACT_EINVAL  size; of tact_task_set_sched() also NULL, a parameter out of range, or a quota
 *                 group of another CPU
 *   -TACT_EBUSY   ended
 *   -TACT_EPERM   from a handler
 * tact_task_set_sched() also
 *   -TACT_ENOMEM  no timers left for the class
 * Context: task, linux. Cost: O(log timers).
 */
int tact_task_set_sched(tact_task_t task, const struct tact_sched_param *sched);
int tact_task_get_sched(tact_task_t task, struct tact_sched_param *sched);

/**
 * Change the quantum of a round-robin task at any time. The task keeps its place, and the time that
 * it has used of the old quantum counts for the new one.
 * quantum_ns: tact_sched_limits.slice_min_ns … 2^62 - 1.
 * Returns 0, -TACT_EINVAL (out of range), -TACT_ENOTSUP (its class has no quantum), -TACT_EBADF,
 * -TACT_EIDRM, -TACT_EBUSY (ended), -TACT_EPERM (TACT_SELF, and the caller is not a task).
 * Context: task, handler, linux. Cost: O(log timers).
 */
int tact_task_set_quantum(tact_task_t task, uint64_t quantum_ns);

/**
 * Let the other tasks of the same priority run first. A task of the class CBS is throttled until
 * its next period begins.
 * Returns 0, or -TACT_EPERM (not a task).
 * Context: task. Cost: O(1).
 */
int tact_task_yield(void);

/**
 * Keep all other tasks of this CPU from running until tact_task_unlock_scheduler() has been called
 * as often. Other tasks run nevertheless while the caller waits or is in secondary mode. Events are
 * still served.
 * Return 0, -TACT_EPERM (not a task), -TACT_EOVERFLOW (locked 65535 times already), -TACT_ESRCH
 * (not locked).
 * Context: task. Cost: O(1).
 */
int tact_task_lock_scheduler(void);
int tact_task_unlock_scheduler(void);

/**
 * Sleep. tact_task_sleep(): for a duration; 0 yields. tact_task_sleep_until(): until the instant of
 * a timeout (any kind except TACT_NOWAIT).
 * Return 0 when the time has come, -TACT_ECANCELED (tact_task_unblock() without another code),
 * -TACT_EINTR (a signal), -TACT_EINVAL (kind), -TACT_EPERM (not a task).
 * Context: task. Cost: O(log timers).
 */
int tact_task_sleep(uint64_t duration_ns);
int tact_task_sleep_until(tact_timeout_t until);

/**
 * Make a task periodic. Its releases are at first, first + period_ns, first + 2 × period_ns, …
 * first: instant of the monotonic clock, below 2^62; {0}: one period from now.
 * period_ns: 1000 … 2^62 - 1; 0: the task is not periodic any more.
 *
 * Returns 0, -TACT_EINVAL (out of range), -TACT_ETIMEDOUT (first has passed), -TACT_EBADF,
 * -TACT_EIDRM, -TACT_EBUSY (ended), -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(log timers).
 */
int tact_task_set_periodic(tact_task_t task, tact_time_t first, uint64_t period_ns);

/**
 * Wait for the next release. If releases have been missed since the last one, the call does not
 * wait: it returns -TACT_ETIMEDOUT, and the next release is the first one after now. If the wait is
 * broken, the release is still to come: the next call waits for it, or counts it as missed.
 * overruns: receives the number of missed releases, or NULL.
 * release: receives the programmed instant of this release, or NULL. With missed releases it is
 *          that of the last of them.
 *
 * Returns 0, or
 *   -TACT_ETIMEDOUT releases have passed: they were missed
 *   -TACT_ESRCH     not periodic
 *   -TACT_ECANCELED tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EPERM     not a task
 * Context: task. May wait. Cost: O(log timers).
 */
int tact_task_wait_period(uint64_t *overruns, tact_time_t *release);

/**
 * Move a task to another real-time CPU of the program. If the task waits, it continues to wait
 * there. A call for the calling task returns on the other CPU.
 * Returns 0 once the task is on its way, or
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EBUSY   the task has ended, or its class is bound to its CPU
 *   -TACT_ENOMEM  no room there for its timers, or no timer for its wait on the CPU that it leaves
 *   -TACT_EBADF, -TACT_EIDRM
 * Context: task, linux. Cost: O(log timers), and a message to each of the CPUs.
 */
int tact_task_migrate(tact_task_t task, uint32_t cpu);

/* The handle of the calling task; {0} if the caller is not a task. Context: any. Cost: O(1). */
tact_task_t tact_task_self(void);

/**
 * Inquire. The figures of a task that has ended can be read until it is joined or deleted. Its
 * state is then TACT_TASK_STATE_ENDED, with TACT_TASK_STATE_FAULTED if a fault ended it, and
 * linux_tid, waits_for and stack_used_bytes are 0.
 * info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (not started, from a
 * handler, or TACT_SELF and the caller is not a task).
 * Context: task, linux. Cost: O(1) on the task's CPU, twice; then O(stack bytes never used) in the
 * caller's own time, in which more urgent tasks can preempt it.
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
 * Go to secondary mode (relax), or come back to primary mode (harden), on purpose. 0 also if the
 * caller is in that mode already.
 * Return 0, -TACT_EPERM (not a task; tact_task_relax() also: a light task, or a task with
 * TACT_TASK_NO_LINUX).
 * Context: task. Cost: a hand-over between two Linux threads.
 */
int tact_task_relax(void);
int tact_task_harden(void);

/**
 * Change the flags TACT_TASK_NO_LINUX, TACT_TASK_WARN and TACT_TASK_SIGNAL of a task.
 * set: flags to set.
 * clear: flags to clear, also if they are in set.
 * Returns 0, -TACT_EINVAL (other flags), -TACT_EBADF, -TACT_EIDRM, -TACT_EBUSY (ended).
 * Context: task, handler, linux. Cost: O(1).
 */
int tact_task_set_flags(tact_task_t task, uint32_t set, uint32_t clear);

/**
 * Attach: make the calling Linux thread a full task, which is in primary mode when the call
 * returns. Detach: make it the plain thread that it was before.
 *
 * attr: as for creation, without TACT_TASK_LIGHT and TACT_TASK_SUSPENDED; stack_bytes is ignored,
 *       because the thread keeps its stack. The used part of the stack and the 64 KiB next to it,
 *       or what is left, are present and locked. If 64 other threads are attached, only 16 KiB are
 *       present at once; the rest is present, and all of it is locked, a little later.
 * task: receives the handle, or NULL.
 *
 * A thread that must continue has to be detached, not deleted: see tact_task_delete(). A thread
 * that was in Linux when the program stopped can be detached, too. A thread that returns from its
 * start routine, calls pthread_exit() or is cancelled is detached after the destructors of its
 * thread-local data have run; the mutexes that it owns pass on as owner-dead.
 *
 * tact_task_attach() returns as tact_task_create(), or
 *   -TACT_ENOSPC  too little of the stack is left: two signal frames of the processor and 12 KiB
 *                 are enough, which is 20 KiB with AVX-512; or the caller runs on a stack that is
 *                 not the thread's own, of a coroutine or of a signal handler
 *   -TACT_EBUSY   the caller is a task already
 * After any other error than -TACT_EBUSY the thread is a plain thread, also if the program stopped
 * meanwhile.
 *
 * tact_task_detach() returns 0, or
 *   -TACT_EPERM   not an attached task
 *   -TACT_EBUSY   it owns a mutex or a reader-writer lock, or serves a request of a port
 * Context: linux; task. Cost: some Linux calls.
 */
int tact_task_attach(const struct tact_task_attr *attr, tact_task_t *task);
int tact_task_detach(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
