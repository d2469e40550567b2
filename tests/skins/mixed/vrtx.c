/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* VRTX, as mixed.h describes a skin. Its semaphores have no names. */
#include "mixed.h"
#include "test.h"

#include <vrtx/vrtx.h>

#define FIRST_TASK 100

static int sems[MIXED_MANY];

static void make(int number)
{
	int code;

	sems[number] = sc_screate(0, 1, &code);
	expect_eq(code, RET_OK);
}

static void unmake(int number)
{
	int code;

	sc_sdelete(sems[number], 1, &code);
	expect_eq(code, RET_OK);
}

static enum mixed_end end_of(int code)
{
	switch (code) {
	case RET_OK:
		return MIXED_TAKEN;
	case ER_NMP:
	case ER_TMO:
		return MIXED_LATE;
	case ER_DEL:
		return MIXED_DELETED;
	case ER_ID:
		return MIXED_GONE;
	default:
		return MIXED_WRONG;
	}
}

static bool give(int number)
{
	int code;

	sc_spost(sems[number], &code);
	expect_true(!code || code == ER_ID);
	return !code;
}

static enum mixed_end take(int number, enum mixed_wait wait)
{
	int code;

	if (wait == MIXED_POLL)
		sc_saccept(sems[number], &code);
	else
		sc_spend(sems[number], wait == MIXED_SOON ? 1 : 0, &code);
	return end_of(code);
}

/* The number of the task is that of its slot. */
static void entry(void *unused)
{
	int told[3], code;

	(void)unused;
	(void)sc_tinquiry(told, 0, &code);
	expect_eq(code, RET_OK);
	mixed_body(told[0] - FIRST_TASK);
}

static void start(int slot)
{
	int code;

	expect_eq(sc_tcreate(entry, FIRST_TASK + slot, 100, &code), FIRST_TASK + slot);
	expect_eq(code, RET_OK);
}

static void until_gone(int slot)
{
	int told[3], code;

	while (sc_tinquiry(told, FIRST_TASK + slot, &code))
		settle();
}

const struct mixed_skin mixed_vrtx = {
	"VRTX", make, unmake, give, take, NULL, start, until_gone,
};
