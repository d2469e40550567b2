/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The service of docs/guide/new-skin.md. */
#include <stdint.h>

#include <tactus/tact.h>

#define WAIT_FOREVER (-1)
#define OK           0
#define TIMED_OUT    (-2)
#define NO_SUCH_ID   (-3)

#define TICK_NS 1000000u

int sem_take(tact_sem_t id, int ticks);

int sem_take(tact_sem_t id, int ticks)
{
	tact_timeout_t timeout = TACT_FOREVER;
	int error;

	if (ticks >= 0)
		timeout = ticks ? tact_in((uint64_t)ticks * TICK_NS) : TACT_NOWAIT;
	error = tact_sem_wait(id, timeout);
	if (!error)
		return OK;
	return error == -TACT_ETIMEDOUT || error == -TACT_EAGAIN ? TIMED_OUT : NO_SUCH_ID;
}
