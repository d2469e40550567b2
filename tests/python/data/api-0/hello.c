/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A periodic task: the form of most control programs. It is released every millisecond; what it
 * does between two releases may take as long as it likes, as long as it is done before the next.
 */
#include "example.h"

static void beat(void *arg)
{
	uint64_t missed;

	(void)arg;
	expect(tact_task_set_periodic(TACT_SELF, (tact_time_t){0}, TACT_MS(1)), "set_periodic");
	for (int i = 0; i < 5; i++) {
		/* Returns at each release, or at once when releases were missed. */
		int result = tact_task_wait_period(&missed, NULL);

		if (result != -TACT_ETIMEDOUT)
			expect(result, "wait_period");
		note("beat");
	}
	note("five beats, and done");
}

int main(void)
{
	return run(1, beat);
}
