/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every owner: created, used, moved, deleted; and finding by name. */
#include <array>
#include <memory>

#include "check.hpp"

using namespace tactus;

static std::span<const std::byte> bytes_of(const char *text)
{
	return std::as_bytes(std::span(text, strlen(text)));
}

TASK_TEST(semaphore_counts)
{
	auto sem = good(semaphore::create({.name = "sem", .initial = 1, .maximum = 2}));

	good(sem.post());
	expect_bad(sem.post(), error::value_too_large);
	good(sem.wait());
	expect_true(sem.try_wait());
	expect_true(!sem.try_wait());
	good(sem.reset(1));
	expect_true(sem.try_wait());
	expect_eq(good(sem.broadcast()), 0);
	expect_eq(good(sem.flush()), 0);
	expect_eq(good(sem.inquire()).maximum, 2);
	expect_str(good(sem.inquire()).name, "sem");
	expect_owner(semaphore::create({.maximum = 1, .order = queueing::priority, .cpu = 0}));
	good(good(semaphore::create({.pulse = true})).post());
}

TASK_TEST(attributes_that_are_refused)
{
	expect_bad(semaphore::create({.initial = 2, .maximum = 1}), error::invalid_argument);
	expect_bad(semaphore::create({.name = ""}), error::invalid_argument);
	/* TACT_ON_CPU() would wrap: 64 is CPU 0 there. */
	for (std::uint32_t cpu : {1u, 62u, 63u, 64u, 127u, UINT32_MAX - 1})
		expect_bad(semaphore::create({.cpu = cpu}), error::no_such_device_or_address);
	expect_bad(barrier::create({}), error::invalid_argument);
	expect_bad(mutex::create({.ceiling = 5}), error::invalid_argument);
	expect_bad(quota::create({.interval = 10ms, .quota = -1ms}), error::invalid_argument);
}

TASK_TEST(event_flags_are_waited_for)
{
	auto flags = good(event_flags::create({.initial = 0b0110}));

	expect_eq(good(flags.wait_any(0b0011)), 0b0110);
	expect_bad(flags.wait_all(0b0011, no_wait), error::resource_unavailable_try_again);
	expect_eq(good(flags.wait_all(0b0010, forever, clearing::waited)), 0b0110);
	expect_eq(good(flags.exchange_clear(0)), 0b0100);
	expect_eq(good(flags.set(0b1000)), 0);
	expect_eq(good(flags.wait_any(0b1000, 1ms, clearing::all)), 0b1100);
	expect_eq(good(flags.inquire()).bits, 0);
	expect_eq(good(flags.pulse(1)), 0);
	good(flags.clear(1));
	expect_eq(good(flags.flush()), 0);
	expect_owner(event_flags::create({.single = true}));
}

TASK_TEST(event_flags_have_rules)
{
	auto flags = good(event_flags::create({.initial = 0b01, .rules = true}));
	tact_event_rule clear = {
		.size = sizeof(clear),
		.join = TACT_EVENT_FIRST,
		.term = {{.bits = 0b10, .test = TACT_EVENT_ALL_CLEAR, .reserved = 0}},
		.then_set = 0b10,
		.then_clear = 0b01};

	expect_eq(good(flags.wait_rule(clear)), 0b01);
	expect_bad(flags.wait_rule(clear, 1ms), error::timed_out);
	expect_eq(good(flags.change(0b100, 0b010)), 0);
	expect_eq(good(flags.inquire()).bits, 0b100);
}

TASK_TEST(word_passes_a_value)
{
	std::uintptr_t memory = 0;
	const word_ref word(memory);

	good(word.post(7));
	expect_eq(memory, 7);
	expect_bad(word.post(8), error::no_space_on_device);
	expect_eq(good(word.pend()), 7);
	expect_bad(word.pend(1ms), error::timed_out);
}

TASK_TEST(barrier_tells_who_opened_it)
{
	auto both = good(barrier::create({.count = 2}));
	auto arrive = [&] { mark(good(both.wait()) ? "opens" : "waits"); };
	auto other = good(task::spawn({.priority = 60}, arrive));

	arrive();
	good(other.join());
	expect_marks("waits opens");
	expect_bad(both.wait(1ms), error::timed_out);
	expect_eq(good(both.flush()), 0);
	expect_eq(good(both.inquire()).rounds, 1);
	expect_owner(barrier::create({.count = 1}));
}

struct point {
	int x, y;
};

TASK_TEST(queue_passes_values)
{
	std::uint32_t priority = 0;
	auto points = good(queue<point>::create({.name = "points", .depth = 2, .sorted = true}));

	good(points.send({1, 2}));
	good(points.send({3, 4}, no_wait, 7));
	expect_bad(points.send({5, 6}, no_wait), error::resource_unavailable_try_again);
	expect_eq(good(points.receive(forever, &priority)).y, 4);
	expect_eq(priority, 7);
	expect_eq(good(points.broadcast({7, 8})), 0);
	expect_eq(good(points.flush()), 1);
	expect_bad(points.receive(1ms), error::timed_out);
	expect_eq(good(points.reset()), 0);
	expect_eq(good(points.inquire()).message_bytes, sizeof(point));
	expect_owner(queue<point>::create({.depth = 1}));
}

TASK_TEST(queue_refuses_other_messages)
{
	auto points = good(queue<point>::create({.name = "points", .depth = 2}));
	const int half = 1;

	/* As a program in C may do. */
	expect_ok(tact_queue_send(points.c(), &half, sizeof(half), normal, TACT_NOWAIT));
	good(points.send({1, 2}));
	expect_bad(points.receive(), error::message_size);
	expect_eq(good(points.receive()).x, 1);
	expect_bad(find<queue<int>>("points"), error::message_size);
	good(find<queue<point>>("points"));
}

TASK_TEST(mailbox_passes_small_values)
{
	int target = 5;
	auto numbers = good(mailbox<>::create({.slots = 2}));
	auto pointers = good(mailbox<int *>::create());
	auto halves = good(mailbox<float>::create());
	auto points = good(mailbox<point>::create({.name = "mailbox"}));

	good(numbers.post(1));
	good(numbers.post(UINT64_MAX, forever, urgent));
	expect_bad(numbers.post(2, no_wait), error::resource_unavailable_try_again);
	expect_eq(good(numbers.pend()), UINT64_MAX);
	expect_eq(good(numbers.broadcast(1)), 0);
	expect_eq(good(numbers.flush()), 1);
	expect_eq(good(numbers.reset()), 0);
	expect_bad(numbers.pend(1ms), error::timed_out);
	good(pointers.post(&target));
	expect_eq(*good(pointers.pend()), 5);
	good(halves.post(0.5f));
	expect_true(good(halves.pend()) == 0.5f);
	good(points.post({-1, 7}));
	expect_eq(good(points.pend()).x, -1);
	expect_eq(good(points.inquire()).slots, 1);
	expect_owner(mailbox<>::create());
}

TASK_TEST(zqueue_messages_are_owned)
{
	auto frames = good(zqueue::create({.bytes = tact_zqueue_memory_bytes(64, 4), .depth = 2}));
	const auto used = [&] { return good(frames.inquire()).used_bytes; };
	const auto empty = used();
	{
		auto unsent = good(frames.alloc(64));

		expect_eq(unsent.size(), 64);
		expect_eq(unsent.bytes().size(), 64);
		expect_true(used() > empty);
	}
	expect_eq(used(), empty);

	auto sent = good(frames.alloc(64));
	auto moved = std::move(sent);

	expect_true(!sent && moved);
	moved.as<point>()->x = 9;
	expect_true((moved.as<std::array<char, 65>>() == nullptr));
	/* A broadcast that nobody gets leaves the message with its sender. */
	expect_eq(good(frames.send(std::move(moved), sizeof(point), TACT_ZQUEUE_BROADCAST)), 0);
	expect_true(bool(moved));
	good(frames.send(std::move(moved), sizeof(point)));
	expect_true(!moved);
	good(frames.send(good(frames.alloc(8))));
	auto refused = good(frames.alloc(8));
	expect_bad(frames.send(std::move(refused)), error::no_space_on_device);
	expect_true(bool(refused));
	good(refused.free());
	expect_bad(refused.free(), error::invalid_argument);
	{
		auto received = good(frames.receive());

		expect_eq(received.size(), sizeof(point));
		expect_eq(received.as<point>()->x, 9);
		received = good(frames.receive());
		expect_eq(received.size(), 8);
	}
	expect_eq(used(), empty);
	expect_bad(frames.receive(1ms), error::timed_out);

	std::array<std::byte, 3> copy;

	expect_eq(good(frames.write(bytes_of("abc"))), 0);
	expect_eq(good(frames.read(copy)), 3);
	expect_true(copy[2] == std::byte{'c'});
	expect_eq(good(frames.flush()), 0);
	zqueue_message kept(frames.c(), good(frames.alloc(8)).release(), 8);
	good(kept.free());
	expect_owner(zqueue::create({.bytes = TACT_ZQUEUE_BYTES_MIN}));

	alignas(16) static std::byte memory[TACT_ZQUEUE_BYTES_MIN];

	expect_owner(zqueue::create({.memory = memory}));
}

TEST(port_selects_and_passes_on)
{
	auto first = good(port::create()), second = good(port::create());
	auto client = good(task::spawn({.priority = 40}, [&] {
		std::array<std::byte, 4> answer;
		const tact_call_rule rule = {.size = sizeof(rule), .flags = 0, .pattern = 2};

		expect_eq(good(first.send(rule, bytes_of("ask"), answer)), 2);
	}));
	tact_accept_rule rule = {
		.size = sizeof(rule), .flags = 0, .pattern = 1, .sender = {0}, .reserved = 0};
	std::array<std::byte, 4> got;

	expect_bad(first.accept(rule, got, 1ms), error::timed_out);
	rule.pattern = 3;
	auto request = good(first.accept(rule, got));

	expect_eq(request.copied(), 3);
	good(request.forward(second.c()));
	expect_true(!request);
	auto passed = good(second.receive(std::span<std::byte>(got)));

	good(passed.reply(bytes_of("ok")));
	good(client.join());
}

TASK_TEST(buffer_moves_bytes)
{
	std::array<std::byte, 4> got;
	auto ring = good(buffer::create({.bytes = 8}));

	expect_eq(good(ring.write(bytes_of("abcdef"))), 6);
	expect_eq(good(ring.write(bytes_of("ghij"), no_wait, moving::partial)), 2);
	expect_eq(good(ring.read(got)), 4);
	expect_true(got[3] == std::byte{'d'});
	expect_eq(good(ring.peek(got)), 4);
	expect_true(got[0] == std::byte{'e'});
	expect_eq(good(ring.overwrite(bytes_of("klmnop"))), 6);
	expect_eq(good(ring.clear()), 8);
	expect_bad(ring.read(got, 1ms), error::timed_out);
	expect_eq(good(ring.inquire()).bytes, 8);
	expect_owner(buffer::create({.bytes = 64, .messages = true}));
}

TEST(pipe_has_an_end_in_linux)
{
	std::array<std::byte, 4> got;
	auto both = good(pipe::create({.name = "pipe", .bytes = 64}));
	auto end = good(both.open());

	expect_bad(both.open(), error::device_or_resource_busy);
	good(both.write(bytes_of("ab")));
	expect_eq(good(end.read(got)), 2);
	good(end.write(bytes_of("xyz")));
	expect_eq(good(both.read(got)), 3);
	expect_bad(both.read(got, 1ms), error::timed_out);
	expect_bad(end.read(got, 1ms), error::timed_out);
	expect_eq(good(both.inquire()).open, 1);
	expect_true(!good(end.deleted()));

	auto moved = std::move(end);

	expect_true(!end && moved && moved.c());
	end = std::move(moved);
	good(end.close());
	expect_bad(end.close(), error::invalid_argument);
	expect_eq(good(both.inquire()).open, 0);
	good(both.open());
	expect_eq(good(both.inquire()).open, 0);
	if (test_on_sim())
		expect_bad(both.serve(), error::not_supported);
	else
		good(both.serve());
	expect_owner(pipe::create({.bytes = 64}));
}

TASK_TEST(heap_blocks_go_back)
{
	auto memory = good(heap::create({.bytes = 1 << 16}));
	{
		auto one = good(memory.alloc(100));
		auto two = std::move(one);

		expect_true(!one && two && two.data());
		memset(two.data(), 1, 100);
		one = good(memory.alloc(10, no_wait));
		expect_eq(good(memory.inquire()).blocks, 2);
		expect_eq(good(memory.give_back(one.release())), 0);
		expect_eq(good(memory.inquire()).blocks, 1);
	}
	expect_eq(good(memory.inquire()).blocks, 0);
	expect_bad(memory.alloc(1 << 20), error::invalid_argument);
	expect_bad(memory.give_back(&memory), error::invalid_argument);
	expect_owner(heap::create({.bytes = TACT_HEAP_BYTES_MIN}));

	alignas(16) static std::byte own[TACT_HEAP_BYTES_MIN];

	expect_owner(heap::create({.memory = own}));
}

TASK_TEST(pool_blocks_go_back)
{
	auto blocks = good(pool::create({.block_bytes = 32, .blocks = 1}));
	{
		auto one = good(blocks.get());

		expect_bad(blocks.get(1ms), error::timed_out);
		block<pool_ref> two = std::move(one);

		good(blocks.give_back(two.release()));
		two = good(blocks.get(no_wait));
		expect_eq(good(blocks.inquire()).free, 0);
	}
	expect_eq(good(blocks.inquire()).free, 1);
	expect_owner(pool::create({.block_bytes = 8, .blocks = 2}));
}

TASK_TEST(timer_calls_a_lambda)
{
	auto done = good(semaphore::create());
	tact_time_t programmed{};
	int runs = 0;
	auto tick = [&] {
		expect_true(this_task::mode() == mode::handler);
		programmed = good(timer_ref::current()).programmed;
		runs++;
		expect_bad(done.wait(1ms), error::operation_not_permitted);
		good(done.post());
	};
	auto every = good(timer::create({.name = "every"}, tick));

	expect_bad(timer_ref::current(), error::operation_not_permitted);
	good(every.start_once(1ms));
	good(done.wait());
	expect_eq(runs, 1);
	good(every.start_periodic(clock::now() + 1ms, 1ms));
	good(done.wait());
	good(done.wait());
	good(every.stop());
	expect_true(programmed.ns != 0);
	expect_eq(good(every.inquire()).active, 0);
	/* Not "once". */
	expect_bad(every.start_periodic(1ms, 0ns), error::invalid_argument);
	expect_bad(every.start_periodic(1ms, -1ms), error::invalid_argument);
	expect_bad(every.start_once(forever), error::invalid_argument);
	expect_owner(timer::create({}, [] {}));
}

TASK_TEST(timer_is_discarded_by_its_handler)
{
	timer once;
	auto done = good(semaphore::create());
	auto tick = [&] {
		good(once.discard());
		expect_true(!once);
		good(done.post());
	};

	once = good(timer::create({}, tick));
	good(once.start_periodic(1ms, 1ms));
	good(done.wait());
	expect_bad(done.wait(10ms), error::timed_out);
	expect_bad(once.discard(), error::bad_file_descriptor);
}

TEST(devices_are_of_the_bare_back_end)
{
	reason why;

	if (test_on_bare())
		test_skip("there are devices");
	expect_bad(device::open({.address = "0000:00:00.0"}, why.text),
		   test_on_sim() ? error::no_such_device : error::not_supported);
	expect_bad(interrupt::create({}, device_ref(), [] {}), error::bad_file_descriptor);
	expect_bad(interrupt::create({}, device_ref()), error::bad_file_descriptor);
	expect_bad(interrupt_ref().wait(), error::bad_file_descriptor);
	expect_bad(interrupt_ref().enable(), error::bad_file_descriptor);
	expect_bad(interrupt_ref().disable(), error::bad_file_descriptor);
	expect_bad(device_ref().inquire(), error::bad_file_descriptor);
	expect_bad(device_ref().map(0, 0, 4096), error::bad_file_descriptor);
	expect_bad(device_ref().dma_remove(0, 4096), error::bad_file_descriptor);
	expect_bad(doorbell::attach(-1),
		   test_on_sim() ? error::not_supported : error::invalid_argument);
}

TEST(doorbell_calls_a_lambda)
{
	if (test_on_sim())
		test_skip("a program in virtual time is alone");

	auto rung = good(semaphore::create());
	auto ring = [&] { good(rung.post()); };
	auto door = good(device::open({.address = TACT_DOORBELL, .irq_lines = 1}));
	auto line = good(interrupt::create({}, door, ring));
	auto ours = good(doorbell::attach(good(door.doorbell_file())));
	auto moved = std::move(ours);

	expect_true(!ours && moved);
	moved.ring();
	good(rung.wait(10s));
	expect_true(good(line.wait(10s)) >= 1);
	expect_bad(line.wait(no_wait), error::resource_unavailable_try_again);
	good(line.disable());
	good(line.enable());
	expect_true(good(line.inquire()).runs >= 1);
	expect_eq(good(door.inquire()).irq_lines, 1);
}

TASK_TEST(objects_are_found_by_name)
{
	auto sem = good(semaphore::create({.name = "sem"}));
	auto late = [] {
		auto made = good(barrier::create({.name = "late", .count = 1}));

		good(this_task::sleep_for(1ms));
	};

	expect_true(good(find<semaphore>("sem")) == sem);
	expect_true(good(find<semaphore_ref>("sem", no_wait)) == sem);
	expect_bad(find<mutex>("sem"), error::bad_file_descriptor);
	expect_bad(find<semaphore>("none", no_wait), error::resource_unavailable_try_again);
	expect_bad(find<semaphore>("none", 1ms), error::timed_out);
	expect_bad(find<semaphore>(""), error::invalid_argument);
	auto creator = good(task::spawn({}, late));
	good(find<barrier>("late", 1s));
}

TASK_TEST(one_of_several_objects_is_taken)
{
	int number = 0;
	std::size_t failed = 99;
	std::array<std::byte, 2> got;
	auto sem = good(semaphore::create());
	auto flags = good(event_flags::create());
	auto numbers = good(queue<int>::create({.depth = 1}));
	auto points = good(mailbox<point>::create());
	auto ring = good(buffer::create({.bytes = 8}));
	auto linux_end = good(pipe::create({.bytes = 64}));
	std::array items{wait_for(sem),
			 wait_for(flags, 6, TACT_EVENT_ALL, clearing::all),
			 wait_for(numbers, number),
			 wait_for(points),
			 wait_for(ring, got),
			 wait_for(linux_end, got)};

	expect_bad(wait_any(items, no_wait, &failed), error::resource_unavailable_try_again);
	expect_eq(failed, 6);
	expect_bad(wait_any(items, 1ms), error::timed_out);
	good(points.post({3, 4}));
	auto taken = good(wait_any(items));

	expect_eq(taken.index, 3);
	expect_eq(mailbox_ref<point>::value_of(taken.value).y, 4);
	good(numbers.send(7, forever, urgent));
	taken = good(wait_any(items, 1s));
	expect_eq(taken.index, 2);
	expect_eq(taken.bytes, sizeof(int));
	expect_eq(taken.value, urgent);
	expect_eq(number, 7);
	good(flags.set(7));
	expect_eq(good(wait_any(items)).value, 7);
	expect_eq(good(flags.inquire()).bits, 0);
	expect_eq(good(ring.write(bytes_of("ab"))), 2);
	expect_eq(good(wait_any(items)).index, 4);
	good(sem.post());
	expect_eq(good(wait_any(items, no_wait, &failed)).index, 0);
	expect_eq(failed, 6);
	good(ring.destroy());
	expect_bad(wait_any(items, forever, &failed), error::identifier_removed);
	expect_eq(failed, 4);
	expect_bad(wait_any({}), error::invalid_argument);

	std::array<wait_item, TACT_WAIT_ITEMS_MAX + 1> many{};

	expect_bad(wait_any(many, 1ms), error::invalid_argument);
}

TASK_TEST(owners_give_up_and_take)
{
	auto sem = good(semaphore::create());
	const semaphore_ref view = release(std::move(sem));

	expect_true(!sem);
	good(view.check());
	{
		semaphore again(view.c());
		expect_true(again == view);
	}
	expect_bad(view.check(), error::identifier_removed);
	expect_bad(sem.destroy(), error::bad_file_descriptor);

	auto group = good(quota::create({.interval = 10ms, .quota = 5ms}));
	auto member = good(task::create({.sched = sched::quota{.group = group}}));

	/* What cannot be deleted is still owned. */
	expect_bad(group.destroy(), error::device_or_resource_busy);
	good(group.check());
	good(group.set(20ms, 10ms, 15ms));
	expect_eq(good(group.inquire()).peak_ns, 15000000);
	good(member.destroy());
	good(group.destroy());
	expect_true(!group);
	expect_owner(quota::create({.interval = 10ms, .quota = 5ms, .peak = 6ms}));
}

TASK_TEST(deletion_ends_waits)
{
	auto sem = good(semaphore::create());
	auto waits = [view = semaphore_ref(sem)] {
		expect_bad(view.wait(), error::identifier_removed);
	};
	auto waiter = good(task::spawn({.priority = 60}, waits));

	sem = good(semaphore::create());
	good(waiter.join());
	good(sem.check());
}

/* The whole life of a program, in one. */
TEST_UNSTARTED(program_starts_and_stops)
{
	reason why;
	expect_bad(semaphore::create(), error::operation_not_permitted);
	for (int i = 0; i < 2; i++) {
		auto started = program::start({.name = "cpp", .watchdog_ms = 5000}, &why);

		/* Another program may have the CPUs. */
		if (started == error::device_or_resource_busy)
			test_skip(why.text);

		program one = good(std::move(started));
		program two = std::move(one);

		expect_true(!one && two);
		expect_bad(program::start(), error::device_or_resource_busy);
		expect_str(tact_program(), "cpp");
		expect_eq(cpus(), 1);
		expect_true(good(inquire_cpu(0)).pool_total_bytes > 0);
		expect_bad(inquire_cpu(1), error::no_such_device_or_address);
		good(semaphore::create());
		one = std::move(two);
		if (i == 0)
			good(one.stop());
	}
	expect_eq(cpus(), 0);

	const std::uint32_t one_cpu[] = {TACT_CPU_ANY};

	expect_bad(program::start({.name = "a/b"}, &why), error::invalid_argument);
	expect_true(bool(why));
	/* Not read beyond its end. */
	expect_bad(program::start({.cpus = 2, .linux_cpus = one_cpu}), error::invalid_argument);
}
