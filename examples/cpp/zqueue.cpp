/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A zero-copy queue hands messages over where they lie: ../zqueue.c in C++. A message that is
 * received frees itself.
 */
#include "example.hpp"

static void show(tactus::zqueue_ref frames)
{
	while (auto frame = frames.receive())
		note(frame->as<char>());
}

static void send_frame(tactus::zqueue_ref frames, const char *text, std::uint32_t how)
{
	auto frame = expect(frames.alloc(64), "alloc");

	std::strcpy(frame.as<char>(), text);
	if (expect(frames.send(std::move(frame), std::strlen(text) + 1, how), "send") == 2)
		note("sent to two at once");
}

static void direct()
{
	auto frames = expect(
		tactus::zqueue::create(
			{.name = "frames", .bytes = tact_zqueue_memory_bytes(64, 8), .depth = 8}),
		"zqueue");
	auto view = [frames = tactus::zqueue_ref(frames)] { show(frames); };

	send_frame(frames, "queued, for nobody waits yet", TACT_ZQUEUE_NORMAL);
	send_frame(frames, "urgent, so it goes first", TACT_ZQUEUE_URGENT);

	tactus::task first = make("first viewer", 30);
	tactus::task second = make("second viewer", 20);

	expect(first.start(view), "start");
	expect(second.start(view), "start");
	expect(tactus::this_task::sleep_for(1ms), "sleep");
	send_frame(frames, "one frame, two viewers", TACT_ZQUEUE_BROADCAST);
	expect(tactus::this_task::sleep_for(1ms), "sleep");
	expect(frames.destroy(), "delete");
}

int main()
{
	return run(direct);
}
