/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A mutex with priority inheritance. A low task owns it, a high one waits for it, a middle one
 * wants the CPU: without inheritance the middle one would keep the high one waiting for as long as
 * it pleases. The owner therefore runs at the priority of who waits for it.
 */
#include "example.h"

static tact_mutex_t mutex;
static tact_task_t low, middle, high;

static void be_high(void *arg)
{
	(void)arg;
	note("high: wants the mutex");
	expect(tact_mutex_lock(mutex, TACT_FOREVER), "lock");
	note("high: has it");
	expect(tact_mutex_unlock(mutex), "unlock");
}

static void be_middle(void *arg)
{
	(void)arg;
	note("middle: runs when both are done");
}

static void be_low(void *arg)
{
	struct tact_task_info info;

	(void)arg;
	expect(tact_mutex_lock(mutex, TACT_FOREVER), "lock");
	note("low: has the mutex");
	expect(tact_task_start(high, be_high, NULL), "start");
	expect(tact_task_start(middle, be_middle, NULL), "start");
	expect(tact_task_inquire(TACT_SELF, &info), "inquire");
	note(info.priority == 30 ? "low: runs at the priority of high" : "low: was not boosted");
	expect(tact_mutex_unlock(mutex), "unlock");
	note("low: is its old self again");
}

static void direct(void *arg)
{
	(void)arg;
	low = make("low", 10, 0);
	middle = make("middle", 20, 0);
	high = make("high", 30, 0);
	expect(tact_mutex_create("bus", TACT_PRIO, 0, &mutex), "mutex");
	expect(tact_task_start(low, be_low, NULL), "start");
	expect(tact_task_join(low, TACT_FOREVER), "join");
	expect(tact_task_join(middle, TACT_FOREVER), "join");
	expect(tact_task_join(high, TACT_FOREVER), "join");
}

int main(void)
{
	return run(1, direct);
}
