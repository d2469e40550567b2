/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * µITRON 4.0: semaphores, data queues, event flags, mailboxes, priorities, released waits. The
 * model follows the specification, and the deviations of the rows in skins/uitron4/calls.toml.
 */
#include "model.h"
#include "test.h"

#include <kernel.h>

#include <string.h>

enum { SEM, DATA, FLAG, BOX }; /* objects, with the ID 1 each */
#define NEVER_MADE (-1000l)    /* no call was made */
#define UNITS_MAX  3

enum {
	SLEEP,
	TAKE,
	GIVE,
	SEND,
	FORCE,
	RECEIVE,
	AWAIT,
	SET,
	CLEAR,
	MAIL,
	FETCH,
	DELETE,
	MAKE,
	PRIORITY,
	RELEASE,
};
static const char *const names[] = {
	"dly_tsk",  "twai_sem", "sig_sem", "tsnd_dtq", "fsnd_dtq", "trcv_dtq",
	"twai_flg", "set_flg",  "clr_flg", "snd_mbx",  "trcv_mbx", "del_x",
	"cre_x",    "chg_pri",  "rel_wai", NULL,
};

static unsigned object_of(const struct step *step)
{
	switch (step->op) {
	case TAKE:
	case GIVE:
		return SEM;
	case SEND:
	case FORCE:
	case RECEIVE:
		return DATA;
	case AWAIT:
	case SET:
	case CLEAR:
		return FLAG;
	case MAIL:
	case FETCH:
		return BOX;
	default:
		return step->object % OBJECTS;
	}
}

static bool by_priority(unsigned object)
{
	return program.how[object] & 1;
}

/* Of the data queue: 0 to 2. */
static unsigned room(void)
{
	return program.how[DATA] / 2 % 3;
}

static bool for_many(void)
{
	return program.how[FLAG] & 2;
}

static bool clears(void)
{
	return program.how[FLAG] & 4;
}

static bool sorted(void)
{
	return program.how[BOX] & 2;
}

static FLGPTN bits_of(const struct step *step)
{
	const FLGPTN bits = step->arg & 0xf;

	return bits ? bits : 1;
}

static PRI message_priority(unsigned message)
{
	return 1 + (PRI)(message % 3);
}

static unsigned target_of(const struct step *step)
{
	return step->object % program.actors;
}

/* The tasks. */

static T_MSG_PRI mail[ACTORS * STEPS + 1];
static bool made[OBJECTS];

static ID id_of(unsigned actor)
{
	return (ID)actor + 1;
}

static PRI priority_of(unsigned rank)
{
	return (PRI)rank + 10;
}

static void make(unsigned object)
{
	const ATR order = by_priority(object) ? TA_TPRI : TA_TFIFO;
	T_CSEM sem = {order, program.how[SEM] / 2 % 2, UNITS_MAX};
	T_CDTQ data = {order, room(), NULL};
	T_CFLG flag = {order | (for_many() ? TA_WMUL : TA_WSGL) | (clears() ? TA_CLR : 0), 0};
	T_CMBX box = {order | (sorted() ? TA_MPRI : TA_MFIFO), 3, NULL};

	expect_eq(object == SEM    ? cre_sem(1, &sem)
		  : object == DATA ? cre_dtq(1, &data)
		  : object == FLAG ? cre_flg(1, &flag)
				   : cre_mbx(1, &box),
		  E_OK);
	made[object] = true;
}

static ER delete (unsigned object)
{
	made[object] = false;
	return object == SEM    ? del_sem(1)
	       : object == DATA ? del_dtq(1)
	       : object == FLAG ? del_flg(1)
				: del_mbx(1);
}

static void end(void)
{
	for (unsigned i = 0; i < OBJECTS; i++)
		if (made[i])
			expect_eq(delete (i), E_OK);
}

static void entry(VP_INT actor)
{
	live_actor((unsigned)actor);
}

static void start(unsigned actor)
{
	T_CTSK packet = {.tskatr = TA_HLNG,
			 .task = (FP)entry,
			 .itskpri = priority_of(program.actor[actor].rank)};

	expect_eq(cre_tsk(id_of(actor), &packet), E_OK);
	expect_eq(sta_tsk(id_of(actor), (VP_INT)actor), E_OK);
}

static void until_gone(unsigned actor)
{
	while (del_tsk(id_of(actor)) == E_OBJ)
		settle();
}

static ER fetch(TMO tmout, long *value)
{
	T_MSG *got = NULL;
	const ER code = trcv_mbx(1, &got, tmout);

	if (!code)
		*value = (T_MSG_PRI *)(void *)got - mail;
	return code;
}

static long call(unsigned actor, const struct step *step, unsigned units, long *value)
{
	const TMO ms = (TMO)(units * (UNIT_NS / 1000000u));
	const TMO tmout = step->waits == POLLS            ? TMO_POL
			  : step->waits == WAITS_FOR_EVER ? TMO_FEVR
							  : ms;
	const unsigned object = object_of(step);
	const unsigned target = target_of(step);
	T_MSG_PRI *message = &mail[step->message];
	FLGPTN seen = 0;
	VP_INT data = 0;
	ER code;

	(void)actor;
	switch (step->op) {
	case SLEEP:
		return dly_tsk((RELTIM)ms);
	case TAKE:
		return twai_sem(1, tmout);
	case GIVE:
		return sig_sem(1);
	case SEND:
		return tsnd_dtq(1, (VP_INT)step->message, tmout);
	case FORCE:
		return fsnd_dtq(1, (VP_INT)step->message);
	case RECEIVE:
		code = trcv_dtq(1, &data, tmout);
		*value = data;
		return code;
	case AWAIT:
		code = twai_flg(1, bits_of(step), step->arg & 0x100 ? TWF_ANDW : TWF_ORW, &seen,
				tmout);
		*value = (long)seen;
		return code;
	case SET:
		return set_flg(1, bits_of(step));
	case CLEAR:
		return clr_flg(1, ~bits_of(step));
	case MAIL:
		message->msgpri = message_priority(step->message);
		return snd_mbx(1, &message->msgque);
	case FETCH:
		return fetch(tmout, value);
	case DELETE:
		return step->arg % 4 ? NEVER_MADE : !made[object] ? NEVER_MADE : delete (object);
	case MAKE:
		if (made[object])
			return NEVER_MADE;
		make(object);
		return E_OK;
	case PRIORITY:
		return chg_pri(id_of(target), priority_of(rank_of(target, step->arg)));
	default:
		return rel_wai(id_of(target));
	}
}

/* The model. */

static struct {
	bool made;
	struct line line;    /* takers, receivers */
	struct line senders; /* of a data queue */
	unsigned units;      /* of a semaphore, or the bits */
	unsigned count;      /* of data or messages */
	unsigned message[ACTORS * STEPS];
} objects[OBJECTS];

static void model_make(unsigned object)
{
	memset(&objects[object], 0, sizeof(objects[object]));
	objects[object].made = true;
	objects[object].line.by_rank = by_priority(object);
	objects[object].senders.by_rank = by_priority(object);
	if (object == SEM)
		objects[object].units = program.how[SEM] / 2 % 2;
}

static void reset(void)
{
	for (unsigned i = 0; i < OBJECTS; i++)
		model_make(i);
}

static void append(unsigned object, unsigned message)
{
	objects[object].message[objects[object].count++] = message;
}

static unsigned remove_first(unsigned object)
{
	const unsigned first = objects[object].message[0];

	objects[object].count--;
	memmove(objects[object].message, objects[object].message + 1,
		objects[object].count * sizeof(unsigned));
	return first;
}

/* Behind those of its priority, or behind all. */
static void put_mail(unsigned message)
{
	unsigned *messages = objects[BOX].message;
	unsigned place = objects[BOX].count;

	while (sorted() && place &&
	       message_priority(messages[place - 1]) > message_priority(message))
		place--;
	memmove(&messages[place + 1], &messages[place],
		(objects[BOX].count - place) * sizeof(unsigned));
	messages[place] = message;
	objects[BOX].count++;
}

static bool waits(unsigned actor, struct line *line, const struct step *step, unsigned units,
		  long *code)
{
	*code = E_TMOUT;
	if (step->waits == POLLS)
		return true;
	world_wait(actor, line, step->waits, units, E_TMOUT);
	return false;
}

static bool send(unsigned actor, const struct step *step, unsigned units, long *code)
{
	if (objects[DATA].line.count)
		world_wake(objects[DATA].line.actor[0], E_OK, step->message);
	else if (objects[DATA].count < room())
		append(DATA, step->message);
	else
		return waits(actor, &objects[DATA].senders, step, units, code);
	return true;
}

static long force(unsigned message)
{
	if (!room())
		return E_ILUSE;
	if (objects[DATA].line.count) {
		world_wake(objects[DATA].line.actor[0], E_OK, message);
		return E_OK;
	}
	if (objects[DATA].count == room())
		(void)remove_first(DATA);
	append(DATA, message);
	return E_OK;
}

static bool receive(unsigned actor, const struct step *step, unsigned units, long *code,
		    long *value)
{
	struct line *senders = &objects[DATA].senders;
	unsigned sent = 0;

	if (!objects[DATA].count && !senders->count)
		return waits(actor, &objects[DATA].line, step, units, code);
	if (senders->count) {
		sent = world_step[senders->actor[0]].message;
		world_wake(senders->actor[0], E_OK, 0);
	}
	if (sent)
		append(DATA, sent);
	*value = remove_first(DATA);
	return true;
}

static bool are_met(const struct step *step)
{
	const unsigned there = objects[FLAG].units & bits_of(step);

	return step->arg & 0x100 ? there == bits_of(step) : there != 0;
}

static void set(unsigned bits)
{
	struct line *line = &objects[FLAG].line;
	unsigned place = 0;

	objects[FLAG].units |= bits;
	while (place < line->count) {
		if (!are_met(&world_step[line->actor[place]])) {
			place++;
			continue;
		}
		world_wake(line->actor[place], E_OK, objects[FLAG].units);
		if (clears())
			objects[FLAG].units = 0;
	}
}

static bool await(unsigned actor, const struct step *step, unsigned units, long *code, long *value)
{
	if (!for_many() && objects[FLAG].line.count) {
		*code = E_ILUSE;
		return true;
	}
	if (!are_met(step))
		return waits(actor, &objects[FLAG].line, step, units, code);
	*value = objects[FLAG].units;
	if (clears())
		objects[FLAG].units = 0;
	return true;
}

static long release(unsigned actor, unsigned target)
{
	if (target == actor)
		return E_OBJ;
	if (world_sleeps(target))
		return world_stir(target) ? E_OK : E_OBJ;
	if (!world_waits(target))
		return E_OBJ;
	world_wake(target, E_RLWAI, 0);
	return E_OK;
}

static long model_delete(unsigned object)
{
	objects[object].made = false;
	(void)world_wake_all(&objects[object].line, E_DLT, 0);
	(void)world_wake_all(&objects[object].senders, E_DLT, 0);
	return E_OK;
}

static bool model(unsigned actor, const struct step *step, unsigned units, long *code, long *value)
{
	const unsigned object = object_of(step);
	const unsigned target = target_of(step);

	*code = E_OK;
	*value = 0;
	if (step->op == DELETE || step->op == MAKE) {
		const bool there = objects[object].made;

		if (step->op == MAKE && !there)
			model_make(object);
		else if (step->op == DELETE && there && step->arg % 4 == 0)
			*code = model_delete(object);
		else
			*code = NEVER_MADE;
		return true;
	}
	if (step->op >= TAKE && step->op <= FETCH && !objects[object].made) {
		*code = E_NOEXS;
		return true;
	}
	switch (step->op) {
	case SLEEP:
		world_wait(actor, NULL, WAITS_FOR_A_TIME, units, E_OK);
		return false;
	case TAKE:
		if (!objects[SEM].units)
			return waits(actor, &objects[SEM].line, step, units, code);
		objects[SEM].units--;
		break;
	case GIVE:
		if (objects[SEM].line.count)
			world_wake(objects[SEM].line.actor[0], E_OK, 0);
		else if (objects[SEM].units == UNITS_MAX)
			*code = E_QOVR;
		else
			objects[SEM].units++;
		break;
	case SEND:
		return send(actor, step, units, code);
	case FORCE:
		*code = force(step->message);
		break;
	case RECEIVE:
		return receive(actor, step, units, code, value);
	case AWAIT:
		return await(actor, step, units, code, value);
	case SET:
		set(bits_of(step));
		break;
	case CLEAR:
		objects[FLAG].units &= ~bits_of(step);
		break;
	case MAIL:
		if (objects[BOX].line.count)
			world_wake(objects[BOX].line.actor[0], E_OK, step->message);
		else
			put_mail(step->message);
		break;
	case FETCH:
		if (!objects[BOX].count)
			return waits(actor, &objects[BOX].line, step, units, code);
		*value = remove_first(BOX);
		break;
	case PRIORITY:
		(void)world_set_rank(target, rank_of(target, step->arg));
		break;
	default:
		*code = release(actor, target);
		break;
	}
	return true;
}

const struct skin skin = {
	.name = "µITRON 4.0",
	.ops = names,
	.ok = E_OK,
	.make = make,
	.end = end,
	.start = start,
	.until_gone = until_gone,
	.call = call,
	.model = model,
	.reset = reset,
};
