/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Every call that waits takes a timeout: not at all, for a duration, until an instant of the
 * monotonic or of the wall clock, or for ever. A loop that waits until instants does not drift.
 */
#include "example.h"

static void direct(void *arg)
{
	tact_time_t instant;
	tact_sem_t sem;

	(void)arg;
	expect(tact_sem_create(NULL, 0, 1, TACT_FIFO, &sem), "sem");
	note(tact_sem_wait(sem, TACT_NOWAIT) == -TACT_EAGAIN ? "not at all: nothing there" : "?");

	instant = tact_now();
	note(tact_sem_wait(sem, tact_in(TACT_MS(2))) == -TACT_ETIMEDOUT ? "2 ms: timed out" : "?");
	note(tact_now().ns - instant.ns >= TACT_MS(2) ? "  and not too early" : "?");

	for (int i = 0; i < 3; i++) {
		instant = tact_time_add(instant, TACT_MS(5));
		/* Where the instant has passed already, it times out at once. */
		if (tact_sem_wait(sem, tact_at(instant)) == -TACT_ETIMEDOUT)
			note("until an instant: timed out");
	}
	instant = tact_time_add(tact_wall_now(), TACT_MS(2));
	note(tact_sem_wait(sem, tact_at_wall(instant)) == -TACT_ETIMEDOUT
		     ? "until a time of day: timed out"
		     : "?");

	expect(tact_sem_post(sem), "post");
	note(tact_sem_wait(sem, TACT_FOREVER) == 0 ? "for ever: it was there" : "?");
}

int main(void)
{
	return run(1, direct);
}
