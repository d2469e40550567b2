/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pSOS+: semaphores, queues, events, priorities. The model follows pSOSystem System Calls, and the
 * deviations of the rows in skins/psos/calls.toml.
 */
#include "model.h"
#include "test.h"

#include <psos.h>

#include <string.h>

enum { SEM_A, SEM_B, QUEUE_A, QUEUE_B }; /* objects */
#define IS_QUEUE(object) ((object) >= QUEUE_A)
#define NEVER_MADE       (-1000l) /* no call was made */
#define EVENTS           0xfu

enum {
	SLEEP,
	TAKE,
	GIVE,
	DELETE_SEM,
	RECEIVE,
	SEND,
	URGENT,
	BROADCAST,
	DELETE_QUEUE,
	MAKE,
	AWAIT,
	EVENT,
	PRIORITY,
};
static const char *const names[] = {
	"tm_wkafter",  "sm_p",     "sm_v",   "sm_delete",  "q_receive", "q_send",   "q_urgent",
	"q_broadcast", "q_delete", "create", "ev_receive", "ev_send",   "t_setpri", NULL,
};

static unsigned object_of(const struct step *step)
{
	const unsigned which = step->object & 1;

	switch (step->op) {
	case TAKE:
	case GIVE:
	case DELETE_SEM:
		return SEM_A + which;
	case MAKE:
		return step->object % OBJECTS;
	default:
		return QUEUE_A + which;
	}
}

static bool by_priority(unsigned object)
{
	return program.how[object] & 1;
}

static unsigned limit_of(unsigned object)
{
	return 1 + program.how[object] / 2 % 3;
}

static unsigned long events_of(const struct step *step)
{
	const unsigned long events = step->arg & EVENTS;

	return events ? events : 1;
}

static unsigned target_of(const struct step *step)
{
	return step->object % program.actors;
}

/* The tasks. */

static unsigned long ids[OBJECTS];
static bool made[OBJECTS];
static unsigned long tasks[ACTORS];

static unsigned long priority_of(unsigned rank)
{
	return 200 - rank;
}

static void make(unsigned object)
{
	if (IS_QUEUE(object))
		expect_eq(q_create("QUEU", limit_of(object),
				   Q_LIMIT | (by_priority(object) ? Q_PRIOR : Q_FIFO),
				   &ids[object]),
			  0);
	else
		expect_eq(sm_create("SEMA", program.how[object] / 2 % 2,
				    by_priority(object) ? SM_PRIOR : SM_FIFO, &ids[object]),
			  0);
	made[object] = true;
}

static unsigned long delete (unsigned object)
{
	made[object] = false;
	return IS_QUEUE(object) ? q_delete(ids[object]) : sm_delete(ids[object]);
}

static void end(void)
{
	for (unsigned i = 0; i < OBJECTS; i++)
		if (made[i])
			(void)delete (i);
	for (unsigned i = 0; i < program.actors; i++)
		expect_eq(ev_send(tasks[i], EVENTS), 0);
}

static void entry(unsigned long actor, unsigned long b, unsigned long c, unsigned long d)
{
	(void)b, (void)c, (void)d;
	live_actor((unsigned)actor);
	(void)t_delete(0);
}

static void start(unsigned actor)
{
	unsigned long args[4] = {actor};

	expect_eq(t_create("ACTR", priority_of(program.actor[actor].rank), 4096, 4096, 0,
			   &tasks[actor]),
		  0);
	expect_eq(t_start(tasks[actor], T_PREEMPT, entry, args), 0);
}

static void until_gone(unsigned actor)
{
	unsigned long value;

	while (!t_getreg(tasks[actor], 0, &value))
		settle();
}

static unsigned long receive(const struct step *step, unsigned long ticks, long *value)
{
	unsigned long message[4] = {0};
	unsigned long code = q_receive(ids[object_of(step)],
				       step->waits == POLLS ? Q_NOWAIT : Q_WAIT, ticks, message);

	*value = (long)message[0];
	return code;
}

static long call(unsigned actor, const struct step *step, unsigned units, long *value)
{
	const unsigned long ticks = (unsigned long)units * UNIT_TICKS;
	const unsigned object = object_of(step);
	unsigned long message[4] = {step->message};
	unsigned long got = 0, code;

	(void)actor;
	switch (step->op) {
	case SLEEP:
		return (long)tm_wkafter(ticks);
	case TAKE:
		return (long)sm_p(ids[object], step->waits == POLLS ? SM_NOWAIT : SM_WAIT, ticks);
	case GIVE:
		return (long)sm_v(ids[object]);
	case RECEIVE:
		return (long)receive(step, ticks, value);
	case SEND:
		return (long)q_send(ids[object], message);
	case URGENT:
		return (long)q_urgent(ids[object], message);
	case BROADCAST:
		code = q_broadcast(ids[object], message, &got);
		break;
	case DELETE_SEM:
	case DELETE_QUEUE:
		/* Not often, so that there is something to wait for. */
		return step->arg % 4 ? NEVER_MADE : (long)delete (object);
	case MAKE:
		if (made[object])
			return NEVER_MADE;
		make(object);
		return 0;
	case AWAIT:
		code = ev_receive(events_of(step),
				  (step->waits == POLLS ? EV_NOWAIT : EV_WAIT) |
					  (step->arg & 0x100 ? EV_ANY : EV_ALL),
				  ticks, &got);
		break;
	case EVENT:
		return (long)ev_send(tasks[target_of(step)], events_of(step));
	default:
		code = t_setpri(tasks[target_of(step)],
				priority_of(rank_of(target_of(step), step->arg)), &got);
		break;
	}
	*value = (long)got;
	return (long)code;
}

/* The model. */

static struct {
	bool made;
	struct line line;
	unsigned units; /* of a semaphore */
	unsigned count; /* of the messages */
	unsigned message[4];
} objects[OBJECTS];
static unsigned long pending[ACTORS];
static unsigned long captured[ACTORS]; /* by a call of ev_receive() */

static void model_make(unsigned object)
{
	memset(&objects[object], 0, sizeof(objects[object]));
	objects[object].made = true;
	objects[object].line.by_rank = by_priority(object);
	objects[object].units = program.how[object] / 2 % 2;
}

static void reset(void)
{
	for (unsigned i = 0; i < OBJECTS; i++)
		model_make(i);
	memset(pending, 0, sizeof(pending));
}

static long model_delete(unsigned object)
{
	const unsigned messages = objects[object].count;

	objects[object].made = false;
	if (!IS_QUEUE(object))
		return world_wake_all(&objects[object].line, ERR_SKILLD, 0) ? ERR_TATSDEL : 0;
	if (world_wake_all(&objects[object].line, ERR_QKILLD, 0))
		return ERR_TATQDEL;
	return messages ? ERR_MATQDEL : 0;
}

/* Put a message at a place of the queue, or give it to the first task that waits. */
static long model_send(unsigned object, unsigned place, unsigned message)
{
	unsigned *messages = objects[object].message;

	if (objects[object].line.count) {
		world_wake(objects[object].line.actor[0], 0, message);
		return 0;
	}
	if (objects[object].count == limit_of(object))
		return ERR_QFULL;
	memmove(&messages[place + 1], &messages[place],
		(objects[object].count - place) * sizeof(messages[0]));
	messages[place] = message;
	objects[object].count++;
	return 0;
}

static bool has_events(unsigned actor, const struct step *step)
{
	return step->arg & 0x100 ? captured[actor] != 0 : captured[actor] == events_of(step);
}

/* A task captures each event that it selects once: what comes again is pending. */
static unsigned long capture(unsigned actor, const struct step *step, unsigned long events)
{
	const unsigned long match = events & events_of(step) & ~captured[actor];

	captured[actor] |= match;
	return events & ~match;
}

/* A task that was not the most urgent one when its first event came takes the others when it runs,
 * as a set: a deviation. */
static bool again(unsigned actor, long *code, long *value)
{
	pending[actor] = capture(actor, &world_step[actor], pending[actor]);
	*code = 0;
	*value = (long)captured[actor];
	return has_events(actor, &world_step[actor]);
}

static void model_event(unsigned target, unsigned long events)
{
	const struct step *step = &world_step[target];
	const unsigned long before = captured[target];

	if (!world_waits(target) || world_sleeps(target) || step->op != AWAIT) {
		pending[target] |= events;
		return;
	}
	pending[target] |= capture(target, step, events);
	if (has_events(target, step))
		world_wake(target, 0, (long)captured[target]);
	else if (captured[target] != before)
		world_run_again(target);
}

/* What came before a timeout stays pending. */
static void was_late(unsigned actor)
{
	if (world_step[actor].op == AWAIT)
		pending[actor] |= captured[actor];
}

/* The object has not what is asked for. */
static bool model_waits(unsigned actor, struct line *line, const struct step *step, unsigned units,
			long *code, long none)
{
	*code = none;
	if (step->waits == POLLS)
		return true;
	world_wait(actor, line, step->waits, units, ERR_TIMEOUT);
	return false;
}

static bool model(unsigned actor, const struct step *step, unsigned units, long *code, long *value)
{
	const unsigned object = object_of(step);
	const unsigned target = target_of(step);
	const bool of_object = step->op >= TAKE && step->op <= DELETE_QUEUE;
	const bool deletes = step->op == DELETE_SEM || step->op == DELETE_QUEUE;

	*code = 0;
	*value = 0;
	if (deletes && step->arg % 4) {
		*code = NEVER_MADE;
		return true;
	}
	if (of_object && !objects[object].made) {
		*code = ERR_OBJDEL;
		return true;
	}
	switch (step->op) {
	case SLEEP:
		world_wait(actor, NULL, WAITS_FOR_A_TIME, units, 0);
		return false;
	case TAKE:
		if (!objects[object].units)
			return model_waits(actor, &objects[object].line, step, units, code,
					   ERR_NOSEM);
		objects[object].units--;
		break;
	case GIVE:
		if (objects[object].line.count)
			world_wake(objects[object].line.actor[0], 0, 0);
		else
			objects[object].units++;
		break;
	case RECEIVE:
		if (!objects[object].count)
			return model_waits(actor, &objects[object].line, step, units, code,
					   ERR_NOMSG);
		*value = objects[object].message[0];
		objects[object].count--;
		memmove(objects[object].message, objects[object].message + 1,
			objects[object].count * sizeof(unsigned));
		break;
	case SEND:
		*code = model_send(object, objects[object].count, step->message);
		break;
	case URGENT:
		*code = model_send(object, 0, step->message);
		break;
	case BROADCAST:
		*value = world_wake_all(&objects[object].line, 0, step->message);
		break;
	case DELETE_SEM:
	case DELETE_QUEUE:
		*code = model_delete(object);
		break;
	case MAKE:
		if (objects[object].made)
			*code = NEVER_MADE;
		else
			model_make(object);
		break;
	case AWAIT:
		captured[actor] = 0;
		pending[actor] = capture(actor, step, pending[actor]);
		if (!has_events(actor, step))
			return model_waits(actor, NULL, step, units, code, ERR_NOEVS);
		*value = (long)captured[actor];
		break;
	case EVENT:
		model_event(target, events_of(step));
		break;
	default:
		*value = (long)priority_of(world_set_rank(target, rank_of(target, step->arg)));
		break;
	}
	return true;
}

const struct skin skin = {
	.name = "pSOS",
	.ops = names,
	.ok = 0,
	.make = make,
	.end = end,
	.start = start,
	.until_gone = until_gone,
	.call = call,
	.model = model,
	.reset = reset,
	.again = again,
	.was_late = was_late,
};
