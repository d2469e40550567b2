/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The library of the bare core takes the vDSO's clocks when it is loaded, even if other threads
 * read them meanwhile, and leaves them as they were. No core is needed for it. usage:
 * test_bare_vdso LIBRARY
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define THREADS 3
#define LOADS   5
#define JUMP    0xe9
#define HEAD    8
#define STEP_US 300

static const char *library;
static _Atomic bool stop, wrong;
static _Atomic unsigned looks;

static int64_t ns_of(const struct timespec *time)
{
	return time->tv_sec * 1000000000ll + time->tv_nsec;
}

static int64_t by_call(void)
{
	struct timespec now;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	return ns_of(&now);
}

static bool clock_is_right(void)
{
	int64_t before = by_call();
	struct timespec now = {0};

	return clock_gettime(CLOCK_MONOTONIC, &now) == 0 && ns_of(&now) >= before &&
	       ns_of(&now) <= by_call();
}

static void *look(void *pause_us)
{
	while (!atomic_load(&stop)) {
		if (!clock_is_right())
			atomic_store(&wrong, true);
		atomic_fetch_add(&looks, 1);
		if (*(const unsigned *)pause_us)
			usleep(*(const unsigned *)pause_us);
	}
	return NULL;
}

static const unsigned char *head(void)
{
	void *vdso = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);

	return vdso ? dlvsym(vdso, "__vdso_clock_gettime", "LINUX_2.6") : NULL;
}

static int number;

static bool told(bool good, const char *name)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++number, name);
	return good;
}

static bool alone(void)
{
	unsigned char before[HEAD];
	bool taken, right, back;
	void *loaded;

	memcpy(before, head(), HEAD);
	loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	if (!loaded) {
		printf("# %s\n", dlerror());
		return false;
	}
	taken = head()[0] == JUMP;
	right = clock_is_right();
	dlclose(loaded);
	back = memcmp(before, head(), HEAD) == 0;
	if (!taken || !right || !back)
		printf("# expected taken, right, given back; actual %d %d %d\n", taken, right,
		       back);
	return taken && right && back && clock_is_right();
}

/* pause_us 0: the threads are never seen at rest, and the clocks remain Linux's. */
static bool among(unsigned pause_us)
{
	pthread_t threads[THREADS];
	unsigned char before[HEAD];
	void *loaded;
	bool good, jumps;

	memcpy(before, head(), HEAD);
	atomic_store(&stop, false);
	atomic_store(&looks, 0);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, look, &pause_us);
	while (atomic_load(&looks) < THREADS)
		usleep(STEP_US);
	loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	jumps = head()[0] == JUMP;
	good = loaded && clock_is_right() && !(jumps && pause_us == 0);
	printf("# loaded %d, taken %d\n", loaded != NULL, jumps);
	atomic_store(&stop, true);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	/* No thread reads a clock by the library's code any more. */
	if (loaded)
		dlclose(loaded);
	if (atomic_load(&wrong))
		printf("# a thread read a wrong time\n");
	return good && !atomic_load(&wrong) && memcmp(before, head(), HEAD) == 0;
}

static bool among_sleepers(void)
{
	bool good = true;

	for (int i = 0; i < LOADS && good; i++)
		good = among(STEP_US);
	return good;
}

int main(int argc, char **argv)
{
	bool good;

	if (argc != 2 || !head()) {
		printf("1..0 # SKIP no vDSO, or no library was given\n");
		return 0;
	}
	library = argv[1];
	printf("1..3\n");
	good = told(alone(), "clocks_are_taken_at_loading_and_given_back");
	good &= told(among_sleepers(), "threads_that_read_clocks_meanwhile_go_on");
	good &= told(among(0), "no_jump_is_put_where_a_thread_may_be");
	return good ? 0 : 1;
}
