/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the programs of several skins share. The headers of two skins cannot be included together,
 * so each skin has a source of its own, which serves one form of a counting semaphore and of a task
 * by the skin's own calls. crossed.c and random.c use the skins of a program by these forms.
 */
#ifndef TESTS_SKINS_MIXED_H
#define TESTS_SKINS_MIXED_H

#include <stdbool.h>

#include <tactus/tact.h>

/* Semaphores of a skin, and tasks that run at once. */
#define MIXED_MANY  4
#define MIXED_TASKS 8

enum mixed_end {
	MIXED_TAKEN,
	MIXED_LATE,    /* no unit in time */
	MIXED_DELETED, /* while the caller waited */
	MIXED_GONE,    /* there is no such semaphore */
	MIXED_WRONG,   /* any other code of the skin */
};

/* The poll, a time of the skin that passes soon, and for ever. */
enum mixed_wait { MIXED_POLL, MIXED_SOON, MIXED_FOREVER };

struct mixed_skin {
	const char *name;
	/* Make a semaphore without units, whose waiters are served by arrival, with this number
	 * below MIXED_MANY; delete it, also under waiters. */
	void (*make)(int number);
	void (*unmake)(int number);
	/* From a task, a handler, or a thread of Linux. False: MIXED_GONE. */
	bool (*give)(int number);
	enum mixed_end (*take)(int number, enum mixed_wait wait);
	/* The native semaphore, found by its name; NULL: this skin gives it none. */
	tact_sem_t (*native)(int number);
	/* Start a task in a slot below MIXED_TASKS, which runs mixed_body(slot) and ends; wait
	 * until it does not exist any more. Context: linux. */
	void (*start)(int slot);
	void (*until_gone)(int slot);
};

extern const struct mixed_skin mixed_alchemy;
extern const struct mixed_skin mixed_vxworks;
extern const struct mixed_skin mixed_psos;
extern const struct mixed_skin mixed_uitron; /* the version of the program */
extern const struct mixed_skin mixed_vrtx;
extern const struct mixed_skin mixed_rtai;

/* Those of the program, to NULL: first.c and second.c. */
extern const struct mixed_skin *const mixed_skins[];
/* How many they are. */
int mixed_count(void);

/* What the task in a slot runs: crossed.c. */
void mixed_body(int slot);
/* Start a task of a skin in a slot that runs a body. */
void mixed_start(const struct mixed_skin *skin, int slot, void (*body)(int slot));
/* Wait until the task waits; until it does not exist any more. */
void mixed_until_waits(int slot);
void mixed_until_ended(int slot);

/* Find an object by the name that a skin gave it; failure ends the case. */
tact_object_t mixed_find(const char *name);

#endif
