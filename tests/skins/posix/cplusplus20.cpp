// SPDX-License-Identifier: LGPL-2.1-or-later
// What C++20 waits for by futexes of its own: atomics, semaphores, latches, barriers; between
// real-time threads, and between them and plain ones.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <latch>
#include <semaphore>
#include <stop_token>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

namespace
{
constexpr int rounds = 200;
std::atomic<int> turn;
std::counting_semaphore<8> units{0};
std::barrier barrier{3};

bool as_expected()
{
	auto self = reinterpret_cast<unsigned (*)()>(dlsym(RTLD_DEFAULT, "tact_task_self"));

	return std::getenv("TACTUS_EXPECTED") ? self && self() : !self;
}

void be_real_time(int priority)
{
	sched_param parameter{};

	if (!priority)
		return;
	parameter.sched_priority = priority;
	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter))
		std::exit(77);
}

// Each waits until the number is its own, and passes it on.
void pass(int me, int of)
{
	for (int i = 0; i < rounds; i++) {
		int now;

		while ((now = turn.load()) != me)
			turn.wait(now);
		turn.store((me + 1) % of);
		turn.notify_all();
	}
}

void work(int me, int priority, std::latch &latch)
{
	be_real_time(priority);
	latch.arrive_and_wait();
	pass(me, 3);
	barrier.arrive_and_wait();
	if (me)
		for (int i = 0; i < rounds; i++)
			units.release();
	else
		for (int i = 0; i < 2 * rounds; i++)
			units.acquire();
	barrier.arrive_and_wait();
}

void three(const char *name, const int (&priorities)[3])
{
	std::latch latch{3};
	std::vector<std::jthread> threads;

	for (int i = 0; i < 3; i++)
		threads.emplace_back(work, i, priorities[i], std::ref(latch));
	threads.clear();
	std::printf("%s: turn %d, units left %d\n", name, turn.load(), units.try_acquire());
}

void timed()
{
	be_real_time(50);
	std::printf("a task: %d\n", as_expected());
	std::printf("timed out: %d\n", !units.try_acquire_for(5ms));
	units.release();
	std::printf("acquired: %d\n", units.try_acquire_for(5s));
}
} // namespace

int main()
{
	std::jthread(timed).join();
	three("real-time", {20, 30, 40});
	three("mixed", {20, 0, 30});
	return 0;
}
