/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The conformance suite of the HAL: the definition of a back end. Each case runs in a process of
 * its own; the program prints the Test Anything Protocol, and `… NAME` runs one case alone.
 */
#ifndef SUITE_SUITE_H
#define SUITE_SUITE_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

#include "nucleus.h"

struct suite_case {
	const char *name;
	void (*body)(void);
};

#define CASE(function)              \
	{                           \
#function, function \
	}

/* Each file of cases ends its list by an entry without a name. */
extern const struct suite_case cases_stall[], cases_kick[], cases_idle[], cases_shot[],
	cases_context[], cases_stack[], cases_linux[], cases_shadow[], cases_fault[], cases_time[],
	cases_start[];

/* Prints expected and actual if they differ; the case then fails at its end. The text that a case
 * prints is shown after its result if it fails. */
void expect(const char *what, int64_t expected, int64_t actual);
void expect_true(const char *what, bool holds);
/* The case cannot be run here. */
void skip(const char *why) __attribute__((noreturn));

/* Is AddressSanitizer built in? */
extern void __asan_init(void) __attribute__((weak));
static inline bool sanitized(void)
{
	return __asan_init != 0;
}

/* Wait, as a Linux thread, until the counter is at least `least`; fails the case after 10 s. */
void await(const char *what, const _Atomic unsigned *counter, unsigned least);

/* fork(); if the case is killed, the child ends, too. */
int suite_fork(void);

static inline uint64_t suite_spun_ns(struct hal_cpu *cpu)
{
	struct hal_waiting waiting;

	hal_waiting(cpu, &waiting);
	return waiting.spun_ns;
}

/* The differences between the back ends: back_end_sim.c and back_end_thread.c. */
extern const struct suite_case *const back_end_cases[]; /* ends by NULL */
unsigned back_end_cpus(void);                           /* maximum number of real-time CPUs */
struct back_end_thread;
struct back_end_thread *back_end_thread_start(void (*entry)(void *arg), void *arg);
void back_end_thread_join(struct back_end_thread *thread);
/* A Linux call of the running task: Linux's result, or the negative error of the upcall. */
long back_end_linux_call(void);
/* What a correct back_end_linux_call() returns. */
long back_end_linux_call_result(void);
/* Does the processor, which may be emulated, check alignment (HAL_FAULT_ALIGNMENT)? */
bool back_end_checks_alignment(void);
/* Make the running task fault with this cause. */
void back_end_fault(enum hal_fault_cause cause);

#endif
