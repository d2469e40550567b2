/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* With exceptions: the stack of a thread whose task is deleted is unwound through the calls. */
#include <pthread.h>

#include <atomic>
#include <mutex>
#include <stdexcept>

#include "check.hpp"

using namespace tactus;

static semaphore ready;
static semaphore never;
static std::atomic<int> destroyed;

struct local {
	~local()
	{
		destroyed++;
	}
};

static void *attached(void *waits)
{
	local object;
	auto mine = attachment::attach({.name = "attached"});

	if (!mine || !ready.post())
		return nullptr;
	(*static_cast<void (**)()>(waits))();
	return nullptr;
}

/* Wait in this way, and be deleted. */
static void expect_unwound(void (*waits)())
{
	void *end = nullptr;
	pthread_t thread;

	destroyed = 0;
	expect_eq(pthread_create(&thread, nullptr, attached, &waits), 0);
	good(ready.wait(10s));
	const auto view = good(find<task>("attached"));

	test_until_state(view.c(), TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_delete(view.c()));
	expect_eq(pthread_join(thread, &end), 0);
	expect_true(end == PTHREAD_CANCELED);
	expect_eq(destroyed, 1);
}

static void wait_for_a_unit()
{
	(void)never.wait();
}

static void find_what_is_not()
{
	(void)find<semaphore>("none");
}

static void lock_what_is_owned()
{
	static mutex owned;

	owned = good(mutex::create());
	auto own = [] {
		(void)owned.acquire();
		(void)never.wait();
	};
	auto owner = good(task::spawn({.priority = 60}, own));

	while (!owned.inquire()->owner.id)
		(void)this_task::sleep_for(100us);
	const task_ref view = release(std::move(owner));

	(void)view;
	std::scoped_lock held(owned);
}

TEST(deleted_thread_is_unwound)
{
	if (test_on_sim())
		test_skip("attached threads are not unwound");
	ready = good(semaphore::create());
	never = good(semaphore::create());
	expect_unwound(wait_for_a_unit);
	expect_unwound(find_what_is_not);
	expect_unwound(lock_what_is_owned);
}

static void throw_and_catch()
{
	auto sem = good(semaphore::create());

	try {
		semaphore moved = std::move(sem);

		throw std::runtime_error("thrown");
	} catch (const std::runtime_error &) {
		mark("caught");
	}
	expect_bad(sem.post(), error::bad_file_descriptor);
}

TASK_TEST(tasks_throw_and_catch)
{
	good(good(task::spawn({}, throw_and_catch)).join());
	expect_marks("caught");
}
