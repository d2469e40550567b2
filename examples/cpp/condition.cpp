/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A condition: ../condition.c in C++. The predicate is asked again each time that the waiter is
 * woken, because somebody else may have been there first.
 */
#include "example.hpp"

#include <mutex>

static void direct()
{
	auto mutex = expect(tactus::mutex::create({.order = tactus::queueing::priority}), "mutex");
	auto changed = expect(tactus::condition::create({.order = tactus::queueing::priority}),
			      "condition");
	int level = 0;
	auto wait_for_level = [&] {
		std::unique_lock held(mutex);
		auto enough = [&] {
			if (level < 2)
				note("waiter: not enough yet");
			return level >= 2;
		};

		expect(changed.wait(held, enough), "wait");
		note("waiter: the level is there");
	};
	tactus::task waiter = make("waiter", 220);

	expect(waiter.start(wait_for_level), "start");
	for (int i = 0; i < 2; i++) {
		std::scoped_lock held(mutex);
		level++;
		note("director: raises the level");
		expect(changed.signal(), "signal");
	}
	expect(waiter.join(), "join");
}

int main()
{
	return run(direct);
}
