/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Trace objects, for test programs: tasks leave numbered marks, and at the end the order of these
 * marks is compared with the right order. An error is reported on the standard error output and
 * ends the program: with status 5 for a wrong order, with status 1 for every other error.
 *
 * Source: Xenomai 3, <copperplate/traceobj.h>, as its test suites use it.
 */
#ifndef COPPERPLATE_TRACEOBJ_H
#define COPPERPLATE_TRACEOBJ_H

/* Test programs expect these from here. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <boilerplate/atomic.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRACEOBJ_TASKS 64

struct tracemark;

/* The members are internal. */
struct traceobj {
	const char *label;
	struct tracemark *marks;
	int nr_marks;
	int cur_mark;
	int nr_entered; /* how many have ever taken part */
	int nr_threads; /* Linux threads that take part now */
	unsigned int left;
	unsigned int task[TRACEOBJ_TASKS]; /* tasks that take part now; 0: a free place */
};

/* Prepare it for at most nr_marks marks; 0 is allowed. label: memory of the program, not copied.
 * Returns 0, or a negative error: no memory, or the nucleus could not be started. Context: linux,
 * task. */
int traceobj_init(struct traceobj *trobj, const char *label, int nr_marks);

/* Give its memory back. Context: linux, task. */
void traceobj_destroy(struct traceobj *trobj);

/* The caller begins, and ends, to take part. A task that ends without traceobj_exit() does not take
 * part any more, either. Context: task (TRACEOBJ_TASKS at a time), linux. */
void traceobj_enter(struct traceobj *trobj);
void traceobj_exit(struct traceobj *trobj);
/* As traceobj_exit(). */
void traceobj_unwind(struct traceobj *trobj);

/* Wait until at least one caller has taken part, and none does any more. Context: linux, task. May
 * wait. */
void traceobj_join(struct traceobj *trobj);

/* Compare all marks that were left with tseq[nr_seq], as described above. Context: linux, task. */
void traceobj_verify(struct traceobj *trobj, int tseq[], int nr_seq);

/* Leave a mark. More marks than traceobj_init() made room for are an error. Context: any. */
#define traceobj_mark(trobj, mark) __traceobj_mark(trobj, __FILE__, __LINE__, mark)

/* The condition must hold. Context: linux, task. */
#define traceobj_assert(trobj, cond)                                                \
	do {                                                                        \
		if (!(cond))                                                        \
			__traceobj_assert_failed(trobj, __FILE__, __LINE__, #cond); \
	} while (0)

/* A status must be as expected; traceobj_check_warn() only reports. Context: linux, task. */
#define traceobj_check_abort(trobj, status, expected)                                       \
	do {                                                                                \
		int traceobj_status_ = (int)(status);                                       \
		if (traceobj_status_ != (int)(expected))                                    \
			__traceobj_check_abort(trobj, __FILE__, __LINE__, traceobj_status_, \
					       (int)(expected));                            \
	} while (0)
#define traceobj_check(trobj, status, expected) traceobj_check_abort(trobj, status, expected)
#define traceobj_check_warn(trobj, status, expected)                                       \
	do {                                                                               \
		int traceobj_status_ = (int)(status);                                      \
		if (traceobj_status_ != (int)(expected))                                   \
			__traceobj_check_warn(trobj, __FILE__, __LINE__, traceobj_status_, \
					      (int)(expected));                            \
	} while (0)

void __traceobj_mark(struct traceobj *trobj, const char *file, int line, int mark);
void __traceobj_assert_failed(struct traceobj *trobj, const char *file, int line, const char *cond)
	__attribute__((noreturn));
void __traceobj_check_abort(struct traceobj *trobj, const char *file, int line, int received,
			    int expected) __attribute__((noreturn));
void __traceobj_check_warn(struct traceobj *trobj, const char *file, int line, int received,
			   int expected);

#ifdef __cplusplus
}
#endif

#endif
