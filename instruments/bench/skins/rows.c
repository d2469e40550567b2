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

static const struct skin *paired; /* the side whose tasks hand over */

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

static double run(int (*operation)(void), uint64_t operations)
{
	struct loop loop = {.operation = operation, .operations = operations};
	/* It may call Linux: a creation of a skin does. */
	struct bench_task task = {go_round, &loop, BENCH_PRIORITY, 0, {0}};

	if (bench_tasks_run(&task, 1))
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
	paired = skin;
	return bench_pair_tasks(operations, 0, lead, follow);
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
	return run(skin_measured.create, operations);
}

static double create_native(uint64_t operations)
{
	return run(skin_native.create, operations);
}

static double sem(uint64_t operations)
{
	return run(skin_give_take, operations);
}

static double sem_native(uint64_t operations)
{
	return run(native_give_take, operations);
}

static double queue(uint64_t operations)
{
	return run(skin_measured.send_receive, operations);
}

static double queue_native(uint64_t operations)
{
	return run(skin_native.send_receive, operations);
}

static double event(uint64_t operations)
{
	return run(skin_measured.signal_receive, operations);
}

static double event_native(uint64_t operations)
{
	return run(skin_native.signal_receive, operations);
}

static double timer(uint64_t operations)
{
	return run(skin_measured.start_stop, operations);
}

static double timer_native(uint64_t operations)
{
	return run(skin_native.start_stop, operations);
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
