/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Several real-time CPUs. A program has one unless it asks for more. A task belongs to one CPU
 * until it is moved; an object has a home CPU, and calls from another one travel there and back by
 * themselves.
 */
#include "example.h"

static tact_sem_t far; /* lives on CPU 1 */

static void note_cpu(const char *who)
{
	struct tact_task_info info;
	char text[64];

	expect(tact_task_inquire(TACT_SELF, &info), "inquire");
	snprintf(text, sizeof(text), "%s: on CPU %u", who, info.cpu);
	note(text);
}

static void follow(void *arg)
{
	(void)arg;
	expect(tact_sem_wait(far, TACT_FOREVER), "wait");
	note_cpu("follower");
}

static void direct(void *arg)
{
	tact_task_t follower = make("follower", 10, TACT_ON_CPU(1));

	(void)arg;
	expect(tact_sem_create("far", 0, 1, TACT_ON_CPU(1), &far), "sem");
	expect(tact_task_start(follower, follow, NULL), "start");
	note_cpu("director");

	expect(tact_sem_post(far), "post"); /* to the other CPU and back */
	expect(tact_task_join(follower, TACT_FOREVER), "join");

	expect(tact_task_migrate(TACT_SELF, 1), "migrate");
	note_cpu("director");
	note(tact_task_migrate(TACT_SELF, 2) == -TACT_ENXIO ? "there is no CPU 2" : "?");
}

int main(void)
{
	return run(2, direct);
}
