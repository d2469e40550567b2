/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The state of the reference at an instant. What can be derived is derived again at each question:
 * urgency follows from owners and waiters. Only the places of equals and the budgets are stored.
 */
#ifndef TESTS_MODEL_WORLD_H
#define TESTS_MODEL_WORLD_H

#include "program.h"

#define NOBODY UINT32_MAX
#define CHUNKS 8

enum state { ABSENT, READY, SLEEPING, WAITING, ENDED };
enum outcome { NONE, HAD, IN_VAIN };

struct rank {
	uint32_t priority;
	uint64_t deadline_ns;
};

struct budget {
	int64_t left_ns;    /* quantum, budget; below 0: owed */
	uint64_t period_ns; /* begin of the period that it is of */
	uint64_t due_ns;    /* end of the throttling; MODEL_NEVER: none */
	uint64_t deadline_ns;
	bool low; /* sporadic, without budget */
	/* Of a sporadic server: the debt, the time paid since its last run, the begin and use of
	 * the present run, and the times that come back. */
	uint64_t debt_ns, paid_ns, paid_back_ns, begun_ns, used_ns;
	uint64_t at_ns[CHUNKS + 1], amount_ns[CHUNKS + 1];
	uint32_t chunks;
};

struct state_of_task {
	enum state state;
	uint32_t step;
	uint64_t next_release_ns; /* of periodic ones */
	uint64_t left_ns;         /* of the step, if it computes */
	uint64_t timeout_ns;      /* of the wait or sleep */
	uint64_t woken_ns;        /* when a wait or sleep ended last */
	bool has_run;             /* since then */
	uint32_t wanted;          /* while WAITING */
	enum outcome outcome;     /* of the wait that has ended, until its call returns */
	uint32_t client;          /* that it serves */
	uint64_t request;         /* and since when, counted from the first one */
	bool throttled;
	bool writes; /* it waits to */
	struct budget budget;
	/* As derived last, and its place among its equals since then. */
	struct rank rank;
	bool boosted, queued;
	int64_t place, wait_place;
};

struct world {
	const struct program *program;
	struct course *course;
	uint64_t now_ns;
	struct state_of_task task[MODEL_TASKS];
	uint32_t owner[MODEL_LOCKS];   /* of a mutex, writer */
	uint32_t readers[MODEL_LOCKS]; /* bits of tasks */
	int64_t quota_left_ns[MODEL_CPUS];
	uint64_t interval_end_ns[MODEL_CPUS];
	uint32_t running[MODEL_CPUS];
	int64_t first_place, last_place;
	uint64_t requests;
	bool unsure; /* the result depends on events that are too close together */
};

static inline const struct step *step_of(const struct world *world, uint32_t who)
{
	return &world->program->task[who].step[world->task[who].step];
}

static inline const struct task_program *program_of(const struct world *world, uint32_t who)
{
	return &world->program->task[who];
}

static inline struct budget *budget_of(struct world *world, uint32_t who)
{
	return &world->task[who].budget;
}

/* places.c */
bool rank_equal(struct rank a, struct rank b);
bool rank_before(struct world *world, struct rank a, struct rank b);
struct rank rank_of(struct world *world, uint32_t who);
void note_distance(struct world *world, uint64_t a, uint64_t b);
/* Update the places after each single event. */
void update_places(struct world *world);

/* reference.c: the wait or sleep is over. */
void wake(struct world *world, uint32_t who, enum outcome outcome);

/* resources.c: waiters, owners and the effects of calls. Each call returns whether the step is
 * done; if not, the task waits. */
struct rank demand_on(struct world *world, uint32_t who);
bool lock_resource(struct world *world, uint32_t who);
void unlock_resource(struct world *world, uint32_t who);
bool send_message(struct world *world, uint32_t who);
bool receive_message(struct world *world, uint32_t who);
void reply_message(struct world *world, uint32_t who);
void leave_resource(struct world *world, uint32_t who);

/* budgets.c: the classes. */
void begin_budgets(struct world *world);
uint32_t own_priority(const struct world *world, uint32_t who);
void class_wakes(struct world *world, uint32_t who);
void class_blocks(struct world *world, uint32_t who);
void class_begins(struct world *world, uint32_t who);
void class_ends(struct world *world, uint32_t who);
void class_charges(struct world *world, uint32_t who, uint64_t ran_ns);
/* It may have run for an instant, or not. */
void class_glimpses(struct world *world, uint32_t who);
/* When the running task's slice ends; MODEL_NEVER: it has none. */
uint64_t slice_end_ns(const struct world *world, uint32_t who);
void class_slice_over(struct world *world, uint32_t who);
/* The time of the next event of the class, and its effect. */
uint64_t budget_event_ns(const struct world *world, uint32_t who);
void serve_budget(struct world *world, uint32_t who);
void serve_interval(struct world *world, uint32_t cpu);

/* periods.c: CBS. */
void cbs_wake(struct world *world, uint32_t who);
void cbs_slice_over(struct world *world, uint32_t who);
/* The throttled server gets the budget of the period that this instant is in. */
void cbs_refill(struct world *world, uint32_t who, uint64_t now_ns);

/* chunks.c: sporadic servers. */
void sporadic_charge(struct world *world, uint32_t who, uint64_t ran_ns);
void sporadic_begin_run(struct world *world, uint32_t who);
void sporadic_end_run(struct world *world, uint32_t who);
/* An amount of 0: there may be one, or not. */
void sporadic_bring_back(struct world *world, uint32_t who, uint64_t from_ns, uint64_t amount_ns);
void sporadic_replenish(struct world *world, uint32_t who);

#endif
