/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A periodic task: ../hello.c in C++. */
#include "example.hpp"

static void beat()
{
	expect(tactus::this_task::set_periodic(1ms), "set_periodic");
	for (int i = 0; i < 5; i++) {
		/* Returns at each release, or at once when releases were missed. */
		expect(tactus::this_task::wait_period(), "wait_period");
		note("beat");
	}
	note("five beats, and done");
}

int main()
{
	return run(beat);
}
