/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A timer calls a lambda in handler context: ../timer.c in C++. */
#include "example.hpp"

static constexpr int expiries = 3;

static void direct()
{
	auto expired = expect(tactus::semaphore::create({.maximum = expiries}), "sem");
	tactus::timer_ref self;
	int count = 0;
	auto on_timer = [&] {
		note(tactus::this_task::mode() == tactus::mode::handler ? "handler: runs"
									: "not in a handler?");
		if (++count == expiries)
			(void)self.stop();
		(void)expired.post();
	};
	auto timer = expect(tactus::timer::create({.name = "clock"}, on_timer), "timer");

	self = timer;
	expect(timer.start_periodic(2ms, 1ms), "start");
	for (int i = 0; i < expiries; i++)
		expect(expired.wait(), "wait");
	note("task: has seen all of them");
}

int main()
{
	return run(direct);
}
