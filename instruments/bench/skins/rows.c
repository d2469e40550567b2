/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The group `skins`: each operation of the skin with which the program is linked, and the same
 * operation of the nucleus, measured in turn. SKIN is the name of the skin.
 */
#include "bench.h"
#include "groups.h"
#include "pair.h"
#include "skin.h"

struct loop {
	int (*operation)(void);
	uint64_t operations;
	double ns;
	int error;
};

/* A task of the skin, which is not joined. */
struct spawned {
	void (*body)(void *arg);
	void *arg;
	tact_sem_t ended;
};

static const struct skin *paired; /* the side whose tasks hand over */

void skin_run(void *what)
{
	const struct spawned *spawned = what;

	spawned->body(spawned->arg);
	(void)tact_sem_post(spawned->ended);
}

/* Run them as tasks of a side, and wait for their end. 0 or a negative error. They may call Linux:
 * a creation of a skin does. */
static int run_tasks(const struct skin *skin, void (*const *bodies)(void *arg), void *arg,
		     unsigned int count)
{
	struct bench_task tasks[2];
	struct spawned spawned[2];
	tact_sem_t ended;
	int error;

	for (unsigned int i = 0; i < count; i++)
		tasks[i] = (struct bench_task){bodies[i], arg, BENCH_PRIORITY, 0, {0}};
	if (!skin->spawn)
		return bench_tasks_run(tasks, count);
	error = tact_sem_create(NULL, 0, 2, TACT_FIFO, &ended);
	for (unsigned int i = 0; i < count && !error; i++) {
		spawned[i] = (struct spawned){bodies[i], arg, ended};
		error = skin->spawn(&spawned[i]) ? -TACT_EINVAL : 0;
	}
	if (error)
		return bench_failed("starting a task of the skin", error);
	for (unsigned int i = 0; i < count && !error; i++)
		error = tact_sem_wait(ended, TACT_FOREVER);
	return error ? bench_failed("a task of the skin", error) : tact_sem_delete(ended);
}

static void go_round(void *argument)
{
	struct loop *loop = argument;
	double start_ns;

	for (uint32_t i = 0; i < PAIR_WARM_UP; i++)
		loop->error |= loop->operation();
	start_ns = bench_now_ns();
	for (uint64_t i = 0; i < loop->operations; i++)
		loop->error |= loop->operation();
	loop->ns = bench_now_ns() - start_ns;
}

static double run(const struct skin *skin, int (*operation)(void), uint64_t operations)
{
	struct loop loop = {.operation = operation, .operations = operations};
	void (*const bodies[])(void *) = {go_round};

	if (run_tasks(skin, bodies, &loop, 1))
		return -1;
	return loop.error ? (double)bench_failed("an operation", -TACT_EINVAL) : loop.ns;
}

static void pair_give(int side)
{
	bench_pair_error |= paired->give(side);
}

static void pair_take(int side)
{
	bench_pair_error |= paired->take(side);
}

static void lead(void *pair)
{
	pair_lead(pair, pair_give, pair_take);
}

static void follow(void *pair)
{
	pair_follow(pair, pair_give, pair_take);
}

static double hand_over(const struct skin *skin, uint64_t operations)
{
	struct pair pair = {.turns = (operations + 1) / 2};
	void (*const bodies[])(void *) = {follow, lead};

	paired = skin;
	bench_pair_error = 0;
	if (run_tasks(skin, bodies, &pair, 2))
		return -1;
	return bench_pair_error ? (double)bench_failed("a hand-over", -TACT_EINVAL) : pair.ns;
}

static int skin_give_take(void)
{
	int error = skin_measured.give(2);

	return error ? error : skin_measured.take(2);
}

static int native_give_take(void)
{
	int error = skin_native.give(2);

	return error ? error : skin_native.take(2);
}

static double handoff(uint64_t operations)
{
	return hand_over(&skin_measured, operations);
}

static double handoff_native(uint64_t operations)
{
	return hand_over(&skin_native, operations);
}

static double create(uint64_t operations)
{
	return run(&skin_measured, skin_measured.create, operations);
}

static double create_native(uint64_t operations)
{
	return run(&skin_native, skin_native.create, operations);
}

static double sem(uint64_t operations)
{
	return run(&skin_measured, skin_give_take, operations);
}

static double sem_native(uint64_t operations)
{
	return run(&skin_native, native_give_take, operations);
}

static double queue(uint64_t operations)
{
	return run(&skin_measured, skin_measured.send_receive, operations);
}

static double queue_native(uint64_t operations)
{
	return run(&skin_native, skin_native.send_receive, operations);
}

static double event(uint64_t operations)
{
	return run(&skin_measured, skin_measured.signal_receive, operations);
}

static double event_native(uint64_t operations)
{
	return run(&skin_native, skin_native.signal_receive, operations);
}

static double timer(uint64_t operations)
{
	return run(&skin_measured, skin_measured.start_stop, operations);
}

static double timer_native(uint64_t operations)
{
	return run(&skin_native, skin_native.start_stop, operations);
}

static int open_both(uint64_t operations)
{
	int error = skin_native.open();

	(void)operations;
	if (error)
		return bench_failed("making the nucleus's objects", error);
	return skin_measured.open() ? bench_failed("making the skin's objects", -TACT_EINVAL) : 0;
}

static void close_both(void)
{
	skin_measured.close();
	skin_native.close();
}

#define ROW(name_, what_, run_, operations_)                                                    \
	{                                                                                       \
		.name = SKIN "_" name_, .what = what_, .peer = "the same by the native API",    \
		.operations = (operations_), .peer_operations = (operations_), .rounds = 25,    \
		.open = open_both, .run = run_, .peer_run = run_##_native, .close = close_both, \
	}

static const struct bench_row handoff_row =
	ROW("handoff", "hand-over through a semaphore, full tasks, one way", handoff, 100000);
static const struct bench_row create_row =
	ROW("create", "create and delete a semaphore", create, 2000);
static const struct bench_row sem_row =
	ROW("give_take", "give and take a semaphore without a waiter", sem, 200000);
static const struct bench_row queue_row =
	ROW("queue", "send and receive a message of 32 bytes", queue, 100000);
static const struct bench_row event_row =
	ROW("event", "set an event flag, wait for it, clear it", event, 100000);
static const struct bench_row timer_row =
	ROW("timer", "start and stop a timer of an hour", timer, 100000);

/* Those that the skin has. */
static const struct bench_row *rows[7];

const struct bench_group bench_groups[] = {
	{"skins", rows, true, {"skin", "native"}},
	{NULL, NULL, false, {NULL, NULL}},
};

__attribute__((constructor)) static void choose(void)
{
	const struct {
		bool has;
		const struct bench_row *row;
	} all[] = {
		{skin_measured.give, &handoff_row},
		{skin_measured.create, &create_row},
		{skin_measured.give, &sem_row},
		{skin_measured.send_receive, &queue_row},
		{skin_measured.signal_receive, &event_row},
		{skin_measured.start_stop, &timer_row},
	};
	int count = 0;

	for (unsigned int i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].has)
			rows[count++] = all[i].row;
}
