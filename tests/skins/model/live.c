/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The run of a program with tasks of the skin, in virtual time. */
#include "model.h"
#include "test.h"

#include <tactus/tact.h>

static struct notes *noted;
static uint64_t epoch_ns;
static unsigned latest;
static tact_sem_t over; /* where actors wait after their last step */
static bool ending;

static unsigned now_units(void)
{
	const uint64_t now = tact_now().ns;

	return now > epoch_ns ? (unsigned)((now - epoch_ns) / UNIT_NS) : 0;
}

static unsigned units_of(const struct step *step)
{
	const unsigned now = now_units();

	if (step->waits != WAITS_FOR_A_TIME)
		return 0;
	latest = (latest > now ? latest : now) + 1;
	return latest - now;
}

void live_actor(unsigned actor)
{
	const tact_timeout_t begin = tact_at((tact_time_t){epoch_ns + (actor + 1) * UNIT_NS});

	/* Other actors may break this sleep, and the wait at the end. */
	while (tact_task_sleep_until(begin))
		;
	for (unsigned at = 0; at < program.actor[actor].count && !ending; at++) {
		const struct step *step = &program.actor[actor].steps[at];
		long value = 0;
		const long code = skin.call(actor, step, units_of(step), &value);

		if (ending)
			break;
		noted->note[noted->count++] =
			(struct note){now_units(), actor, at, code, code == skin.ok ? value : 0};
	}
	while (tact_sem_wait(over, TACT_FOREVER) != -TACT_EIDRM)
		;
}

void live_run(struct notes *notes, unsigned units)
{
	noted = notes;
	notes->count = 0;
	latest = program.actors;
	ending = false;
	expect_eq(tact_sem_create(NULL, 0, 1, TACT_FIFO, &over), 0);
	/* On the grid of all ticks. */
	epoch_ns = (tact_now().ns / UNIT_NS + 2) * UNIT_NS;
	for (unsigned i = 0; i < OBJECTS; i++)
		skin.make(i);
	for (unsigned i = 0; i < program.actors; i++)
		skin.start(i);
	expect_true(tact_now().ns < epoch_ns);
	while (now_units() < units + 2)
		expect_eq(tact_sem_wait(over, tact_in(UNIT_NS)), -TACT_ETIMEDOUT);
	ending = true;
	skin.end();
	expect_eq(tact_sem_delete(over), 0);
	for (unsigned i = 0; i < program.actors; i++)
		skin.until_gone(i);
}
