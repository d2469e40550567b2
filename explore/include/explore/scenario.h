/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a scenario has: random numbers from the seed, actors (tasks and Linux threads), and ways to
 * say what must be true. A run is one scenario with one seed in a process of its own; the first
 * thing that is not true ends it with its reason.
 */
#ifndef EXPLORE_SCENARIO_H
#define EXPLORE_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include <tactus/tact.h>

#define EXPLORE_ACTORS  24
#define EXPLORE_MS      1000000ull
#define EXPLORE_LONG_NS (100000 * EXPLORE_MS) /* virtual: only what is lost waits as long */
#define EXPLORE_LONG    tact_in(EXPLORE_LONG_NS)

struct explore_scenario {
	const char *name;
	const char *tells; /* one line for --list */
	uint32_t cpus_min, cpus_max;
	void (*run)(void); /* in a plain Linux thread, started */
	struct explore_scenario *next;
};

void explore_register(struct explore_scenario *scenario);

/* EXPLORE(name, fewest CPUs, most CPUs, "what happens") { body } */
#define EXPLORE(name_, min_, max_, tells_)                                             \
	static void run_##name_(void);                                                 \
	__attribute__((constructor)) static void register_##name_(void)                \
	{                                                                              \
		static struct explore_scenario scenario = {#name_, tells_,      min_,  \
							   max_,   run_##name_, NULL}; \
		explore_register(&scenario);                                           \
	}                                                                              \
	static void run_##name_(void)

/* End the run: something is not as it must be. Context: any. */
void explore_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
void explore_expect(const char *where, int line, const char *what, int64_t actual,
		    int64_t expected);

#define must_equal(actual, expected) \
	explore_expect(__FILE__, __LINE__, #actual, (int64_t)(actual), (int64_t)(expected))
#define must_succeed(call) must_equal(call, 0)
#define must(condition, ...)                       \
	do {                                       \
		if (!(condition))                  \
			explore_fail(__VA_ARGS__); \
	} while (0)

/* 0 … n - 1, from the seed. The order of the draws is the schedule's, which is the seed's too. */
uint32_t explore_below(uint32_t n);
static inline uint32_t explore_between(uint32_t low, uint32_t high)
{
	return low + explore_below(high - low + 1);
}
/* One time in n. */
static inline bool explore_chance(uint32_t n)
{
	return explore_below(n) == 0;
}
/* Real-time CPUs of this run, and one of them. */
uint32_t explore_cpus(void);
uint32_t explore_any_cpu(void);
/* TACT_FIFO or TACT_PRIO, on any CPU. */
uint32_t explore_any_flags(void);
/* Compute, sleep, yield or nothing, for at most that long. Context: task, Linux. */
void explore_dawdle(uint32_t longest_ns);
/* Sleep (a Linux thread computes) for 1 … longest ns: others of the CPU go on. */
void explore_pause(uint32_t longest_ns);

/* Who acts. */
struct explore_actor {
	void (*body)(struct explore_actor *actor);
	tact_task_t task; /* {0}: a Linux thread */
	uint32_t index;   /* of all actors of the run, in order of their making */
	uint32_t number;  /* given by the scenario */
	uint32_t locked;  /* how often it locked the scheduler */
	uint64_t progress;
	struct hal_sim_thread *thread;
	bool joined;
};

enum explore_kind { EXPLORE_LIGHT, EXPLORE_FULL, EXPLORE_EITHER };

/* A task; cpu and priority as given. Context: Linux. */
struct explore_actor *explore_task(enum explore_kind kind, uint32_t cpu, uint32_t priority,
				   void (*body)(struct explore_actor *), uint32_t number);
/* A further Linux thread of the program. */
struct explore_actor *explore_thread(void (*body)(struct explore_actor *), uint32_t number);
/* One time in n a thread, otherwise a task of either kind, on any CPU, of a priority from 1 to 9.
 */
struct explore_actor *explore_anyone(uint32_t n, void (*body)(struct explore_actor *),
				     uint32_t number);
struct explore_actor *explore_actor(uint32_t index);
uint32_t explore_actors(void);

/* Wait for the end of one actor, of all. What does not end is reported with what it waits for. */
void explore_join(struct explore_actor *actor);
void explore_join_all(void);
/* Unblock a task, give it another priority from 1 to 9, or move it, where it may well be in the way
 * of that. False: it has ended. Context: any. */
bool explore_disturb(const struct explore_actor *actor);
/* Unblock or move any other task, where priorities are not to change; then pause a while. Context:
 * task. */
void explore_jostle(struct explore_actor *self);
/* Somebody else has joined or deleted it. */
void explore_forget(struct explore_actor *actor);
/* What the nucleus has made for good by now belongs to the state that is compared at the end.
 * Context: Linux, before the first actor. */
void explore_keep(void);
/* Let virtual time pass until whatever can happen has happened. Context: Linux. */
void explore_rest(void);

/* status.c: what the nucleus says of itself in the status segment, read at no cost and without a
 * scheduling point, so at one instant. */
struct explore_status {
	uint32_t cpu, priority, base_priority, state, waits_for;
	uint64_t mode_switches, switches;
	bool running;
};
void explore_status_open(void);
bool explore_status(tact_task_t task, struct explore_status *status);
bool explore_waits(tact_task_t task, tact_object_t object);
/*
 * The running actor is the one that should run: no ready task on its CPU is more urgent, and the
 * CPU knows whom it runs. Called after each operation; in secondary mode it asks nothing. Context:
 * task.
 */
void explore_check(const struct explore_actor *actor);
/* Who waits for what, for reports. */
void explore_status_describe(char *text, uint32_t capacity);

#endif
