/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Start and stop of the nucleus in a program.
 */
#ifndef TACTUS_START_H
#define TACTUS_START_H

#include <stddef.h>
#include <stdint.h>

#include <tactus/error.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define TACT_CPU_MAX      31u        /* most real-time CPUs of a program: numbers 0 … 30 */
#define TACT_CPU_ANY      UINT32_MAX /* in linux_cpu: the back end chooses */
#define TACT_REASON_BYTES 256        /* a sentence for people, with its terminating zero */

/* What a real-time CPU does while it has nothing to run. */
enum tact_idle {
	/* Sleep until the next deadline minus gravity, then spin. Of an interval longer than 20 us
	   at least a quarter is slept (thread back end). A program with releases every 30 us or
	   more often should use TACT_IDLE_SPIN: RT throttling stops a real-time CPU that almost
	   never sleeps for 50 ms in every second. */
	TACT_IDLE_HYBRID = 0,
	TACT_IDLE_SLEEP = 1, /* sleep until the deadline; no processor time is spent on spinning */
	TACT_IDLE_SPIN = 2,  /* never sleep; needs a CPU of its own */
};

enum tact_fault_policy {
	TACT_FAULT_STOP_TASK = 0, /* report the fault and end the task; the program continues */
	/* Report the fault, give everything back, and end the program by the signal that Linux
	   sends for this fault, or by SIGABRT if Linux has none for it. */
	TACT_FAULT_STOP_PROGRAM = 1,
};

/*
 * Gravity (never gets further members): how early the nucleus begins, so that a task starts at its
 * instant and not after it. Each value is in ns, at most 1000000. 0: the value that `tactus tune`
 * stored for this CPU, or else a built-in value.
 */
struct tact_gravity {
	/* From the end of the wait to the first instruction of a handler, */
	uint32_t handler_ns;
	uint32_t light_ns; /* of a light task, */
	uint32_t task_ns;  /* of a full task */
	/* Time to wake a sleeping real-time CPU. The built-in value is measured at the start. */
	uint32_t idle_ns;
	/* Time to interrupt a task that computes. The built-in value is measured at the start. */
	uint32_t preempt_ns;
};

/* A member that is zero has its default value. size: see "Sizes" in object.h. */
struct tact_config {
	uint32_t size;
	uint32_t cpus; /* number of real-time CPUs, 1 … TACT_CPU_MAX; default 1 */
	/* Name of the program. Tools show it, and it is part of the addresses of the program's
	   pipes (pipe.h). So it must not be empty or contain a slash or a control character. A
	   longer name is cut to 31 bytes. NULL: the name by which the program was started, without
	   folders, or "tactus" if that name cannot be used. */
	const char *name;
	/* Linux CPUs, `cpus` entries. The back end chooses for each TACT_CPU_ANY, and for all CPUs
	   if this is NULL. If TACTUS_CPUS is greater than `cpus`, it also chooses the additional
	   CPUs. */
	const uint32_t *linux_cpu;
	/* Linux SCHED_FIFO priority of the real-time CPUs, 1 … 98; default 80. If the user's limit
	   of real-time priorities is lower than this value plus 2, the priority is the limit minus
	   2, and `reason` says so. */
	uint32_t priority;
	uint32_t idle; /* enum tact_idle */
	/* Non-zero: other programs that also set this may have the same CPUs. Their tasks and the
	   tasks of this program are then served in the order of their priorities. While no other
	   program has these CPUs, this member has no effect. */
	int share;
	/* Non-zero: the start fails if SCHED_FIFO is not available. 0: the tasks then run at
	   ordinary Linux priority, and `reason` says so. */
	int require;
	/* Memory for control blocks, for each CPU; at least 256 KiB, default 4 MiB. It grows when a
	   Linux thread that is not a task creates an object. */
	size_t pool_bytes;
	uint32_t task_slots;   /* tasks shown to tools, for each CPU; at most 65536, default 256 */
	uint32_t trace_events; /* size of the trace ring of each CPU; a power of two, at most 2^24;
				  default 4096 */
	/* Longest time in ms that a task, or handlers, may keep a CPU without a switch to another
	   task; default 4000; UINT32_MAX: no limit. A task that exceeds it is stopped like a task
	   with a fault. */
	uint32_t watchdog_ms;
	/* Non-zero: a full task that exceeds watchdog_ms is not stopped. It gets the signal of
	   TACT_TASK_SIGNAL with the value TACT_SWITCH_WATCHDOG, and continues in secondary mode
	   until its next call of this API. A task that may not call Linux, or that has locked the
	   scheduler, is stopped all the same. */
	int watchdog_signals;
	/* Longest time in ms that a full task may keep a CPU while other tasks wait for this CPU;
	   0: no limit. After this time the task continues in secondary mode, at the lowest
	   real-time priorities of Linux, until its next call of this API. It stays where it is if
	   it may not call Linux or has locked the scheduler. It also stays if tasks in secondary
	   mode keep all CPUs of Linux and are at least as urgent as the most urgent of the waiting
	   tasks. A task that computes in secondary mode gets the same low priority if two things
	   hold: such tasks have kept all CPUs of Linux for this time, and a real-time CPU is free
	   or computes for a less urgent task. */
	uint32_t hog_timeout_ms;
	uint32_t fault; /* enum tact_fault_policy */
	/* Non-zero: a fault of a full task goes to the program's handler of the fault's signal, if
	   the program installed one before the start or a skin by tact_fault_action() (skin.h). The
	   handler runs in secondary mode. The sim back end cannot do this. */
	int program_faults;
	struct tact_gravity gravity;
	const char *options; /* options of the back end, "name=value,…"; NULL: none */
};

/**
 * Start: take the real-time CPUs. From here on objects and tasks can be created.
 *
 * A user can change the configuration of a compiled program by environment variables, which
 * override it: TACTUS_CPUS, TACTUS_IDLE (sleep, hybrid or spin), TACTUS_PRIORITY, TACTUS_SHARE and
 * TACTUS_REQUIRE (0 or 1), TACTUS_OPTIONS, and TACTUS_GRAVITY (handler:light:task:idle:preempt in
 * ns, with 0 for a value that is not overridden).
 *
 * config: NULL for all defaults.
 * reason: TACT_REASON_BYTES bytes, or NULL. Receives on failure a sentence that says what to do, on
 *         success a sentence that says what the machine could not give, or "".
 *
 * Returns 0, or
 *   -TACT_EINVAL  size or a value out of range, a name that cannot be used, or an unknown option:
 *                 reason says what is allowed
 *   -TACT_EBUSY   the program is started already, another thread is starting or stopping it, or a
 *                 CPU is leased to another program and one of the two programs does not share it
 *   -TACT_ENXIO   no such CPU
 *   -TACT_EPERM   this process may not use a CPU; or there is no SCHED_FIFO although it is
 *                 required; or this is the child of a fork() of a started program: call exec in the
 *                 child, or fork before the start
 *   -TACT_ENOMEM  not enough memory, or not enough lockable memory
 *   -TACT_ENOSYS  the kernel or the processor lacks something that the back end needs
 *
 * Context: linux. Cost: of the order of 0.1 s: memory is allocated and locked.
 */
int tact_start(const struct tact_config *config, char reason[TACT_REASON_BYTES]);

/**
 * Stop: end every task, delete every object, and give back everything that was taken from Linux.
 *
 * A task that is in Linux gets about 50 ms to come back. If it does not, its calls return
 * -TACT_EPERM from then on, also after another start, and its thread ends when its entry returns.
 * The task of an attached thread can still be detached (tact_task_detach()). A program must stop
 * before it unloads code that tasks run (dlclose()); this library itself is never unloaded.
 *
 * A normal exit of the program gives everything back without this call, after the destructors of
 * the libraries that use this library. On the thread back end, tasks then run on until Linux ends
 * the process, as other threads do. On the other back ends the exit is a stop in which a task in
 * Linux gets 1 ms to come back. The same holds on the thread back end while a pipe has an open
 * Linux end or a server.
 *
 * Until tact_start() has returned, and from the call of tact_stop() on, the calls of all Linux
 * threads are refused with -TACT_EPERM.
 *
 * Returns 0, or
 *   -TACT_EPERM  not started; called by a task or in the child of a fork(); or another thread is
 *                starting or stopping the program
 * Context: linux. Cost: O(tasks and objects), and the time for giving back memory and settings.
 */
int tact_stop(void);

/* The program's name as given at the start; "" if the program is not started, or in the child of a
 * fork(). Context: any. Cost: O(1). */
const char *tact_program(void);

/* Number of real-time CPUs; 0 if the program is not started, or in the child of a fork().
 * Context: any. Cost: O(1). */
uint32_t tact_cpus(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
