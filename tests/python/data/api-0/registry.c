/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Objects by name: parts of a program that know nothing of each other but a name find each other,
 * in whatever order they start.
 */
#include "example.h"

static void look_for_it(void *arg)
{
	tact_handle_t door;

	(void)arg;
	note("early: waits until there is a \"door\"");
	expect(tact_find("door", TACT_FOREVER, &door), "find");
	note("early: has found it");
	expect(tact_sem_post(door), "post");
}

static void direct(void *arg)
{
	tact_task_t early = make("early", 220, 0);
	tact_handle_t found;
	tact_sem_t door;

	(void)arg;
	note(tact_find("door", TACT_NOWAIT, NULL) == -TACT_EAGAIN ? "nobody has made one" : "?");
	expect(tact_task_start(early, look_for_it, NULL), "start");
	note("director: makes it");
	expect(tact_sem_create("door", 0, 1, TACT_FIFO, &door), "sem");
	expect(tact_sem_wait(door, TACT_FOREVER), "wait");

	note(tact_sem_create("door", 0, 1, TACT_FIFO, NULL) == -TACT_EEXIST ? "names are unique"
									    : "?");
	/* Tasks are in the registry too, and any object can be deleted by its handle. */
	expect(tact_find("director", TACT_NOWAIT, &found), "find");
	note(found == tact_task_self() ? "director: has found itself" : "?");
	expect(tact_delete(door), "delete");
	note(tact_find("door", TACT_NOWAIT, NULL) == -TACT_EAGAIN ? "the name went with it" : "?");
	expect(tact_task_join(early, TACT_FOREVER), "join");
}

int main(void)
{
	return run(1, direct);
}
