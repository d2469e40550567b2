/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* VxWorks: binary semaphores. */
#include <semLib.h>

#include "skin.h"

static SEM_ID sem[SKIN_SEMS];

static int open_all(void)
{
	for (int side = 0; side < SKIN_SEMS; side++) {
		sem[side] = semBCreate(SEM_Q_PRIORITY, SEM_EMPTY);
		if (!sem[side])
			return ERROR;
	}
	return OK;
}

static void close_all(void)
{
	for (int side = 0; side < SKIN_SEMS; side++)
		(void)semDelete(sem[side]);
}

static int create(void)
{
	SEM_ID made = semBCreate(SEM_Q_PRIORITY, SEM_EMPTY);

	return made ? semDelete(made) : ERROR;
}

static int give(int side)
{
	return semGive(sem[side]);
}

static int take(int side)
{
	return semTake(sem[side], WAIT_FOREVER);
}

const struct skin skin_measured = {
	.open = open_all,
	.close = close_all,
	.create = create,
	.give = give,
	.take = take,
};
