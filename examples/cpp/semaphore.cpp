/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A semaphore hands work over: ../semaphore.c in C++. The callables of the tasks are lambdas: with
 * names, because they have to stay until the tasks have ended.
 */
#include "example.hpp"

static void direct()
{
	auto full = expect(
		tactus::semaphore::create(
			{.name = "full", .maximum = 100, .order = tactus::queueing::priority}),
		"sem");
	auto consume = [view = tactus::semaphore_ref(full)] {
		while (view.wait())
			note("  consumer: taken");
		/* Deleting the semaphore ends the wait with error::identifier_removed. */
		note("  consumer: no more to come");
	};
	auto produce = [&full] {
		for (int i = 0; i < 3; i++) {
			note("producer: posts");
			expect(full.post(), "post");
		}
	};
	tactus::task consumer = make("consumer", 20);
	tactus::task producer = make("producer", 10);

	expect(consumer.start(consume), "start");
	expect(producer.start(produce), "start");
	expect(producer.join(), "join");
	expect(full.destroy(), "delete");
	/* At the end of their owners, tasks are joined. */
}

int main()
{
	return run(direct);
}
