/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks: their callables, their ends, their attributes; ports, whose servers are tasks. */
#include <array>
#include <thread>

#include "check.hpp"

#include "exact.h"

using namespace tactus;

static int calls;

static void plain()
{
	calls++;
}

static void with_argument(void *argument)
{
	++*static_cast<int *>(argument);
}

struct functor {
	void operator()() const
	{
		calls++;
	}
};

TASK_TEST(callables_of_every_kind)
{
	int count = 0;
	int other = 0;
	auto named = [&] { count += ++other; };
	auto counts = [n = 0, &count]() mutable { count += ++n; };
	const functor constant;

	static_assert(sizeof(counts) > sizeof(void *));
	good(good(task::spawn({}, plain)).join());
	good(good(task::spawn({}, &plain)).join());
	good(good(task::spawn({}, functor())).join());
	good(good(task::spawn({}, constant)).join());
	good(good(task::spawn({}, [] { calls++; })).join());
	expect_eq(calls, 5);
	/* A small temporary is copied. */
	good(good(task::spawn({}, [&count] { count++; })).join());
	good(good(task::spawn({}, [n = 7] { expect_eq(n, 7); })).join());
	good(good(task::spawn({}, callback(with_argument, &count))).join());
	expect_eq(count, 2);
	/* A named one is called where it is. */
	good(good(task::spawn({}, named)).join());
	expect_eq(count, 3);
	good(good(task::spawn({}, counts)).join());
	good(good(task::spawn({}, counts)).join());
	expect_eq(count, 6);
}

TASK_TEST(owner_joins_at_its_end)
{
	{
		auto slow = good(task::spawn({.priority = 10}, [] {
			good(this_task::sleep_for(2ms));
			mark("ended");
		}));
	}
	mark("joined");
	{
		/* It would never end. */
		auto dormant = good(task::create({.name = "dormant"}));
	}
	good(good(task::create({.name = "dormant"})).destroy());
	expect_marks("ended joined");
	expect_owner(task::create());
}

TASK_TEST(join_that_is_interrupted_goes_on)
{
	auto joins = [] {
		auto slow = good(task::spawn({.priority = 10}, [] {
			good(this_task::sleep_for(2ms));
			mark("ended");
		}));
	};
	auto joiner = good(task::spawn({.priority = 60}, joins));

	test_until_state(joiner.c(), TACT_TASK_STATE_WAITING);
	good(joiner.unblock());
	good(joiner.join());
	expect_marks("ended");
}

TASK_TEST(tasks_start_move_and_end)
{
	auto sleeper = good(task::create({.priority = 60}));

	good(sleeper.start([] { expect_bad(this_task::sleep_for(1h), error::changed_meanwhile); }));
	expect_bad(sleeper.start([] {}), error::device_or_resource_busy);
	expect_bad(sleeper.join(no_wait), error::resource_unavailable_try_again);
	expect_bad(sleeper.join(1ms), error::timed_out);

	task moved = std::move(sleeper);

	expect_true(!sleeper);
	sleeper = std::move(moved);
	good(sleeper.suspend());
	expect_eq(good(sleeper.inquire()).suspend_count, 1);
	good(sleeper.resume());
	expect_bad(sleeper.resume(), error::no_such_process);
	good(sleeper.set_priority(61));
	expect_eq(good(sleeper.priority()).base, 61);
	good(sleeper.unblock(error::changed_meanwhile));
	expect_true(good(sleeper.join()) == ending::returned);
	expect_true(!sleeper);

	auto endless = good(task::spawn({.priority = 60}, [] { (void)this_task::sleep_for(1h); }));

	good(endless.destroy());
	expect_true(!endless);
	/* Not the caller. */
	expect_bad(endless.destroy(), error::bad_file_descriptor);

	auto given = good(task::spawn({.priority = 60}, [] { (void)this_task::sleep_for(1h); }));
	const task_ref view = release(std::move(given));

	expect_true(!given);
	task taken(view.c(), true);
	good(taken.destroy());
}

static tact_task_t told;

TASK_TEST(word_and_end_of_a_task)
{
	auto worker = good(task::create({.priority = 60}));

	good(worker.set_data(7));
	good(worker.on_end([](tact_task_t ended, std::uint64_t data, std::uint32_t faulted) {
		expect_eq(data, 8);
		expect_eq(faulted, 0);
		told = ended;
	}));
	good(worker.start([] {
		expect_eq(this_task::data(), 7);
		good(this_task::set_data(8));
	}));
	expect_same(told, worker.c());
	expect_eq(good(worker.data()), 8);
	expect_bad(worker.on_end(nullptr), error::device_or_resource_busy);
	good(worker.join());
	expect_bad(worker.data(), error::bad_file_descriptor);
	expect_eq(this_task::data(), 0);
}

TASK_TEST(suspensions_that_are_not_counted)
{
	auto sleeper = good(task::spawn({.priority = 60}, [] { good(this_task::sleep_for(1ms)); }));

	expect_true(good(sleeper.suspend_once()));
	expect_true(!good(sleeper.suspend_once()));
	good(sleeper.suspend());
	expect_eq(good(sleeper.resume_all()), 2);
	expect_eq(good(sleeper.resume_all()), 0);
	good(sleeper.join());
	expect_bad(sleeper.suspend_once(), error::bad_file_descriptor);
}

TASK_TEST(priority_is_rotated)
{
	auto equal = good(
		task::spawn({.priority = TEST_PRIORITY, .suspended = true}, [] { mark("equal"); }));

	good(equal.resume());
	mark("before");
	good(sched::rotate(TEST_PRIORITY));
	mark("after");
	expect_bad(sched::rotate(10, 1), error::no_such_device_or_address);
	good(equal.join());
	expect_marks("before equal after");
}

TASK_TEST(detached_task_is_not_joined)
{
	auto view = good(task::spawn_detached({.priority = 60}, [] { mark("runs"); }));

	expect_bad(view.check(), error::identifier_removed);
	expect_marks("runs");
}

TASK_TEST(faults_are_told)
{
	capture_reports();
	auto bad = good(task::spawn({.priority = 60}, [] { __builtin_trap(); }));

	expect_true(good(bad.join()) == ending::faulted);
}

TASK_TEST(attributes_are_those_of_c)
{
	auto sem = good(semaphore::create());
	auto dormant = good(task::create({.name = "attr",
					  .priority = 77,
					  .no_linux = true,
					  .stack_bytes = 128 << 10,
					  .sched = sched::edf{.deadline = 5ms},
					  .cpu = 0}));
	auto info = good(dormant.inquire());

	expect_str(info.name, "attr");
	expect_eq(info.base_priority, 77);
	expect_eq(info.sched_class, TACT_SCHED_EDF);
	expect_true(info.stack_bytes >= 128 << 10);
	expect_eq(good(dormant.get_scheduling()).deadline_ns, 5000000);
	good(dormant.set_scheduling(sched::fifo{}));
	expect_eq(good(dormant.get_scheduling()).sched_class, TACT_SCHED_FIFO);
	expect_bad(dormant.set_quantum(1s), error::not_supported);
	good(dormant.set_scheduling(sched::round_robin{.quantum = 1s}));
	good(dormant.set_quantum(2s));
	expect_eq(good(dormant.get_scheduling()).quantum_ns, 2000000000);
	good(dormant.set_scheduling(sched::sporadic{
		.budget = 1s, .replenish = 4s, .low_priority = 3, .replenish_max = 2}));
	expect_eq(good(dormant.get_scheduling()).low_priority, 3);
	expect_eq(good(dormant.get_scheduling()).replenish_max, 2);
	good(dormant.set_scheduling(
		sched::cbs{.budget = 1s, .deadline = 3s, .period = 4s, .overrun = sem}));
	expect_eq(good(dormant.get_scheduling()).replenish_ns, 4000000000);
	expect_true(good(dormant.get_scheduling()).overrun_sem.id == sem.c().id);
	good(dormant.set_scheduling(sched::partition{.number = 3}));
	expect_eq(good(dormant.get_scheduling()).partition, 3);
	good(dormant.set_scheduling(sched::weak{}));
	expect_eq(good(dormant.get_scheduling()).sched_class, TACT_SCHED_WEAK);
	good(dormant.set_scheduling(scheduling(good(dormant.get_scheduling()))));
	/* No length becomes one that is allowed. */
	expect_bad(dormant.set_scheduling(sched::round_robin{.quantum = -1s}),
		   error::invalid_argument);
	expect_bad(dormant.set_scheduling(sched::edf{.deadline = std::chrono::hours::max()}),
		   error::invalid_argument);
	good(dormant.set_flags(0, TACT_TASK_NO_LINUX));
	expect_bad(dormant.migrate(1), error::no_such_device_or_address);
	expect_true(good(sched::inquire_limits()).replenish_max == 8);
	expect_bad(task::create({.priority = 257}), error::invalid_argument);
	expect_bad(task::create({.cpu = 64}), error::no_such_device_or_address);
}

LIGHT_TEST(light_tasks_use_it_all)
{
	auto numbers = good(queue<int>::create({.depth = 1}));

	good(numbers.send(5));
	expect_eq(good(numbers.receive()), 5);
	expect_bad(numbers.receive(1ms), error::timed_out);
}

TASK_TEST(suspended_task_waits_to_be_resumed)
{
	auto later = good(task::spawn({.priority = 60, .suspended = true}, [] { mark("runs"); }));

	expect_marks("");
	good(later.resume());
	expect_marks("runs");
}

TASK_TEST(periodic_task_is_released)
{
	const auto first = clock::now() + 2ms;

	good(this_task::set_periodic(1ms, first));
	if (test_exact()) {
		expect_true(good(this_task::wait_period()).instant == first);
		expect_true(good(this_task::wait_period()).instant == first + 1ms);
		compute(2500us);
	} else {
		good(this_task::wait_period());
		compute(5ms);
	}

	const auto late = good(this_task::wait_period());

	/* Not an error. */
	expect_true(late.missed >= 2);
	expect_true(late.instant <= clock::now());
	expect_eq(good(this_task::wait_period()).missed * test_exact(), 0);
	good(this_task::self().set_aperiodic());
	expect_bad(this_task::wait_period(), error::no_such_process);
	good(this_task::set_periodic(1ms));
	/* Not "not periodic". */
	expect_bad(this_task::set_periodic(0ns), error::invalid_argument);
	expect_bad(this_task::set_periodic(-1ms), error::invalid_argument);
	expect_bad(this_task::set_periodic(1ms, clock::now() - 1ms), error::timed_out);
}

TASK_TEST(broken_wait_for_a_release_is_an_error)
{
	auto waits = [] {
		good(this_task::set_periodic(1h));
		expect_bad(this_task::wait_period(), error::operation_canceled);
		/* The code of missed releases, but there are none. */
		expect_bad(this_task::wait_period(), error::timed_out);
	};
	auto waiter = good(task::spawn({.priority = 60}, waits));

	good(waiter.unblock());
	good(waiter.unblock(error::timed_out));
	expect_true(good(waiter.join()) == ending::returned);
	waiter = good(task::spawn({.priority = 60}, [] { (void)this_task::sleep_for(1h); }));
	expect_bad(waiter.unblock(error{5000}), error::invalid_argument);
	good(waiter.unblock());
}

static void add(std::uint64_t requests, void *sum)
{
	*static_cast<std::uint64_t *>(sum) += requests;
}

TASK_TEST(this_task_has_a_routine_and_locks_handlers)
{
	const task_ref self(TACT_SELF);
	std::uint64_t sum = 0;

	expect_bad(self.request(1), error::not_supported);
	good(self.set_routine(add, &sum, 2));
	good(self.request(3));
	expect_eq(sum, 1);
	expect_eq(self.inquire_routine()->requests, 2);
	expect_eq(*this_task::lock_handlers(), 0);
	expect_eq(*this_task::lock_handlers(), 1);
	expect_eq(*this_task::mask_requests(0, 2), 2);
	expect_eq(sum, 1);
	good(this_task::restore_handlers(0));
	expect_eq(sum, 3);
	expect_bad(this_task::restore_handlers(1), error::invalid_argument);
	good(self.remove_routine());
	expect_bad(self.request(1), error::not_supported);
}

TASK_TEST(safe_task_is_destroyed_when_it_is_not_safe_any_more)
{
	auto lives = [] {
		mark("begins");
		good(this_task::safe());
		good(this_task::sleep_for(5ms));
		mark("unsafe");
		(void)this_task::unsafe();
		mark("never");
	};
	task made = *task::spawn({.priority = TEST_PRIORITY + 1}, lives);

	expect_bad(made.destroy_unsafe(no_wait), error::resource_unavailable_try_again);
	good(made.restart(&lives));
	good(this_task::sleep_for(6ms));
	good(made.destroy_unsafe());
	expect_true(!made);
	expect_marks("begins unsafe begins unsafe");
	expect_bad(this_task::unsafe(), error::invalid_argument);
}

TASK_TEST(this_task_sleeps_and_yields)
{
	const auto begin = clock::now();

	expect_true(this_task::mode() == mode::primary);
	good(this_task::sleep_for(1ms));
	good(this_task::sleep_until(begin + 3ms));
	expect_true(clock::now() - begin >= 3ms);
	good(this_task::sleep_until(begin));
	good(this_task::sleep_for(-1h));
	good(this_task::yield());
	good(this_task::lock_scheduler());
	good(this_task::unlock_scheduler());
	expect_bad(this_task::unlock_scheduler(), error::no_such_process);
	good(this_task::relax());
	good(this_task::harden());

	auto leaves = good(task::spawn({.priority = 60}, [] {
		mark("before");
		this_task::exit();
		mark("after");
	}));

	good(leaves.join());
	expect_marks("before");
}

TEST(threads_attach_for_a_while)
{
	expect_true(!this_task::self());
	expect_bad(this_task::yield(), error::operation_not_permitted);
	{
		auto mine = good(attachment::attach({.name = "main", .priority = 30}));

		expect_true(this_task::self() == mine.task());
		expect_bad(attachment::attach(), error::device_or_resource_busy);
		attachment moved = std::move(mine);
		mine = std::move(moved);
		expect_eq(good(mine.task().priority()).base, 30);
	}
	expect_true(!this_task::self());

	auto again = good(attachment::attach());
	auto one = good(mutex::create());

	good(one.acquire());
	expect_bad(again.detach(), error::device_or_resource_busy);
	good(one.release());
	good(again.detach());
	expect_true(!this_task::self());
}

TASK_TEST(port_serves_requests)
{
	auto port = good(tactus::port::create({.name = "port"}));
	auto serve = [&] {
		int number = 0;

		while (auto request = port.receive(number)) {
			expect_eq(request->bytes(), sizeof(number));
			expect_eq(request->copied(), sizeof(number));
			expect_eq(request->priority(), TEST_PRIORITY);
			expect_eq(request->reply_bytes(), number == 4 ? 1 : sizeof(number));
			expect_true(request->sender() != task_ref());
			if (number == 1)
				good(request->reply(number + 1));
			else if (number == 2)
				good(request->fail(static_cast<error>(99)));
			else if (number == 4)
				expect_bad(request->reply(number), error::message_size);
			/* 3 and 4: without a reply. */
		}
		mark("gone");
	};
	auto server = good(task::spawn({.priority = 10}, serve));
	std::array<std::byte, 1> little;
	const int four = 4;

	expect_eq(good(port.call<int>(1)), 2);
	expect_true(port.call<int>(2).error() == static_cast<error>(99));
	expect_bad(port.call<int>(3), error::broken_pipe);
	expect_bad(port.send(std::as_bytes(std::span(&four, 1)), little), error::broken_pipe);
	expect_bad(port.call<int>(5, no_wait), error::resource_unavailable_try_again);
	expect_str(good(port.inquire()).name, "port");
	good(port.destroy());
	good(server.join());
	expect_marks("gone");
	expect_owner(tactus::port::create({.order = queueing::priority, .fixed = true}));
}

TASK_TEST(requests_are_owned)
{
	auto port = good(tactus::port::create());
	auto ask = [&] { expect_eq(good(port.call<int>(int{'a'})), 7); };
	auto give_up = [&] { expect_bad(port.call<int>(int{'b'}, 1ms), error::timed_out); };
	auto client = good(task::spawn({.priority = 60}, ask));
	std::array<std::byte, 8> buffer;
	auto first = good(port.receive(buffer));
	auto second = std::move(first);

	expect_true(!first && second && second.id() != 0);
	expect_eq(good(second.read(1, buffer)), sizeof(int) - 1);
	first = std::move(second);

	const std::uint64_t number = first.release();
	const int seven = 7;

	expect_true(!first);
	expect_ok(tact_port_reply(port.c(), number, &seven, sizeof(seven)));
	good(client.join());

	client = good(task::spawn({.priority = 60}, give_up));
	second = good(port.receive(buffer));
	good(client.join());
	expect_bad(second.reply(), error::no_such_process);
	/* There is nothing left to end. */
	expect_true(!second);
	expect_bad(port.receive(buffer, no_wait), error::resource_unavailable_try_again);
}

TEST(partitions_are_scheduled)
{
	const partition_schedule schedule(0);
	const partition_schedule::window windows[] = {{0, 100000000, 0, 0},
						      {100000000, 100000000, 1, 0}};

	good(schedule.set(windows, 200ms));
	good(schedule.start());
	expect_bad(schedule.start(clock::now() + 1h), error::device_or_resource_busy);
	expect_eq(good(schedule.inquire()).windows, 2);
	good(schedule.stop());
	/* Not "now". */
	expect_bad(schedule.start(clock::time_point()), error::timed_out);
	expect_bad(schedule.set(windows, -1ms), error::invalid_argument);
	good(schedule.set({}, 0ns));
	expect_bad(partition_schedule(1).stop(), error::no_such_device_or_address);
}
