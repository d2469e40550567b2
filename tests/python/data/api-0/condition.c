/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A condition: wait, under a mutex, until something has become true. The waiter looks again each
 * time it is woken, because somebody else may have been there first.
 */
#include "example.h"

static tact_mutex_t mutex;
static tact_cond_t changed;
static int level;

static void wait_for_level(void *arg)
{
	(void)arg;
	expect(tact_mutex_lock(mutex, TACT_FOREVER), "lock");
	while (level < 2) {
		note("waiter: not enough yet");
		/* Gives the mutex back while it waits, and has it again when it returns. */
		expect(tact_cond_wait(changed, mutex, TACT_FOREVER), "wait");
	}
	note("waiter: the level is there");
	expect(tact_mutex_unlock(mutex), "unlock");
}

static void direct(void *arg)
{
	tact_task_t waiter = make("waiter", 220, 0);

	(void)arg;
	expect(tact_mutex_create(NULL, TACT_PRIO, 0, &mutex), "mutex");
	expect(tact_cond_create(NULL, TACT_PRIO, &changed), "cond");
	expect(tact_task_start(waiter, wait_for_level, NULL), "start");
	for (int i = 0; i < 2; i++) {
		expect(tact_mutex_lock(mutex, TACT_FOREVER), "lock");
		level++;
		note("director: raises the level");
		expect(tact_cond_signal(changed), "signal");
		expect(tact_mutex_unlock(mutex), "unlock");
	}
	expect(tact_task_join(waiter, TACT_FOREVER), "join");
}

int main(void)
{
	return run(1, direct);
}
