/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A mutex with priority inheritance: ../mutex.c in C++, with the guards of std. */
#include "example.hpp"

#include <mutex>

static void direct()
{
	tactus::task low = make("low", 10);
	tactus::task middle = make("middle", 20);
	tactus::task high = make("high", 30);
	auto mutex =
		expect(tactus::mutex::create({.name = "bus", .order = tactus::queueing::priority}),
		       "mutex");
	auto be_high = [&] {
		note("high: wants the mutex");
		std::scoped_lock held(mutex);
		note("high: has it");
	};
	auto be_low = [&] {
		std::unique_lock held(mutex);
		note("low: has the mutex");
		expect(high.start(be_high), "start");
		expect(middle.start([] { note("middle: runs when both are done"); }), "start");
		note(expect(tactus::this_task::self().priority(), "priority").effective == 30
			     ? "low: runs at the priority of high"
			     : "low: was not boosted");
		held.unlock();
		note("low: is its old self again");
	};

	expect(low.start(be_low), "start");
	expect(low.join(), "join");
	expect(middle.join(), "join");
	expect(high.join(), "join");
}

int main()
{
	return run(direct);
}
