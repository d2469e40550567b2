/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * VRTX: semaphores, queues, event flags, priorities. The model follows the rows of
 * skins/vrtx/calls.toml and their sources.
 */
#include "model.h"
#include "test.h"

#include <vrtx/vrtx.h>

#include <string.h>

enum { SEM_A, SEM_B, QUEUE, FLAGS }; /* objects */
#define NEVER_MADE (-1000l)          /* no call was made */
#define QUEUE_ID   7
#define FIRST_TASK 100

enum {
	SLEEP,
	TAKE,
	GIVE,
	RECEIVE,
	POST,
	JAM,
	BROADCAST,
	AWAIT,
	SET,
	CLEAR,
	DELETE,
	MAKE,
	PRIORITY,
};
static const char *const names[] = {
	"sc_delay", "sc_spend", "sc_spost",  "sc_qpend", "sc_qpost", "sc_qjam",      "sc_qbrdcst",
	"sc_fpend", "sc_fpost", "sc_fclear", "delete",   "create",   "sc_tpriority", NULL,
};

static unsigned object_of(const struct step *step)
{
	switch (step->op) {
	case TAKE:
	case GIVE:
		return SEM_A + (step->object & 1);
	case DELETE:
	case MAKE:
		return step->object % OBJECTS;
	case AWAIT:
	case SET:
	case CLEAR:
		return FLAGS;
	default:
		return QUEUE;
	}
}

static bool by_arrival(unsigned object)
{
	return program.how[object] & 1;
}

static unsigned size_of(unsigned object)
{
	return 1 + program.how[object] / 2 % 3;
}

static int mask_of(const struct step *step)
{
	const int mask = (int)(step->arg & 0xf);

	return mask ? mask : 1;
}

static unsigned target_of(const struct step *step)
{
	return step->object % program.actors;
}

/* The tasks. */

static int ids[OBJECTS];
static bool made[OBJECTS];

static void make(unsigned object)
{
	int code = -1;

	if (object == QUEUE)
		ids[object] =
			sc_qecreate(QUEUE_ID, (int)size_of(object), by_arrival(object), &code);
	else if (object == FLAGS)
		ids[object] = sc_fcreate(&code);
	else
		ids[object] = sc_screate(program.how[object] / 2 % 2, by_arrival(object), &code);
	expect_eq(code, RET_OK);
	made[object] = true;
}

static int delete (unsigned object, int opt)
{
	const bool was_made = made[object];
	int code = -1;

	/* Before those that waited go on. */
	made[object] = false;
	if (object == QUEUE)
		sc_qdelete(QUEUE_ID, opt, &code);
	else if (object == FLAGS)
		sc_fdelete(ids[object], opt, &code);
	else
		sc_sdelete(ids[object], opt, &code);
	if (code != RET_OK)
		made[object] = was_made;
	return code;
}

static void end(void)
{
	for (unsigned i = 0; i < OBJECTS; i++)
		if (made[i])
			expect_eq(delete (i, 1), RET_OK);
}

static void entry(void *unused)
{
	int told[3], code;

	(void)unused;
	(void)sc_tinquiry(told, 0, &code);
	expect_eq(code, RET_OK);
	live_actor((unsigned)told[0] - FIRST_TASK);
}

static int priority_of(unsigned rank)
{
	return (int)rank + 50;
}

static void start(unsigned actor)
{
	int code;

	(void)sc_tcreate(entry, FIRST_TASK + (int)actor, priority_of(program.actor[actor].rank),
			 &code);
	expect_eq(code, RET_OK);
}

static void until_gone(unsigned actor)
{
	int told[3], code;

	while (sc_tinquiry(told, FIRST_TASK + (int)actor, &code))
		settle();
}

static long call(unsigned actor, const struct step *step, unsigned units, long *value)
{
	const long ticks = (long)units * UNIT_TICKS;
	const unsigned object = object_of(step);
	char *const message = (char *)(uintptr_t)step->message;
	int code = RET_OK;

	(void)actor;
	switch (step->op) {
	case SLEEP:
		sc_delay(ticks);
		break;
	case TAKE:
		if (step->waits == POLLS)
			sc_saccept(ids[object], &code);
		else
			sc_spend(ids[object], ticks, &code);
		break;
	case GIVE:
		sc_spost(ids[object], &code);
		break;
	case RECEIVE:
		*value = (long)(uintptr_t)(step->waits == POLLS ? sc_qaccept(QUEUE_ID, &code)
								: sc_qpend(QUEUE_ID, ticks, &code));
		break;
	case POST:
		sc_qpost(QUEUE_ID, message, &code);
		break;
	case JAM:
		sc_qjam(QUEUE_ID, message, &code);
		break;
	case BROADCAST:
		sc_qbrdcst(QUEUE_ID, message, &code);
		break;
	case AWAIT:
		/* There is no poll. */
		if (step->waits == POLLS)
			return NEVER_MADE;
		*value = sc_fpend(ids[object], ticks, mask_of(step), step->arg & 0x100 ? 1 : 0,
				  &code);
		break;
	case SET:
		sc_fpost(ids[object], mask_of(step), &code);
		break;
	case CLEAR:
		*value = sc_fclear(ids[object], mask_of(step), &code);
		break;
	case DELETE:
		return step->arg % 4 ? NEVER_MADE : delete (object, step->arg & 0x100 ? 1 : 0);
	case MAKE:
		if (made[object])
			return NEVER_MADE;
		make(object);
		break;
	default:
		sc_tpriority(FIRST_TASK + (int)target_of(step),
			     priority_of(rank_of(target_of(step), step->arg)), &code);
		break;
	}
	return code;
}

/* The model. */

static struct {
	bool made;
	struct line line;
	unsigned units; /* of a semaphore, or the flags */
	unsigned count; /* of the messages */
	unsigned message[5];
} objects[OBJECTS];

static void model_make(unsigned object)
{
	memset(&objects[object], 0, sizeof(objects[object]));
	objects[object].made = true;
	objects[object].line.by_rank = !by_arrival(object);
	if (object != FLAGS)
		objects[object].units = program.how[object] / 2 % 2;
}

static void reset(void)
{
	for (unsigned i = 0; i < OBJECTS; i++)
		model_make(i);
}

static long gone_code(unsigned object)
{
	return object == QUEUE ? ER_QID : ER_ID;
}

static long model_delete(unsigned object, int opt)
{
	if (!opt && objects[object].line.count)
		return ER_PND;
	objects[object].made = false;
	(void)world_wake_all(&objects[object].line, ER_DEL, 0);
	return RET_OK;
}

static long model_send(unsigned place, unsigned most, unsigned message)
{
	unsigned *messages = objects[QUEUE].message;

	if (objects[QUEUE].line.count) {
		world_wake(objects[QUEUE].line.actor[0], RET_OK, message);
		return RET_OK;
	}
	if (objects[QUEUE].count >= most)
		return ER_QFL;
	memmove(&messages[place + 1], &messages[place],
		(objects[QUEUE].count - place) * sizeof(messages[0]));
	messages[place] = message;
	objects[QUEUE].count++;
	return RET_OK;
}

static bool are_met(const struct step *step)
{
	const unsigned mask = (unsigned)mask_of(step);
	const unsigned there = objects[FLAGS].units & mask;

	return step->arg & 0x100 ? there == mask : there != 0;
}

static long model_set(unsigned mask)
{
	struct line *line = &objects[FLAGS].line;
	const long code = objects[FLAGS].units & mask ? ER_OVF : RET_OK;
	unsigned place = 0;

	objects[FLAGS].units |= mask;
	while (place < line->count)
		if (are_met(&world_step[line->actor[place]]))
			world_wake(line->actor[place], RET_OK, objects[FLAGS].units);
		else
			place++;
	return code;
}

static bool model_waits(unsigned actor, unsigned object, const struct step *step, unsigned units,
			long *code)
{
	*code = ER_NMP;
	if (step->waits == POLLS)
		return true;
	world_wait(actor, &objects[object].line, step->waits, units, ER_TMO);
	return false;
}

static bool model(unsigned actor, const struct step *step, unsigned units, long *code, long *value)
{
	const unsigned object = object_of(step);
	const unsigned target = target_of(step);

	*code = RET_OK;
	*value = 0;
	if ((step->op == DELETE && step->arg % 4) || (step->op == AWAIT && step->waits == POLLS)) {
		*code = NEVER_MADE;
		return true;
	}
	if (step->op != SLEEP && step->op != MAKE && step->op != PRIORITY &&
	    !objects[object].made) {
		*code = gone_code(object);
		return true;
	}
	switch (step->op) {
	case SLEEP:
		world_wait(actor, NULL, WAITS_FOR_A_TIME, units, RET_OK);
		return false;
	case TAKE:
		if (!objects[object].units)
			return model_waits(actor, object, step, units, code);
		objects[object].units--;
		break;
	case GIVE:
		if (objects[object].line.count)
			world_wake(objects[object].line.actor[0], RET_OK, 0);
		else
			objects[object].units++;
		break;
	case RECEIVE:
		if (!objects[object].count)
			return model_waits(actor, object, step, units, code);
		*value = objects[object].message[0];
		objects[object].count--;
		memmove(objects[object].message, objects[object].message + 1,
			objects[object].count * sizeof(unsigned));
		break;
	case POST:
		*code = model_send(objects[QUEUE].count, size_of(QUEUE), step->message);
		break;
	case JAM:
		*code = model_send(0, size_of(QUEUE) + 1, step->message);
		break;
	case BROADCAST:
		(void)world_wake_all(&objects[object].line, RET_OK, step->message);
		break;
	case AWAIT:
		if (!are_met(step))
			return model_waits(actor, object, step, units, code);
		*value = objects[object].units;
		break;
	case SET:
		*code = model_set((unsigned)mask_of(step));
		break;
	case CLEAR:
		*value = objects[object].units;
		objects[object].units &= ~(unsigned)mask_of(step);
		break;
	case DELETE:
		*code = model_delete(object, step->arg & 0x100 ? 1 : 0);
		break;
	case MAKE:
		if (objects[object].made)
			*code = NEVER_MADE;
		else
			model_make(object);
		break;
	default:
		(void)world_set_rank(target, rank_of(target, step->arg));
		break;
	}
	return true;
}

const struct skin skin = {
	.name = "VRTX",
	.ops = names,
	.ok = RET_OK,
	.make = make,
	.end = end,
	.start = start,
	.until_gone = until_gone,
	.call = call,
	.model = model,
	.reset = reset,
};
