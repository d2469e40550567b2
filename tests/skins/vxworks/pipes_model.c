/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program for tests/python/test_vx_explore.py: writers, readers and tasks that wait in select()
 * use one pipe at random, a watchdog writes into it, and it is deleted under all of them. Each seed
 * of the simulation is another schedule; the argument of start() is another set of actions. A model
 * beside the pipe knows each message: it is read once or left, with its length, and the messages of
 * a writer come in order. The program aborts if the pipe does something else.
 */
#include <errnoLib.h>
#include <pipeDrv.h>
#include <selectLib.h>
#include <semLib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <taskLib.h>
#include <tickLib.h>
#include <unistd.h>
#include <wdLib.h>

#define WRITERS  4 /* the last one is the watchdog */
#define READERS  3
#define MESSAGES 400
#define LONGEST  24
#define PIPE     "/pipe/model"

int start(int seed);

struct message {
	int writer;
	int number;
	char rest[LONGEST - 2 * sizeof(int)];
};

/* Of the model: per writer, what was written, and what was read. */
static struct {
	int written;
	int length[MESSAGES];
	int times_read[MESSAGES];
	int last_read[READERS]; /* by reader, plus 1 */
} model[WRITERS];

static unsigned int state;
static int ended;
static int depth;
static WDOG_ID watchdog;
static int watchdog_fd;

#define CHECK(CONDITION)                                                        \
	do {                                                                    \
		if (!(CONDITION)) {                                             \
			fprintf(stderr, "line %d: %s\n", __LINE__, #CONDITION); \
			abort();                                                \
		}                                                               \
	} while (0)

static int any(int below)
{
	state = state * 1103515245u + 12345u;
	return (int)(state >> 16) % below;
}

static int length_of(int writer, int number)
{
	return (int)(2 * sizeof(int)) + (writer * 7 + number * 5) % (LONGEST - 7);
}

/* Is the result that of a pipe which is there, or was it deleted? */
static BOOL is_there(int result)
{
	if (result == ERROR)
		CHECK(errno == S_objLib_OBJ_DELETED);
	return result != ERROR;
}

static int write_one(int fd, int writer)
{
	struct message message = {.writer = writer, .number = model[writer].written};
	const int length = length_of(writer, message.number);

	CHECK(length <= LONGEST);
	/* Before it can be read. */
	model[writer].length[message.number] = length;
	return (int)write(fd, &message, (size_t)length);
}

static int writer(int who)
{
	const int fd = open(PIPE, O_WRONLY, 0);

	CHECK(fd != ERROR);
	while (model[who].written < MESSAGES && is_there(write_one(fd, who))) {
		model[who].written++;
		taskDelay(any(3));
	}
	(void)close(fd);
	ended++;
	return 0;
}

/* A handler does not wait. */
static int bark(void)
{
	const int who = WRITERS - 1;
	const int result = write_one(watchdog_fd, who);

	if (result != ERROR)
		model[who].written++;
	else if (errnoGet() != S_objLib_OBJ_UNAVAILABLE)
		return 0;
	if (model[who].written < MESSAGES)
		(void)wdStart(watchdog, 1 + any(2), (FUNCPTR)bark, 0);
	return 0;
}

static void take(int reader, const struct message *message, int bytes)
{
	const int who = message->writer;
	const int number = message->number;

	CHECK(who >= 0 && who < WRITERS && number >= 0 && number < MESSAGES);
	CHECK(bytes == model[who].length[number]);
	CHECK(!model[who].times_read[number]++);
	/* What one reader gets of one writer comes in order. */
	CHECK(model[who].last_read[reader] <= number);
	model[who].last_read[reader] = number + 1;
}

/* May this reader read? FALSE: the pipe was deleted. */
static BOOL select_first(int fd, int *found)
{
	const ULONG begin = tickGet();
	const int ticks = any(4);
	struct timeval timeout = {0, ticks * 1000000 / 60};
	fd_set reads;

	FD_ZERO(&reads);
	FD_SET(fd, &reads);
	*found = select(fd + 1, &reads, NULL, NULL, &timeout);
	if (!is_there(*found))
		return FALSE;
	CHECK(*found ? FD_ISSET(fd, &reads) : !FD_ISSET(fd, &reads));
	if (!*found)
		CHECK(tickGet() - begin >= (ULONG)ticks);
	return TRUE;
}

static int reader(int who)
{
	const int fd = open(PIPE, O_RDONLY, 0);
	struct message message;
	int found = 1;
	int messages;

	CHECK(fd != ERROR);
	for (;;) {
		int bytes;

		if (any(2) && !select_first(fd, &found))
			break;
		if (!found) {
			found = 1;
			continue;
		}
		if (!is_there(ioctl(fd, FIONMSGS, &messages)))
			break;
		CHECK(messages >= 0 && messages <= depth);
		bytes = (int)read(fd, &message, sizeof(message));
		if (!is_there(bytes))
			break;
		take(who, &message, bytes);
		taskDelay(any(3));
	}
	(void)close(fd);
	ended++;
	return 0;
}

/* Waits for room with everybody else, and never writes. */
static int looker(void)
{
	const int fd = open(PIPE, O_WRONLY, 0);
	struct timeval timeout = {0, 100000};
	fd_set writes;
	int found;

	do {
		FD_ZERO(&writes);
		FD_SET(fd, &writes);
		found = select(fd + 1, NULL, &writes, NULL, &timeout);
		if (found > 0)
			taskDelay(1);
	} while (is_there(found));
	(void)close(fd);
	ended++;
	return 0;
}

static void spawn(FUNCPTR body, int who)
{
	CHECK(taskSpawn(NULL, 60 + any(100), VX_FP_TASK, 20000, body, who, 0, 0, 0, 0, 0, 0, 0, 0,
			0) != ERROR);
}

/* What was written and not read must still have been in the pipe. */
static void compare(void)
{
	int left = 0;

	for (int who = 0; who < WRITERS; who++)
		for (int number = 0; number < MESSAGES; number++) {
			const int times = model[who].times_read[number];

			CHECK(times == 0 || times == 1);
			CHECK(number < model[who].written || !times);
			left += number < model[who].written && !times;
		}
	/* A reader that was told of the deletion has taken none. */
	CHECK(left <= depth);
}

int start(int seed)
{
	state = (unsigned int)seed;
	depth = 1 + any(4);
	CHECK(pipeDevCreate(PIPE, depth, LONGEST) == OK);
	watchdog_fd = open(PIPE, O_WRONLY, 0);
	watchdog = wdCreate();
	for (int who = 0; who < WRITERS - 1; who++)
		spawn((FUNCPTR)writer, who);
	for (int who = 0; who < READERS; who++)
		spawn((FUNCPTR)reader, who);
	spawn((FUNCPTR)looker, 0);
	(void)wdStart(watchdog, 1, (FUNCPTR)bark, 0);
	taskDelay(30 + any(60));
	CHECK(pipeDevDelete(PIPE, FALSE) == ERROR);
	CHECK(errno == EMFILE || errno == EBUSY);
	CHECK(pipeDevDelete(PIPE, TRUE) == OK);
	for (int waited = 0; ended < WRITERS - 1 + READERS + 1; waited++) {
		CHECK(waited < 1000);
		taskDelay(1);
	}
	(void)wdCancel(watchdog);
	(void)close(watchdog_fd);
	compare();
	/* Nothing of it is left: a pipe of this name is a new one, which nobody uses. */
	CHECK(pipeDevCreate(PIPE, 1, 1) == OK);
	CHECK(pipeDevDelete(PIPE, FALSE) == OK);
	return 0;
}
