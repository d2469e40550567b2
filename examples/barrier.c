/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A barrier: three tasks wait for each other before each of them goes on, round after round.
 */
#include "example.h"

static tact_barrier_t barrier;

static void take_part(void *arg)
{
	for (int round = 0; round < 2; round++) {
		note((const char *)arg);
		/* Exactly one of them, the last to arrive, is told that it opened the barrier. */
		if (expect(tact_barrier_wait(barrier, TACT_FOREVER), "wait") > 0)
			note("  open");
	}
}

static void direct(void *arg)
{
	tact_task_t axis[3] = {make("x", 30, 0), make("y", 20, 0), make("z", 10, 0)};
	static char names[3][16] = {"x arrives", "y arrives", "z arrives"};

	(void)arg;
	expect(tact_barrier_create("axes", 3, TACT_PRIO, &barrier), "barrier");
	for (int i = 0; i < 3; i++)
		expect(tact_task_start(axis[i], take_part, names[i]), "start");
	for (int i = 0; i < 3; i++)
		expect(tact_task_join(axis[i], TACT_FOREVER), "join");
}

int main(void)
{
	return run(1, direct);
}
