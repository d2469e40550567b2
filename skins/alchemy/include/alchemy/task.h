/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks: full tasks of Tactus. Priorities run from 0 to 99. Tasks above 0 run on the program's
 * real-time CPU, first come first served within a priority (rt_task_slice() makes them take turns).
 * A task of priority 0 is below all of them; Linux runs it between services.
 *
 * A Linux call moves a task to Linux (secondary mode), its next service brings it back. Tasks begin
 * with the signals blocked that are sent to programs as a whole (SIGINT, SIGTERM, SIGALRM, SIGCHLD,
 * SIGUSR1 …), so that main() gets them; a task that wants one unblocks it.
 *
 * Where a service takes a task, NULL means the caller: -EPERM to one that is not a task of this
 * API. The descriptor of a task that has ended is -EINVAL, unless it was created with T_JOINABLE
 * and waits to be joined. Services take -EINVAL, -EPERM as their names say; others are named.
 *
 * Source: Xenomai 3 API manual, Alchemy, "Task management services".
 */
#ifndef ALCHEMY_TASK_H
#define ALCHEMY_TASK_H

/* Programs take these from here. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include <alchemy/timer.h>
#include <cobalt/uapi/kernel/thread.h>
#include <cobalt/uapi/signal.h>

#ifdef __cplusplus
extern "C" {
#endif

#define T_LOPRIO 0
#define T_HIPRIO 99

/* Mode bits of rt_task_create(), rt_task_shadow() and rt_task_set_mode() */
#define T_LOCK       0x1 /* no other task of this CPU runs, unless this one waits */
#define T_WARNSW     0x2 /* a SIGDEBUG and a backtrace at each unwanted switch to secondary mode */
#define T_CONFORMING 0x4 /* rt_task_set_mode(): come back to primary mode now */
#define T_JOINABLE   0x8 /* rt_task_create(): rt_task_join() will be called */
/* Accepted where programs of older versions set them, without effect. */
#define T_FPU  0x0
#define T_SUSP 0x0

typedef struct RT_TASK {
	uintptr_t handle;
	pthread_t thread; /* of a task that rt_task_shadow() made; else 0 */
} RT_TASK;

#ifdef __cplusplus
#define NO_ALCHEMY_TASK (RT_TASK())
#else
#define NO_ALCHEMY_TASK ((RT_TASK){0, 0})
#endif

/* A message, or the room for one. */
typedef struct RT_TASK_MCB {
	int flowid; /* not used by the program */
	int opcode; /* carried along, as the program likes */
	void *data;
	ssize_t size; /* bytes at data */
} RT_TASK_MCB;

struct threadobj_stat {
	uint64_t xtime;   /* ns on real-time CPUs */
	uint64_t timeout; /* not told: 0 */
	uint64_t msw;     /* switches to secondary mode */
	uint64_t csw;     /* times it was switched to */
	uint64_t xsc;     /* services are calls, not system calls: 0 */
	uint32_t status;  /* XN… (cobalt/uapi/kernel/thread.h) */
	uint32_t pf;      /* page faults in primary mode */
	int cpu;          /* the Linux number of its real-time CPU */
	int cprio;        /* its priority now, with inheritance */
};

typedef struct RT_TASK_INFO {
	int prio; /* base priority */
	struct threadobj_stat stat;
	char name[XNOBJECT_NAME_LEN];
	pid_t pid; /* of its Linux thread; 0 in virtual time */
} RT_TASK_INFO;

/**
 * Create a task; it does nothing until rt_task_start().
 * name:    by which rt_task_bind() finds it, unique among tasks, copied; NULL or "": made up.
 * stksize: bytes of its stack; 0, and less than 64 KiB: 64 KiB.
 * prio:    T_LOPRIO … T_HIPRIO.
 * mode:    T_LOCK (in force when it starts), T_WARNSW, T_JOINABLE.
 *
 * Returns 0, or
 *   -EINVAL  prio, mode or stksize out of range, or task is NULL
 *   -EEXIST  a task of that name exists
 *   -ENOMEM  no memory or no thread for it
 *   -EPERM   from an alarm handler; or the real-time half of the program could not be started,
 *            which the standard error output has told
 * Context: task, linux; a task goes to secondary mode for it. Cost: system calls.
 */
int rt_task_create(RT_TASK *task, const char *name, int stksize, int prio, int mode);

/* Start a task at entry(arg); when entry returns it ends. 0 too when it was started before, which
 * changes nothing. Returns 0, -EINVAL (not a task, or entry is NULL). Context: any. */
int rt_task_start(RT_TASK *task, void (*entry)(void *arg), void *arg);

/* Create and start in one. Returns as rt_task_create() and rt_task_start(). */
int rt_task_spawn(RT_TASK *task, const char *name, int stksize, int prio, int mode,
		  void (*entry)(void *arg), void *arg);

/**
 * Make the calling thread, main() included, a task; it is in primary mode when this returns. The
 * task ends with the thread, after the first destructors of its thread-local data.
 * task: receives the descriptor, or NULL. mode: T_LOCK, T_WARNSW.
 * Returns 0, -EINVAL (prio or mode), -EEXIST, -ENOMEM, -EBUSY (it is a task), -EPERM as
 * rt_task_create(). Context: linux.
 */
int rt_task_shadow(RT_TASK *task, const char *name, int prio, int mode);

/**
 * End a task. One that is in Linux ends when it comes back. Deleting oneself does not return.
 * Returns 0, -EINVAL (not a task), -EPERM (from an alarm handler, or NULL and not a task).
 * Context: task, linux.
 */
int rt_task_delete(RT_TASK *task);

/**
 * Wait until a task has ended, and forget it.
 * Returns 0, -EINVAL (not a descriptor, not T_JOINABLE, or another thread joins it), -EDEADLK
 * (oneself), -ESRCH (it was joined already, or has gone), -EPERM (from an alarm handler).
 * Context: task, linux. May wait.
 */
int rt_task_join(RT_TASK *task);

/* Move a task to the first of the program's real-time CPUs that is in the set, by their Linux
 * numbers. Returns 0, -EINVAL (not a task, or none of them is in the set, or cpus is NULL), -EPERM.
 * Context: task, linux. */
int rt_task_set_affinity(RT_TASK *task, const cpu_set_t *cpus);

/**
 * Make a task periodic.
 * idate:  first release, a date of the clock; TM_NOW: one period from now.
 * period: ticks, at least 1 µs; TM_INFINITE ends it.
 * Returns 0, -EINVAL (not a task, period too short), -ETIMEDOUT (idate has passed), -EPERM.
 * Context: task, linux. Cost: O(log timers).
 */
int rt_task_set_periodic(RT_TASK *task, RTIME idate, RTIME period);

/**
 * Wait for the next release; a caller that comes after it is given it at once.
 * overruns_r: receives the number of releases after it that have passed, too, and are gone, 0 for
 *             none, or NULL. Written when 0 or -ETIMEDOUT is returned.
 * Returns 0, -ETIMEDOUT (some are gone), -EWOULDBLOCK (not periodic), -EINTR
 * (rt_task_unblock(), or a Linux signal), -EPERM (not a task). Context: task. May wait.
 */
int rt_task_wait_period(unsigned long *overruns_r);

/* Sleep for so many ticks; 0 returns at once. A Linux signal is served meanwhile and does not end
 * it. Returns 0, -EINTR (rt_task_unblock()), -EPERM (neither a task nor main()). Context: task,
 * main(). */
int rt_task_sleep(RTIME delay);

/* Sleep until a date, likewise; TM_INFINITE: until unblocked. Returns 0, -ETIMEDOUT (the date has
 * passed), -EINTR, -EPERM as rt_task_sleep(). Context: task, main(). */
int rt_task_sleep_until(RTIME date);

/* Do the descriptors name the same task? Context: any. */
int rt_task_same(RT_TASK *task1, RT_TASK *task2);

/* Suspend a task, counted: it runs again when it was resumed as often, or a Linux signal to it is
 * handled. A wait it is in goes on meanwhile. Returns 0, -EINTR (the caller itself, by such a
 * signal), -EINVAL, -EPERM. Context: any; NULL: task. */
int rt_task_suspend(RT_TASK *task);

/* Undo one suspension; 0 too when there is none. Returns 0, -EINVAL. Context: any. */
int rt_task_resume(RT_TASK *task);

/* The descriptor of the calling task, which stays good as long as the task does; NULL when not
 * called by one. Context: any. */
RT_TASK *rt_task_self(void);

/* Change the base priority; the task goes to the end of its new level. Returns 0, -EINVAL (not a
 * task, or prio out of range), -EPERM. Context: task, linux. */
int rt_task_set_priority(RT_TASK *task, int prio);

/**
 * Change the mode of the calling task. mode_r: receives the mode before, or NULL.
 * Returns 0, -EINVAL (unknown bits), -EPERM (not a task; from an alarm handler with any bit).
 * Context: task.
 */
int rt_task_set_mode(int clrmask, int setmask, int *mode_r);

/* Let others of the same priority go first. Returns 0, -EPERM (neither a task nor main()).
 * Context: task, main(). */
int rt_task_yield(void);

/* Break the wait or sleep of a task: its service ends with -EINTR. 0 too when it does not wait.
 * Returns 0, -EINVAL. Context: any. */
int rt_task_unblock(RT_TASK *task);

/**
 * Take turns with others of its priority, each for quantum ticks; 0 ends it. The shortest quantum
 * is what the machine keeps (tact_sched_limits()), 1 µs at least, and told by a line on the
 * standard error when one is refused for that. Returns 0, -EINVAL (not a task, quantum too short,
 * or a task of priority 0), -EPERM. Context: task, linux.
 */
int rt_task_slice(RT_TASK *task, RTIME quantum);

/* Inquire. info: receives the state, or NULL. Returns 0, -EINVAL, -EPERM. Context: task, linux. */
int rt_task_inquire(RT_TASK *task, RT_TASK_INFO *info);

/**
 * Send a message to a task, and wait for it to be received and replied to.
 * mcb_s: the message; data is not looked at when size is 0.
 * mcb_r: room for the reply; receives its opcode. Its size stays that of the room, so that it is
 *        good for the next call. NULL: none is expected.
 * TM_NONBLOCK sends only to a task that waits to receive, and then waits for the reply.
 *
 * Returns the size of the reply, or
 *   -EWOULDBLOCK  TM_NONBLOCK, and the task does not wait to receive
 *   -ETIMEDOUT    no reply in time
 *   -ENOBUFS      the reply is longer than the room for it
 *   -EIDRM        the task ended meanwhile, be it after it had no room for the message
 *   -EINTR        rt_task_unblock(), or a Linux signal to the task
 *   -ENOMEM       no memory for a long message
 *   -EINVAL       not a task, mcb_s is NULL, a negative size, or a bad timespec
 *   -EPERM        the caller may not wait: see rt_sem_p()
 * Context: task, main(). May wait. Cost: O(bytes); a message or reply of more than 1 KiB goes
 * through memory from malloc().
 */
ssize_t rt_task_send(RT_TASK *task, RT_TASK_MCB *mcb_s, RT_TASK_MCB *mcb_r, RTIME timeout);
ssize_t rt_task_send_until(RT_TASK *task, RT_TASK_MCB *mcb_s, RT_TASK_MCB *mcb_r, RTIME timeout);
ssize_t rt_task_send_timed(RT_TASK *task, RT_TASK_MCB *mcb_s, RT_TASK_MCB *mcb_r,
			   const struct timespec *abs_timeout);

/**
 * Receive the next message to the calling task, by the priority of its senders.
 * mcb_r: room for it; receives its opcode and size.
 *
 * Returns what names the exchange to rt_task_reply(), above 0, or
 *   -EWOULDBLOCK  there is none and the timeout is TM_NONBLOCK
 *   -ETIMEDOUT    none came in time
 *   -ENOBUFS      it is longer than the room: mcb_r->size receives its size, and the next call
 *                 receives it again
 *   -EINTR        rt_task_unblock(), or a Linux signal to the task
 *   -EINVAL       mcb_r is NULL, a negative size, or a bad timespec
 *   -ENOMEM       16 messages were received and not replied to
 *   -EPERM        not a task
 * Context: task. May wait. Cost: O(bytes).
 */
int rt_task_receive(RT_TASK_MCB *mcb_r, RTIME timeout);
int rt_task_receive_until(RT_TASK_MCB *mcb_r, RTIME timeout);
int rt_task_receive_timed(RT_TASK_MCB *mcb_r, const struct timespec *abs_timeout);

/**
 * Reply to a message that the calling task received.
 * mcb_s: the reply, or NULL for an empty one with opcode 0.
 * Returns 0, -ENXIO (no such exchange: its sender has gone, or was replied to), -ENOBUFS (longer
 * than the sender's room: it gets -ENOBUFS too), -EINVAL (flowid not above 0, a negative size),
 * -ENOMEM (as rt_task_send()), -EPERM (not a task). Context: task. Cost: O(bytes).
 */
int rt_task_reply(int flowid, RT_TASK_MCB *mcb_s);

/* Find by name, forget: as the services of alchemy/sem.h. */
int rt_task_bind(RT_TASK *task, const char *name, RTIME timeout);
int rt_task_unbind(RT_TASK *task);

#ifdef __cplusplus
}
#endif

#endif
