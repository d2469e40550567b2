// SPDX-License-Identifier: LGPL-2.1-or-later
// Threads of C++ with real-time policies by their native handles: locks, waits, exceptions, data of
// their own, futures.
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

namespace
{
std::mutex mutex;
std::timed_mutex timed;
std::shared_mutex shared;
std::condition_variable condition;
int turn, alive;
std::map<int, std::string> table;

struct Counted {
	Counted()
	{
		__atomic_fetch_add(&alive, 1, __ATOMIC_SEQ_CST);
	}
	~Counted()
	{
		__atomic_fetch_sub(&alive, 1, __ATOMIC_SEQ_CST);
	}
	int value = 7;
};
thread_local Counted own;

bool as_expected()
{
	auto self = reinterpret_cast<unsigned (*)()>(dlsym(RTLD_DEFAULT, "tact_task_self"));

	return std::getenv("TACTUS_EXPECTED") ? self && self() : !self;
}

void be_real_time(int priority)
{
	sched_param parameter{};

	parameter.sched_priority = priority;
	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter))
		std::exit(77);
}

int throws(int depth)
{
	Counted here;

	if (!depth)
		throw std::runtime_error("from the depth");
	return throws(depth - 1) + here.value;
}

void play(int me, int priority)
{
	be_real_time(priority);
	int tasks = as_expected(), caught = 0;

	for (int i = 0; i < 100; i++) {
		std::unique_lock<std::mutex> lock(mutex);
		condition.wait(lock, [me] { return turn % 3 == me; });
		turn++;
		table[i] += static_cast<char>('a' + me);
		own.value++;
		condition.notify_all();
		lock.unlock();
		try {
			throws(5);
		} catch (const std::runtime_error &) {
			caught++;
		}
		std::shared_lock<std::shared_mutex> reads(shared);
	}
	std::this_thread::sleep_for(1ms);
	std::this_thread::sleep_until(std::chrono::steady_clock::now() + 1ms);
	std::lock_guard<std::shared_mutex> writes(shared);
	std::printf("%d caught %d own %d as expected %d\n", 0, caught, own.value, tasks);
	std::fflush(stdout);
}

// By its creator, as soon as there is a handle.
int is_task_once_made_so()
{
	sched_param parameter{};
	std::promise<void> made;
	bool is = false;
	std::thread thread([&] {
		made.get_future().wait();
		std::this_thread::sleep_for(1us);
		is = as_expected();
	});

	parameter.sched_priority = 80;
	pthread_setschedparam(thread.native_handle(), SCHED_FIFO, &parameter);
	made.set_value();
	thread.join();
	return is;
}
} // namespace

int main()
{
	std::vector<std::thread> threads;

	for (int i = 0; i < 3; i++)
		threads.emplace_back(play, i, 20 + i);
	for (auto &thread : threads)
		thread.join();
	std::printf("turn %d rows %zu alive %d\n", turn, table.size(), alive);
	std::thread late([] {
		be_real_time(30);
		std::unique_lock<std::mutex> lock(mutex);
		auto told = condition.wait_for(lock, 3ms);
		std::printf("timeout %d\n", told == std::cv_status::timeout);
		timed.lock();
		auto future =
			std::async(std::launch::async, [] { return timed.try_lock_for(3ms); });
		std::printf("locked %d\n", static_cast<int>(future.get()));
		timed.unlock();
	});
	late.join();
	int tasks = 0;
	for (int i = 0; i < 20; i++)
		tasks += is_task_once_made_so();
	std::printf("real-time at once %d\n", tasks);
	return 0;
}
