/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Real-time threads that call Linux, which `--light` does not let them: what they have begun is
 * undone. usage: stopped [blind|main|allocates|returns]: in code without unwind tables; in the
 * first thread; inside of malloc(), and destructors free() what they have, or the thread returns.
 * For options.py.
 */
#include <cstdio>
#include <cstring>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <string>
#include <unistd.h>
#include <vector>

extern "C" void without_unwind(void (*what)());

static int destroyed, cleaned;
static std::mutex lock;

struct local {
	~local()
	{
		destroyed++;
	}
};

static void clean(void *)
{
	cleaned++;
}

static void print()
{
	puts("is not told");
}

static volatile bool enough;

static void allocate()
{
	const timespec moment = {0, 1000000};
	std::vector<std::string> texts;

	for (int i = 0; i < 2000; i++)
		texts.push_back(std::string(1000 + i, 'x'));
	if (!enough)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, nullptr);
}

static void *begin_and_call(void *argument)
{
	const char *how = static_cast<const char *>(argument);
	const struct sched_param parameter = {50};
	local object;

	pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter);
	std::lock_guard<std::mutex> guard(lock);
	pthread_cleanup_push(clean, nullptr);
	enough = !strcmp(how, "returns");
	if (!strcmp(how, "blind"))
		without_unwind(print);
	else if (!strcmp(how, "allocates") || enough)
		allocate();
	else
		print();
	pthread_cleanup_pop(0);
	if (!enough)
		puts("went on");
	return nullptr;
}

static void tell()
{
	const bool printable = !ftrylockfile(stdout);
	const bool free = lock.try_lock();

	/* What was to be printed may still be in the buffer: not by printf(). */
	dprintf(STDERR_FILENO, "destroyed %d, cleaned %d, lock %d, stdout %d\n", destroyed, cleaned,
		free, printable);
}

/* The first thread does not end while others wait for it. */
static void *tell_of_main(void *)
{
	while (!__atomic_load_n(&destroyed, __ATOMIC_RELAXED) ||
	       !__atomic_load_n(&cleaned, __ATOMIC_RELAXED))
		usleep(1000);
	usleep(20000);
	tell();
	return nullptr;
}

int main(int argc, char **argv)
{
	char *how = argc > 1 ? argv[1] : argv[0] + strlen(argv[0]);
	void *result = nullptr;
	pthread_t thread;

	setvbuf(stdout, nullptr, _IOLBF, 0);
	if (!strcmp(how, "main")) {
		pthread_create(&thread, nullptr, tell_of_main, nullptr);
		begin_and_call(how);
		return 1;
	}
	pthread_create(&thread, nullptr, begin_and_call, how);
	pthread_join(thread, &result);
	tell();
	return result != PTHREAD_CANCELED;
}
