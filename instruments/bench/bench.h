/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Micro benchmarks: each row is one operation of Tactus and its Linux counterpart, measured in turn
 * in one process, round by round, so that both see the same machine.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tactus/tact.h>

#define BENCH_PRIORITY   50u
#define BENCH_ROUNDS_MAX 999u
#define BENCH_NOTICES    8u
#define BENCH_TEXT       256u

/* The run, as the rows see it. */
struct bench {
	const struct bench_row *row;
	int cpu;               /* the Linux CPU under test */
	int priority;          /* under SCHED_FIFO, of the real-time CPU's thread and of the
				* counterpart's lowest */
	bool alone;            /* the process may use no other CPU of the machine */
	bool fifo;             /* Linux threads of the counterpart may run under SCHED_FIFO */
	bool on_sim;           /* virtual time: only counts of instructions are useful */
	char peer[BENCH_TEXT]; /* the counterpart, if it is known only at run time */
	unsigned int notices;
	char notice[BENCH_NOTICES][BENCH_TEXT];
	unsigned int figures; /* figures beside the time */
	struct {
		const char *name;
		double value;
	} figure[4];
};

extern struct bench bench;

struct bench_row {
	const char *name;
	const char *what; /* one operation */
	const char *peer; /* its counterpart; NULL: there is none, or open() writes bench.peer */
	uint64_t operations;
	uint64_t peer_operations;
	unsigned int rounds;
	size_t pool_bytes; /* 0: the library's default */
	uint32_t count;    /* number of tasks or bytes, of rows that differ in it */
	bool variant;      /* of rows that have two kinds */
	/* Work that is the same for all rounds. 0 or a negative error, reported on stderr. NULL:
	 * none. */
	int (*open)(uint64_t operations);
	/* Nanoseconds of all operations together; negative: it failed. */
	double (*run)(uint64_t operations);
	double (*peer_run)(uint64_t operations);
	void (*close)(void);
};

/* Something that the machine or the build does not provide; it becomes a part of the result. */
void bench_notice(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A figure of this row other than its time. */
void bench_figure(const char *name, double value);
/* Reports on stderr what failed. Returns the error. */
int bench_failed(const char *what, int error);

/* measure.c: start the library on the CPU under test, as at the beginning of a row; for a row that
 * stops it. 0, or a negative error, reported on stderr. */
int bench_start(void);

/* Monotonic time; on a real-time CPU and on Linux alike. */
static inline double bench_now_ns(void)
{
	return (double)tact_now().ns;
}

/* tasks.c: run functions as tasks of one real-time CPU, and wait for their end. 0 or a negative
 * error. */
struct bench_task {
	void (*body)(void *arg);
	void *arg;
	uint32_t priority;
	uint32_t flags; /* TACT_TASK_* */
	tact_task_t handle;
};
int bench_tasks_run(struct bench_task *tasks, unsigned int count);
/* One full task that may not call Linux. */
int bench_task_run(void (*body)(void *arg), void *arg);

/* threads.c: the same for Linux threads, pinned, and under SCHED_FIFO if that is allowed. */
struct bench_thread {
	void (*body)(void *arg);
	void *arg;
	int priority;   /* above a base that is the same for all */
	bool elsewhere; /* on another CPU than the one under test, if there is one */
};
int bench_threads_run(const struct bench_thread *threads, unsigned int count);
int bench_thread_run(void (*body)(void *arg), void *arg);
void bench_threads_init(void);

/* A generator with the same sequence for both sides. */
static inline uint32_t bench_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (uint32_t)(*state >> 32);
}

#endif
