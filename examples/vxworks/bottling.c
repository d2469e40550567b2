/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A bottling plant as a program for VxWorks: 20 tasks, watchdogs and message queues, without
 * main().
 *
 * Twelve fillers fill bottles, each at its own pace, and hand them to four inspectors by a message
 * queue; what is good goes to two packers by a second queue. A watchdog of each filler calls the
 * plant when a bottle takes too long, as those of filler 7 do at times. A supervisor collects what
 * happens by events, a clerk counts under a mutex, and a task of the log prints.
 *
 * VxWorks would call usrAppInit(). Here the library has the main() that does this, and the program
 * ends when its last task has ended. In virtual time each run prints the same.
 */
#include <vxWorks.h>

#include <eventLib.h>
#include <msgQLib.h>
#include <semLib.h>
#include <stdio.h>
#include <sysLib.h>
#include <taskLib.h>
#include <tickLib.h>
#include <wdLib.h>

#define FILLERS    12
#define INSPECTORS 4
#define PACKERS    2
#define BOTTLES    5 /* of each filler */
#define CRATE      12
#define ALL        (FILLERS * BOTTLES)

#define PRIORITY_SUPERVISOR 50
#define PRIORITY_CLERK      60
#define PRIORITY_PACKER     90
#define PRIORITY_INSPECTOR  100
#define PRIORITY_FILLER     110
#define STACK               20000

#define SHIFT_OVER VXEV01
#define CRATE_FULL VXEV02
#define TOO_SLOW   VXEV03

void usrAppInit(void);

struct bottle {
	int filler;
	int number;
	ULONG tick;
};

static MSG_Q_ID filled, good;
static SEM_ID books, clerk_wakes;
static int supervisor;
static int late[FILLERS], packed, broken, crates;

/* Runs as a handler: it may send events, and not wait. */
static int takes_too_long(long filler)
{
	late[filler]++;
	return eventSend(supervisor, TOO_SLOW);
}

static int filler(long own)
{
	WDOG_ID watchdog = wdCreate();

	for (int number = 0; number < BOTTLES; number++) {
		struct bottle bottle = {(int)own, number, 0};
		int pace = 4 + (int)own;

		if (own == 7 && number % 2)
			pace *= 3;
		wdStart(watchdog, 20, takes_too_long, own);
		taskDelay(pace);
		wdCancel(watchdog);
		bottle.tick = tickGet();
		msgQSend(filled, (char *)&bottle, sizeof(bottle), WAIT_FOREVER, MSG_PRI_NORMAL);
	}
	return wdDelete(watchdog);
}

static int inspector(void)
{
	struct bottle bottle;

	while (msgQReceive(filled, (char *)&bottle, sizeof(bottle), WAIT_FOREVER) != ERROR) {
		taskDelay(2);
		if ((bottle.filler + bottle.number) % 11 == 10) {
			semTake(books, WAIT_FOREVER);
			broken++;
			semGive(books);
			semGive(clerk_wakes);
		} else {
			msgQSend(good, (char *)&bottle, sizeof(bottle), WAIT_FOREVER,
				 MSG_PRI_NORMAL);
		}
	}
	return OK;
}

static int packer(void)
{
	struct bottle bottle;

	while (msgQReceive(good, (char *)&bottle, sizeof(bottle), WAIT_FOREVER) != ERROR) {
		semTake(books, WAIT_FOREVER);
		packed++;
		if (packed % CRATE == 0) {
			crates++;
			printf("tick %3lu: crate %d, last from filler %d\n", tickGet(), crates,
			       bottle.filler);
			eventSend(supervisor, CRATE_FULL);
		}
		semGive(books);
		semGive(clerk_wakes);
	}
	return OK;
}

/* Counts until all bottles are accounted for. */
static int clerk(void)
{
	int counted = 0;

	while (counted < ALL) {
		semTake(clerk_wakes, WAIT_FOREVER);
		semTake(books, WAIT_FOREVER);
		counted = packed + broken;
		semGive(books);
	}
	printf("tick %3lu: %d bottles: %d packed, %d broken\n", tickGet(), counted, packed, broken);
	return eventSend(supervisor, SHIFT_OVER);
}

static int supervise(void)
{
	int seen_crates = 0;
	int complaints = 0;
	UINT32 events = 0;

	while (!(events & SHIFT_OVER)) {
		eventReceive(SHIFT_OVER | CRATE_FULL | TOO_SLOW, EVENTS_WAIT_ANY, WAIT_FOREVER,
			     &events);
		seen_crates += (events & CRATE_FULL) != 0;
		if (events & TOO_SLOW) {
			complaints++;
			printf("tick %3lu: a bottle takes too long\n", tickGet());
		}
	}
	printf("supervisor: %d crates, %d complaints, filler 7 was late %d times\n", seen_crates,
	       complaints, late[7]);
	/* What waits there gets an error, and ends. */
	msgQDelete(filled);
	msgQDelete(good);
	return OK;
}

static int spawn(const char *kind, int number, int priority, FUNCPTR entry)
{
	char name[16];

	snprintf(name, sizeof(name), "t%s%d", kind, number);
	return taskSpawn(name, priority, VX_FP_TASK, STACK, entry, number, 0, 0, 0, 0, 0, 0, 0, 0,
			 0);
}

void usrAppInit(void)
{
	int tasks = 2;

	sysClkRateSet(100);
	filled = msgQCreate(8, sizeof(struct bottle), MSG_Q_PRIORITY);
	good = msgQCreate(8, sizeof(struct bottle), MSG_Q_FIFO);
	books = semMCreate(SEM_Q_PRIORITY | SEM_INVERSION_SAFE);
	clerk_wakes = semBCreate(SEM_Q_FIFO, SEM_EMPTY);
	supervisor = spawn("Supervisor", 0, PRIORITY_SUPERVISOR, supervise);
	spawn("Clerk", 0, PRIORITY_CLERK, clerk);
	for (int n = 0; n < PACKERS; n++, tasks++)
		spawn("Packer", n, PRIORITY_PACKER, packer);
	for (int n = 0; n < INSPECTORS; n++, tasks++)
		spawn("Inspector", n, PRIORITY_INSPECTOR, inspector);
	for (int n = 0; n < FILLERS; n++, tasks++)
		spawn("Filler", n, PRIORITY_FILLER, (FUNCPTR)filler);
	printf("%d tasks and %s begin at tick %lu\n", tasks, taskName(0), tickGet());
}
