/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks: full tasks of Tactus. Priorities are 0 to 99. Tasks above 0 run on the real-time CPU of
 * the program, in FIFO order within a priority (rt_task_slice() makes them take turns). A task of
 * priority 0 is below all of them; Linux runs it between services.
 *
 * A Linux call moves a task to Linux (secondary mode), and its next service brings it back. Tasks
 * begin with the signals blocked that are sent to programs as a whole (SIGINT, SIGTERM, SIGALRM,
 * SIGCHLD, SIGUSR1 …), so that main() gets these signals. A task that wants such a signal unblocks
 * it.
 *
 * Where a service takes a task, NULL means the caller; a caller that is not a task of this API gets
 * -EPERM. The descriptor of a task that has ended gives -EINVAL, unless the task was created with
 * T_JOINABLE and waits to be joined. If a service names -EINVAL or -EPERM without a cause, these
 * causes apply; all other causes are named.
 *
 * Source: Xenomai 3 API manual, Alchemy, "Task management services".
 */
#ifndef ALCHEMY_TASK_H
#define ALCHEMY_TASK_H

/* Programs expect these from here. */
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
#define T_LOCK       0x1 /* no other task of this CPU runs, except while this one waits */
#define T_WARNSW     0x2 /* SIGDEBUG and a backtrace at each unwanted switch to secondary mode */
#define T_CONFORMING 0x4 /* rt_task_set_mode(): come back to primary mode now */
#define T_JOINABLE   0x8 /* rt_task_create(): rt_task_join() will be called */
/* Accepted, because programs of older versions set them; without effect. */
#define T_FPU  0x0
#define T_SUSP 0x0

typedef struct RT_TASK {
	uintptr_t handle;
	pthread_t thread; /* of a task that rt_task_shadow() made; otherwise 0 */
} RT_TASK;

#ifdef __cplusplus
#define NO_ALCHEMY_TASK (RT_TASK())
#else
#define NO_ALCHEMY_TASK ((RT_TASK){0, 0})
#endif

/* A message, or the buffer for one. */
typedef struct RT_TASK_MCB {
	int flowid; /* not used by the program */
	int opcode; /* passed along, for the use of the program */
	void *data;
	ssize_t size; /* bytes at data */
} RT_TASK_MCB;

struct threadobj_stat {
	uint64_t xtime;   /* ns on real-time CPUs */
	uint64_t timeout; /* not known: 0 */
	uint64_t msw;     /* switches to secondary mode */
	uint64_t csw;     /* how often a CPU switched to it */
	uint64_t xsc;     /* 0: services are calls, not system calls */
	uint32_t status;  /* XN… (cobalt/uapi/kernel/thread.h) */
	uint32_t pf;      /* page faults in primary mode */
	int cpu;          /* the Linux number of its real-time CPU */
	int cprio;        /* its present priority, with inheritance */
};

typedef struct RT_TASK_INFO {
	int prio; /* base priority */
	struct threadobj_stat stat;
	char name[XNOBJECT_NAME_LEN];
	pid_t pid; /* of its Linux thread; 0 in virtual time */
} RT_TASK_INFO;

/**
 * Create a task. It does nothing until rt_task_start().
 * name:    the name by which rt_task_bind() finds it, unique among tasks, copied; NULL or "": a
 *          name is generated.
 * stksize: bytes of its stack; 0 or less than 64 KiB: 64 KiB.
 * prio:    T_LOPRIO … T_HIPRIO.
 * mode:    T_LOCK (in effect from its start), T_WARNSW, T_JOINABLE.
 *
 * Returns 0, or
 *   -EINVAL  prio, mode or stksize out of range, or task is NULL
 *   -EEXIST  a task of that name exists
 *   -ENOMEM  no memory or no thread for it
 *   -EPERM   from an alarm handler; or the nucleus could not be started in this program, and the
 *            standard error output says why
 * Context: task, which goes to secondary mode; linux. Cost: system calls.
 */
int rt_task_create(RT_TASK *task, const char *name, int stksize, int prio, int mode);

/* Start a task at entry(arg). The task ends when entry returns. Returns 0, also if the task was
 * started before, which changes nothing. Returns -EINVAL if task is not a task, or entry is NULL.
 * Context: any. */
int rt_task_start(RT_TASK *task, void (*entry)(void *arg), void *arg);

/* Create a task and start it in one call. Returns as rt_task_create() and rt_task_start(). */
int rt_task_spawn(RT_TASK *task, const char *name, int stksize, int prio, int mode,
		  void (*entry)(void *arg), void *arg);

/**
 * Make the calling thread (also main()) a task, which is in primary mode when the call returns. The
 * task ends with the thread, after the first destructors of its thread-local data.
 * task: receives the descriptor, or NULL.
 * mode: T_LOCK, T_WARNSW.
 * Returns 0, -EINVAL (prio or mode), -EEXIST, -ENOMEM, -EBUSY (it is a task already), -EPERM as
 * rt_task_create().
 * Context: linux.
 */
int rt_task_shadow(RT_TASK *task, const char *name, int prio, int mode);

/**
 * End a task. A task that is in Linux ends when it comes back. A call for the calling task does not
 * return.
 * Returns 0, -EINVAL (not a task), -EPERM (from an alarm handler, or NULL and the caller is not a
 * task).
 * Context: task, linux.
 */
int rt_task_delete(RT_TASK *task);

/**
 * Wait until a task has ended, and free its descriptor.
 * Returns 0, -EINVAL (not a descriptor, not T_JOINABLE, or another thread joins it), -EDEADLK (the
 * calling task), -ESRCH (it was joined already, or is gone), -EPERM (from an alarm handler).
 * Context: task, linux. May wait.
 */
int rt_task_join(RT_TASK *task);

/* Move a task to the first real-time CPU of the program that is in the set, by the Linux numbers of
 * the CPUs. A task that is on a CPU of the set stays there. Returns 0, -EINVAL (not a task, no
 * real-time CPU is in the set, or cpus is NULL), -EPERM. Context: task, linux. */
int rt_task_set_affinity(RT_TASK *task, const cpu_set_t *cpus);

/**
 * Make a task periodic.
 * idate:  first release, a date of the clock; TM_NOW: one period from now.
 * period: ticks, at least 1 µs; TM_INFINITE: the task is not periodic any more.
 * Returns 0, -EINVAL (not a task, period too short), -ETIMEDOUT (idate has passed), -EPERM.
 * Context: task, linux. Cost: O(log timers).
 */
int rt_task_set_periodic(RT_TASK *task, RTIME idate, RTIME period);

/**
 * Wait for the next release. If the release has passed already, the call returns at once.
 * overruns_r: receives the number of later releases that have passed, too, and are lost; 0: none.
 *             NULL: not wanted. Written if 0 or -ETIMEDOUT is returned.
 * Returns 0, -ETIMEDOUT (releases are lost), -EWOULDBLOCK (not periodic), -EINTR
 * (rt_task_unblock(), or a Linux signal), -EPERM (not a task).
 * Context: task. May wait.
 */
int rt_task_wait_period(unsigned long *overruns_r);

/* Sleep for this many ticks; 0 returns at once. A Linux signal is handled meanwhile and does not
 * end the sleep. Returns 0, -EINTR (rt_task_unblock()), -EPERM (neither a task nor main()).
 * Context: task, main(). */
int rt_task_sleep(RTIME delay);

/* Sleep until a date; TM_INFINITE: until unblocked. Signals do not end the sleep, as with
 * rt_task_sleep(). Returns 0, -ETIMEDOUT (the date has passed), -EINTR, -EPERM as rt_task_sleep().
 * Context: task, main(). */
int rt_task_sleep_until(RTIME date);

/* Do the descriptors name the same task? Context: any. */
int rt_task_same(RT_TASK *task1, RT_TASK *task2);

/* Suspend a task. Suspensions are counted: the task runs again when it has been resumed as often,
 * or when it handles a Linux signal. A wait of the task goes on meanwhile. Returns 0, -EINTR (the
 * caller suspended itself, and such a signal came), -EINVAL, -EPERM. Context: any; NULL: task. */
int rt_task_suspend(RT_TASK *task);

/* Undo one suspension. Returns 0, also if the task is not suspended; -EINVAL. Context: any. */
int rt_task_resume(RT_TASK *task);

/* The descriptor of the calling task, valid as long as the task exists; NULL if the caller is not a
 * task. Context: any. */
RT_TASK *rt_task_self(void);

/* Change the base priority. The task goes to the end of its new level. Returns 0, -EINVAL (not a
 * task, or prio out of range), -EPERM. Context: task, linux. */
int rt_task_set_priority(RT_TASK *task, int prio);

/**
 * Change the mode of the calling task.
 * mode_r: receives the mode before the call, or NULL.
 * Returns 0, -EINVAL (unknown bits), -EPERM (not a task; or from an alarm handler with a bit other
 * than T_LOCK, which has no effect there).
 * Context: task.
 */
int rt_task_set_mode(int clrmask, int setmask, int *mode_r);

/* Let other tasks of the same priority run first. Returns 0, -EPERM (neither a task nor main()).
 * Context: task, main(). */
int rt_task_yield(void);

/* Break the wait or the sleep of a task: its service ends with -EINTR. Returns 0, also if the task
 * does not wait; -EINVAL. Context: any. */
int rt_task_unblock(RT_TASK *task);

/**
 * Make a task take turns with the other tasks of its priority, each turn of quantum ticks; 0 ends
 * this. The shortest quantum depends on the machine (tact_sched_limits()) and is at least 1 µs. If
 * a quantum is refused for that reason, a line on the standard error output names the shortest one.
 * Returns 0, -EINVAL (not a task, quantum too short, or a task of priority 0), -EPERM.
 * Context: task, linux.
 */
int rt_task_slice(RT_TASK *task, RTIME quantum);

/* Inquire. info: receives the state, or NULL. Returns 0, -EINVAL, -EPERM. Context: task, linux. */
int rt_task_inquire(RT_TASK *task, RT_TASK_INFO *info);

/**
 * Send a message to a task, and wait until it was received and replied to.
 * mcb_s: the message; data is not read if size is 0.
 * mcb_r: buffer for the reply; receives its opcode. The size stays that of the buffer, so that it
 *        can be used for the next call. NULL: no reply is expected.
 * TM_NONBLOCK sends only to a task that waits to receive, and then waits for the reply.
 *
 * Returns the size of the reply, or
 *   -EWOULDBLOCK  TM_NONBLOCK, and the task does not wait to receive
 *   -ETIMEDOUT    no reply came in time
 *   -ENOBUFS      the reply is longer than the buffer
 *   -EIDRM        the task ended meanwhile, also if its buffer was too small for the message before
 *   -EINTR        rt_task_unblock(), or a Linux signal to the task
 *   -ENOMEM       no memory for a long message
 *   -EINVAL       not a task, mcb_s is NULL, a negative size, or a bad timespec
 *   -EPERM        the caller may not wait: see rt_sem_p()
 * Context: task, main(). May wait.
 * Cost: O(bytes); a message or reply of more than 1 KiB needs memory from malloc().
 */
ssize_t rt_task_send(RT_TASK *task, RT_TASK_MCB *mcb_s, RT_TASK_MCB *mcb_r, RTIME timeout);
ssize_t rt_task_send_until(RT_TASK *task, RT_TASK_MCB *mcb_s, RT_TASK_MCB *mcb_r, RTIME timeout);
ssize_t rt_task_send_timed(RT_TASK *task, RT_TASK_MCB *mcb_s, RT_TASK_MCB *mcb_r,
			   const struct timespec *abs_timeout);

/**
 * Receive the next message to the calling task, in the order of the priorities of the senders.
 * mcb_r: buffer for the message; receives its opcode and size.
 *
 * Returns a number above 0 that names the exchange for rt_task_reply(), or
 *   -EWOULDBLOCK  there is none and the timeout is TM_NONBLOCK
 *   -ETIMEDOUT    none came in time
 *   -ENOBUFS      the message is longer than the buffer: mcb_r->size receives its size, and the
 *                 next call receives it again
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
 * Returns 0, or
 *   -ENXIO    no such exchange: its sender has left, or got its reply
 *   -ENOBUFS  longer than the buffer of the sender, which gets -ENOBUFS, too
 *   -EINVAL   flowid not above 0, a negative size
 *   -ENOMEM   no memory for a long reply
 *   -EPERM    not a task
 * Context: task. Cost: O(bytes).
 */
int rt_task_reply(int flowid, RT_TASK_MCB *mcb_s);

/* Find by name, forget: as the services of alchemy/sem.h. */
int rt_task_bind(RT_TASK *task, const char *name, RTIME timeout);
int rt_task_unbind(RT_TASK *task);

#ifdef __cplusplus
}
#endif

#endif
