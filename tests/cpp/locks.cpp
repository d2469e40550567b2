/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mutexes, reader-writer locks and conditions, by themselves and with the guards of std. */
#include <mutex>
#include <shared_mutex>

#include "check.hpp"

using namespace tactus;

TASK_TEST(mutex_locks)
{
	auto one = good(mutex::create({.name = "one"}));

	good(one.acquire());
	expect_bad(one.acquire(), error::resource_deadlock_would_occur);
	expect_bad(one.consistent(), error::no_such_process);
	expect_true(good(one.inquire()).owner.id == this_task::self().c().id);
	good(one.release());
	expect_bad(one.release(), error::operation_not_permitted);
	expect_owner(mutex::create({.recursive = true}));
	expect_owner(mutex::create({.safe = true}));

	auto high = good(mutex::create({.against_inversion = protocol::ceiling, .ceiling = 100}));

	expect_eq(good(high.set_ceiling(90)), 100);
	{
		std::scoped_lock both(one, high);
		expect_eq(good(this_task::self().priority()).effective, 90);
	}
	expect_eq(good(this_task::self().priority()).effective, TEST_PRIORITY);
	expect_owner(mutex::create({.against_inversion = protocol::none}));
}

TASK_TEST(guards_of_std_lock)
{
	auto one = good(mutex::create());
	auto other = [&] {
		expect_true(!one.try_lock());
		expect_true(!one.try_lock_for(1ms));
		expect_true(!one.try_lock_until(clock::now() + 1ms));
		std::unique_lock held(one);
		mark("other");
	};
	std::unique_lock held(one);
	auto waiter = good(task::spawn({.priority = 60}, other));

	good(this_task::sleep_for(5ms));
	mark("mine");
	held.unlock();
	good(waiter.join());
	expect_marks("mine other");

	std::unique_lock tried(one, std::try_to_lock);

	expect_true(tried.owns_lock());
	expect_true(!one.try_lock());
	tried.unlock();
	expect_true(tried.try_lock_for(1ms));
	tried.unlock();
	expect_true(tried.try_lock_until(clock::now() + 1ms));
}

TASK_TEST(lock_goes_on_when_it_is_interrupted)
{
	auto one = good(mutex::create());
	auto locks = [&] {
		std::scoped_lock held(one);
		mark("locked");
	};
	std::unique_lock held(one);
	auto waiter = good(task::spawn({.priority = 60}, locks));

	good(waiter.unblock());
	good(waiter.unblock(error::interrupted));
	expect_marks("");
	held.unlock();
	good(waiter.join());
	expect_marks("locked");
}

static void end_of(callback body, ending how)
{
	auto task = good(tactus::task::spawn({.priority = 60}, body));

	expect_true(good(task.join()) == how);
}

TASK_TEST(lock_that_cannot_be_given_is_a_fault)
{
	auto gone = good(mutex::create());
	auto left = good(mutex::create());
	const mutex_ref view = gone;
	auto lock_gone = [&] { std::scoped_lock held(view); };
	auto lock_twice = [&] {
		gone.lock();
		gone.lock();
	};
	auto leave = [&] { left.lock(); };
	auto lock_left = [&] { left.lock(); };
	auto try_left = [&] { (void)left.try_lock(); };
	auto repair = [&] {
		expect_bad(left.acquire(), error::owner_dead);
		good(left.consistent());
		left.unlock();
		std::scoped_lock held(left);
	};
	auto unlock_other = [&] { left.unlock(); };

	capture_reports();
	end_of(lock_twice, ending::faulted);
	good(gone.destroy());
	end_of(lock_gone, ending::faulted);
	end_of(leave, ending::returned);
	end_of(lock_left, ending::faulted);
	end_of(try_left, ending::faulted);
	end_of(repair, ending::returned);
	end_of(unlock_other, ending::faulted);
}

TASK_TEST(unlock_after_deletion_does_nothing)
{
	auto one = good(mutex::create());
	const mutex_ref view = one;
	std::scoped_lock held(view);

	good(one.destroy());
}

TEST(thread_that_is_no_task_cannot_lock)
{
	auto one = good(mutex::create());

	expect_bad(one.acquire(no_wait), error::operation_not_permitted);
}

TASK_TEST(rwlock_is_shared)
{
	auto lock = good(rwlock::create({.readers = 2, .prefer = preference::fair}));
	auto read = [&] {
		std::shared_lock held(lock);
		mark("reads");
	};
	auto write = [&] {
		expect_true(!lock.try_lock());
		expect_true(!lock.try_lock_for(1ms));
		expect_true(!lock.try_lock_until(clock::now() + 1ms));
		expect_bad(lock.acquire(1ms), error::timed_out);
		std::unique_lock held(lock);
		mark("writes");
	};
	{
		std::shared_lock held(lock);

		end_of(read, ending::returned);
		expect_eq(good(lock.inquire()).readers, 1);
		auto writer = good(task::spawn({.priority = 60}, write));

		good(this_task::sleep_for(10ms));
		held.unlock();
		good(writer.join());
	}
	expect_marks("reads writes");
	{
		std::unique_lock held(lock);
		auto tries = [&] {
			expect_true(!lock.try_lock_shared());
			expect_true(!lock.try_lock_shared_for(1ms));
			expect_true(!lock.try_lock_shared_until(clock::now() + 1ms));
			expect_bad(lock.acquire_shared(no_wait),
				   error::resource_unavailable_try_again);
		};

		end_of(tries, ending::returned);
	}
	good(lock.acquire_shared());
	good(lock.release());
	expect_bad(lock.release(), error::operation_not_permitted);
	expect_bad(lock.consistent(), error::operation_not_permitted);
	expect_owner(rwlock::create({.readers = 1}));
}

TASK_TEST(condition_waits_for_a_predicate)
{
	auto one = good(mutex::create());
	auto changed = good(condition::create());
	int level = 0;
	auto wait = [&] {
		std::unique_lock held(one);

		good(changed.wait(held, [&] { return level == 2; }));
		mark("there");
	};
	auto waiter = good(task::spawn({.priority = 60}, wait));

	for (int i = 0; i < 2; i++) {
		std::scoped_lock held(one);

		level++;
		good(changed.signal());
		mark("raised");
	}
	good(waiter.join());
	expect_marks("raised raised there");
	expect_eq(good(changed.broadcast()), 0);
	expect_eq(good(changed.inquire()).waiters, 0);
	expect_owner(condition::create());
}

TASK_TEST(condition_times_out_once_for_all_waits)
{
	auto one = good(mutex::create());
	auto changed = good(condition::create());
	auto bother = [&] {
		for (int i = 0; i < 20; i++) {
			good(this_task::sleep_for(1ms));
			good(changed.signal());
		}
	};
	std::unique_lock held(one);
	auto other = good(task::spawn({}, bother));
	const auto begin = clock::now();

	expect_bad(changed.wait(held, 5ms, [] { return false; }), error::timed_out);
	expect_true(clock::now() - begin >= 5ms);
	expect_true(held.owns_lock());
	/* It did not wait for all twenty. */
	if (test_on_sim())
		expect_true(clock::now() - begin < 7ms);
	expect_bad(changed.wait(one, no_wait), error::resource_unavailable_try_again);
	expect_bad(changed.wait(held, clock::now() - 1ms), error::timed_out);
	good(changed.wait(held, -1ms, [] { return true; }));
	held.unlock();
	expect_bad(changed.wait(one), error::operation_not_permitted);
}

TASK_TEST(condition_lets_go_of_a_lost_mutex)
{
	auto one = good(mutex::create({.order = queueing::priority}));
	auto changed = good(condition::create());
	auto wait = [&] {
		std::unique_lock held(one);

		expect_bad(changed.wait(held), error::state_not_recoverable);
		expect_true(!held.owns_lock());
	};
	auto end_as_owner = [&] {
		good(one.acquire());
		good(changed.signal());
		good(this_task::sleep_for(1ms));
	};
	auto lose = [&] {
		expect_bad(one.acquire(), error::owner_dead);
		good(one.release());
	};
	auto waiter = good(task::spawn({.priority = 40}, wait));

	good(this_task::sleep_for(1ms));
	auto owner = good(task::spawn({.priority = 60}, end_as_owner));
	auto loser = good(task::spawn({.priority = 70}, lose));
	expect_true(good(owner.join()) == ending::returned);
	expect_true(good(loser.join()) == ending::returned);
	expect_true(good(waiter.join()) == ending::returned);
}
