/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Start and stop of the real-time half of a program.
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

#define TACT_CPU_MAX      31
#define TACT_CPU_ANY      UINT32_MAX
#define TACT_DEFAULT      0u
#define TACT_REASON_BYTES 256

enum tact_idle {
	/* Sleep until the next deadline minus gravity, and at least a quarter of what is 20 us and
	   more, spin the rest. What comes each 30 us and oftener is for spin: a real-time CPU that
	   sleeps next to nothing is stopped by RT throttling for 50 ms in every second. */
	TACT_IDLE_HYBRID = 0,
	TACT_IDLE_SLEEP = 1, /* sleep until the deadline: no time is spun away */
	TACT_IDLE_SPIN = 2,  /* never sleep; wants a CPU of its own */
};

enum tact_fault_policy {
	TACT_FAULT_STOP_TASK = 0, /* report, end the task, go on */
	/* report, give everything back, and end by the signal that Linux has for the fault */
	TACT_FAULT_STOP_PROGRAM = 1,
};

/*
 * Gravity: what is anticipated, so that a task starts at its instant and not after it, in ns, each
 * at most 1000000. 0: what `tactus tune` stored for this CPU, else a built-in value.
 */
struct tact_gravity {
	uint32_t handler_ns; /* from the end of the wait to the first instruction of a handler, */
	uint32_t light_ns;   /* of a light task, */
	uint32_t task_ns;    /* of a full task */
	uint32_t idle_ns;    /* wake-up of a sleeping real-time CPU; built in: found at start */
	uint32_t preempt_ns; /* preemption of a computing task; built in: found at start */
};

/* All-zero members mean the default. */
struct tact_config {
	const char *name; /* of the program: shown by tools, and part of the addresses of its
			     pipes (pipe.h), so neither empty nor with a slash or a control
			     character in it; cut to 31 bytes; NULL: the one that
			     started the program, without folders */
	uint32_t cpus;    /* real-time CPUs, 1 … TACT_CPU_MAX; default 1 */
	const uint32_t *linux_cpu; /* which Linux CPUs, TACT_CPU_ANY lets the back end choose, as it
				      does where TACTUS_CPUS is more than cpus */
	uint32_t priority; /* Linux SCHED_FIFO priority of real-time CPUs, 1 … 98; default 80; two
			      below the user's limit where that is lower, which reason tells */
	enum tact_idle idle;
	int share;           /* non-zero: other programs that say so may have the same CPUs; their
				tasks and this one's are served in the order of their priorities.
				While nobody else does it is as without */
	int require;         /* non-zero: without SCHED_FIFO the start fails, where else tasks would
				run at ordinary Linux priority, which reason tells */
	size_t pool_bytes;   /* control blocks, each CPU; default 4 MiB, grows from Linux context */
	uint32_t task_slots; /* tasks shown to tools, each CPU; default 256 */
	uint32_t trace_events; /* trace ring, each CPU, power of two; default 4096 */
	uint32_t watchdog_ms;  /* longest time a task, or handlers, may keep a CPU; default 4000,
				  UINT32_MAX: off */
	int watchdog_signals;  /* non-zero: a full task that has kept it so long is not stopped; it
				  gets the signal of TACT_TASK_SIGNAL, with
				  TACT_SWITCH_WATCHDOG, and goes on in secondary mode until its
				  next call of this API, unless it may not call Linux */
	uint32_t crowd_ms;     /* longest time a full task may keep a CPU that other tasks wait for;
				  then it goes on in secondary mode, at the lowest priorities of
				  real time, until its next call of this API, unless it may not
				  call Linux, or Linux's CPUs are kept by tasks that are in
				  secondary mode and as urgent as the first that waits. So does
				  one that computes in secondary mode, where such tasks keep all
				  other CPUs so long and a real-time CPU is free or computes for
				  a less urgent one; 0: as long as it wants */
	enum tact_fault_policy fault;
	int program_faults; /* non-zero: a full task's fault for whose signal the program had a
			       handler before the start is that handler's, in secondary mode,
			       where the back end can (thread) */
	struct tact_gravity gravity;
	const char *options; /* back-end options "name=value,…"; NULL: none */
};

/**
 * Start: real-time CPUs are taken, and from here on objects and tasks can be made. The environment
 * variables TACTUS_CPUS, TACTUS_IDLE, TACTUS_PRIORITY, TACTUS_SHARE and TACTUS_REQUIRE (0 or 1),
 * TACTUS_OPTIONS and TACTUS_GRAVITY (handler:light:task:idle:preempt in ns, 0 for what stays)
 * override the configuration, so that a user can move a program without compiling it. config: NULL
 * for all defaults. reason: TACT_REASON_BYTES bytes or NULL. On failure a sentence that says what
 * to do; on success "" or what the machine could not give.
 *
 * Returns 0, or
 *   -TACT_EINVAL  a value out of range, a name that cannot be used, or an unknown option: reason
 *                 says what is allowed
 *   -TACT_EBUSY   started already, another thread starts or stops it now, or a CPU is leased to
 *                 another program, and one of the two does not share it
 *   -TACT_ENXIO   no such CPU
 *   -TACT_EPERM   a CPU that this process may not use, no SCHED_FIFO though it is required, or in
 * the child of a fork() of a started program: exec there, or fork before the start -TACT_ENOMEM not
 * enough (lockable) memory -TACT_ENOSYS  the kernel or processor lacks something that the back end
 * needs
 *
 * Context: linux. Cost: of the order of 0.1 s, memory is made and locked.
 */
int tact_start(const struct tact_config *config, char *reason);

/**
 * Stop: every task is ended, every object deleted, everything taken from Linux is given back. A
 * task that is in Linux is given some 50 ms to come back; one that does not is refused from then
 * on, also after another start: its calls return -TACT_EPERM, and its thread ends when its entry
 * returns. An adopted one can still be let go. Who unloads code that tasks run (dlclose()) stops
 * first: this library stays.
 * A normal exit of the program gives everything back by itself, after the destructors of what uses
 * this library. With the thread back end, tasks run on until Linux ends the process, as its other
 * threads do; with the others, and while a pipe has an open end or a server, it is a stop, where a
 * task in Linux is given 1 ms. Returns 0, or -TACT_EPERM (not started, called by a task, in a
 * fork's child, or another thread starts or stops it now). Until tact_start() has returned and from
 * tact_stop() on, the calls of all Linux threads are refused with -TACT_EPERM. Context: linux.
 * Cost: O(tasks and objects), and what giving memory and settings back takes.
 */
int tact_stop(void);

/**
 * From here on a normal exit of the program makes no call of Linux: for a program that has the
 * calls of its threads filtered (seccomp) and would be ended by one. What was taken from Linux is
 * given back as when the program is killed, some milliseconds later.
 * Context: any. Cost: O(1).
 */
void tact_exit_as_killed(void);
/* For libraries with something of their own to give back at the exit. Returns 1 (that was called),
 * or 0. Context: any. Cost: O(1). */
int tact_exits_as_killed(void);

/* The program's name as given at start; "" when not started, or in a fork's child. Context: any.
 * Cost: O(1). */
const char *tact_program(void);

/* Number of real-time CPUs; 0 when not started, or in a fork's child. Context: any. Cost: O(1).
 */
uint32_t tact_cpus(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
