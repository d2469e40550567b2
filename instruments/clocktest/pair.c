/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Order: both CPUs read the latest stored time, then the clock, and then store their reading. A
 * clock that is the same clock for all CPUs never shows less than the time stored before. Offset:
 * one asks, and the other answers with its time, many times. On the shortest way there and back,
 * the middle is the answer's time on the asker's clock (Cristian, Distributed Computing 3, 1989).
 * Interruptions and preemptions invalidate neither.
 */
#include "pair.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "common/clock.h"
#include "common/complain.h"
#include "common/machine.h"

#define ROUND_TRIPS     20000u
#define ROUND_TRIPS_MIN 16u
#define OVER(phase)     (UINT64_MAX - (phase)) /* a question that ends a phase */
#define CALLED_OFF      16                     /* more than are ever ready */
#define PATIENCE        2000u /* turns without an answer before the other one may run */

struct side {
	struct pair *pair;
	uint64_t readings, backwards, backwards_max;
};

struct pair {
	enum clock_kind kind;
	bool same_cpu;
	uint64_t duration_ns;
	struct side sides[2];
	_Alignas(64) _Atomic uint64_t latest;
	_Alignas(64) _Atomic uint64_t question;
	_Alignas(64) _Atomic uint64_t answer;
	_Atomic uint64_t answered_at;
	_Atomic int ready;
	struct pair_result *result;
};

static void look(struct pair *pair, struct side *side)
{
	/* Acquire and release: the stored time was read from the clock before this reading. */
	uint64_t latest = atomic_load_explicit(&pair->latest, memory_order_acquire);
	const uint64_t now = clock_kind_read(pair->kind);

	side->readings++;
	if (now < latest) {
		side->backwards++;
		if (latest - now > side->backwards_max)
			side->backwards_max = latest - now;
		return;
	}
	while (latest < now &&
	       !atomic_compare_exchange_weak_explicit(&pair->latest, &latest, now,
						      memory_order_acq_rel, memory_order_acquire))
		;
}

/* The number of readings between two checks whether the phase is over. */
static void look_until(struct pair *pair, struct side *side, uint64_t end_ns)
{
	while (clock_now_ns() < end_ns)
		for (int i = 0; i < 256; i++)
			look(pair, side);
}

static void wait_for(_Atomic uint64_t *word, uint64_t value)
{
	for (uint64_t turns = 1; atomic_load_explicit(word, memory_order_acquire) != value; turns++)
		if (turns % PATIENCE == 0)
			(void)sched_yield();
}

/* For up to a quarter of the time: if CPUs take turns, as in an emulator, a way there and back is
 * long. */
static void ask(struct pair *pair, unsigned int phase, int64_t *offset)
{
	const uint64_t end_ns = clock_now_ns() + pair->duration_ns / 4;
	const uint64_t first = 1 + (uint64_t)phase * ROUND_TRIPS;
	uint64_t shortest = UINT64_MAX, n = first;

	for (; n < first + ROUND_TRIPS; n++) {
		uint64_t begin, end, answered;

		if (n >= first + ROUND_TRIPS_MIN && clock_now_ns() >= end_ns)
			break;
		begin = clock_kind_read(pair->kind);
		atomic_store_explicit(&pair->question, n, memory_order_release);
		wait_for(&pair->answer, n);
		end = clock_kind_read(pair->kind);
		answered = atomic_load_explicit(&pair->answered_at, memory_order_relaxed);
		if (end - begin < shortest) {
			shortest = end - begin;
			*offset = (int64_t)(answered - begin) - (int64_t)(shortest / 2);
		}
	}
	atomic_store_explicit(&pair->question, OVER(phase), memory_order_release);
	if (shortest / 2 > pair->result->offset_error)
		pair->result->offset_error = shortest / 2;
}

static void reply(struct pair *pair, unsigned int phase)
{
	uint64_t last = atomic_load_explicit(&pair->answer, memory_order_relaxed);
	uint64_t question;

	/* A question that remains from the phase before is not answered here. */
	for (uint64_t turns = 1;; turns++) {
		question = atomic_load_explicit(&pair->question, memory_order_acquire);
		if (question == OVER(phase))
			return;
		if (question != last && question < OVER(ROUND_TRIPS)) {
			atomic_store_explicit(&pair->answered_at, clock_kind_read(pair->kind),
					      memory_order_relaxed);
			atomic_store_explicit(&pair->answer, question, memory_order_release);
			last = question;
		} else if (turns % PATIENCE == 0) {
			(void)sched_yield();
		}
	}
}

/* False: the other one could not be made. */
static bool meet(struct pair *pair)
{
	atomic_fetch_add(&pair->ready, 1);
	while (atomic_load(&pair->ready) < 2)
		(void)sched_yield();
	return atomic_load(&pair->ready) < CALLED_OFF;
}

static void *reference(void *arg)
{
	struct pair *pair = ((struct side *)arg)->pair;
	uint64_t begin;

	if (!meet(pair))
		return NULL;
	begin = clock_kind_read(pair->kind);
	if (!pair->same_cpu)
		ask(pair, 0, &pair->result->offset_first);
	look_until(pair, arg, clock_now_ns() + pair->duration_ns / 2);
	pair->result->between = clock_kind_read(pair->kind) - begin;
	if (!pair->same_cpu)
		ask(pair, 1, &pair->result->offset_last);
	return NULL;
}

static void *other(void *arg)
{
	struct pair *pair = ((struct side *)arg)->pair;

	if (!meet(pair))
		return NULL;
	if (!pair->same_cpu)
		reply(pair, 0);
	look_until(pair, arg, clock_now_ns() + pair->duration_ns / 2);
	if (!pair->same_cpu)
		reply(pair, 1);
	return NULL;
}

int pair_compare(enum clock_kind kind, int reference_cpu, int other_cpu, uint64_t duration_ns,
		 struct pair_result *result)
{
	struct pair pair = {.kind = kind,
			    .same_cpu = reference_cpu == other_cpu,
			    .duration_ns = duration_ns,
			    .result = result};
	/* Without SCHED_FIFO: two spinning threads of it would stop the rest of the machine for no
	 * gain. */
	const struct machine machines[] = {{.cpu = reference_cpu}, {.cpu = other_cpu}};
	void *(*const bodies[])(void *) = {reference, other};
	pthread_t threads[2];

	*result = (struct pair_result){0};
	for (int i = 0; i < 2; i++) {
		int error;

		pair.sides[i].pair = &pair;
		error = machine_thread_start(&machines[i], &threads[i], 0, bodies[i],
					     &pair.sides[i]);
		if (error == 0)
			continue;
		/* The first one waits for the second one. */
		atomic_store(&pair.ready, CALLED_OFF);
		if (i > 0)
			(void)pthread_join(threads[0], NULL);
		return complain("no thread on CPU %d: %s: raise `ulimit -u`", machines[i].cpu,
				strerror(error));
	}
	for (int i = 0; i < 2; i++) {
		(void)pthread_join(threads[i], NULL);
		result->readings += pair.sides[i].readings;
		result->backwards += pair.sides[i].backwards;
		if (pair.sides[i].backwards_max > result->backwards_max)
			result->backwards_max = pair.sides[i].backwards_max;
	}
	return 0;
}
