/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: what many attached threads need at the same time, and what they leave behind. */
#define _GNU_SOURCE
#include "thread_cases.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define THREADS     96
#define STACK_BYTES (256u * 1024u) /* small enough that the C library's cache keeps all of them */
#define CROWDS      3
#define PAGE        4096u
#define WHOLE       64u             /* number of threads that have all of their stack at once */
#define HELD_PAGES  (65536u / PAGE) /* pages below their frames that are held */
#define AT_ONCE     (16384u / PAGE)

#define KEPT_MOST 64 /* pairs of descriptors that are kept for later threads */
#define ROUNDS    3000

static struct suite_task tasks[THREADS];
static uintptr_t frames[THREADS];
static _Atomic unsigned attached, refused, over;

static void *live(void *argument)
{
	const size_t number = (size_t)argument;

	frames[number] = (uintptr_t)__builtin_frame_address(0);
	if (hal_shadow_attach(&tasks[number].shadow, &tasks[number], 0)) {
		atomic_fetch_add(&refused, 1);
		atomic_fetch_add(&attached, 1);
		return NULL;
	}
	atomic_fetch_add(&attached, 1);
	while (!atomic_load(&over))
		hal_linux_pause(1000000);
	hal_shadow_release(tasks[number].shadow);
	return NULL;
}

/* Started one after the other, all alive. The limits of a small machine are no failure. */
static void begin(pthread_t threads[THREADS])
{
	pthread_attr_t attributes;

	atomic_store(&attached, 0);
	atomic_store(&over, 0);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	for (size_t i = 0; i < THREADS; i++) {
		if (pthread_create(&threads[i], &attributes, live, (void *)i))
			skip("no threads");
		await("attached", &attached, (unsigned)i + 1);
	}
	pthread_attr_destroy(&attributes);
	expect("refused", 0, atomic_load(&refused));
}

static void end(pthread_t threads[THREADS])
{
	atomic_store(&over, 1);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* Each time, the count includes the descriptor that this function uses. */
static int descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	int count = 0;

	if (!folder)
		skip("no /proc");
	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

static int mappings(void)
{
	FILE *file = fopen("/proc/self/maps", "re");
	int count = 0, character;

	if (!file)
		skip("no /proc");
	while ((character = getc(file)) != EOF)
		count += character == '\n';
	fclose(file);
	return count;
}

static void need_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur < 2 * THREADS + 128)
		skip("too few descriptors");
}

static void many_take_two_descriptors_each_and_leave_few(void)
{
	pthread_t threads[THREADS];
	int before, alive, after, maps;

	need_descriptors();
	suite_start(1);
	before = descriptors();
	begin(threads);
	alive = descriptors();
	end(threads);
	after = descriptors();
	maps = mappings();
	expect("of all that live", 2 * THREADS, alive - before);
	expect_true("kept for later ones", after > before);
	expect_true("not too many", after - before <= 2 * KEPT_MOST);
	for (int crowd = 0; crowd < CROWDS; crowd++) {
		begin(threads);
		expect("of as many again", alive, descriptors());
		end(threads);
		expect("after them", after, descriptors());
	}
	/* Not one for each: a stack of the C library may be locked in part, or no longer. */
	expect_true("hardly more mappings", mappings() < maps + THREADS);
	suite_stop();
	expect("after the stop", 0, descriptors() > before);
}

/* How many of these pages below the frame are present? */
static unsigned present(uintptr_t frame, unsigned from, unsigned pages)
{
	unsigned char there[HELD_PAGES];
	const uintptr_t highest = frame & ~(uintptr_t)(PAGE - 1);
	unsigned count = 0;

	memset(there, 0, sizeof(there));
	if (mincore((void *)(highest - (uintptr_t)(from + pages - 1) * PAGE), pages * PAGE, there))
		return 0;
	for (unsigned i = 0; i < pages; i++)
		count += there[i] & 1;
	return count;
}

static bool is_held(uintptr_t frame)
{
	return present(frame, 1, HELD_PAGES - 1) == HELD_PAGES - 1;
}

static void stacks_of_many_come_in_parts(void)
{
	pthread_t threads[THREADS];
	unsigned parts = 0;
	int round = 0;

	if (sanitized())
		skip("nothing is locked");
	need_descriptors();
	suite_start(1);
	begin(threads);
	for (size_t i = 0; i < WHOLE; i++)
		expect_true("of the first ones all is there", is_held(frames[i]));
	for (size_t i = WHOLE; i < THREADS; i++) {
		expect("what is used first", AT_ONCE - 1, present(frames[i], 1, AT_ONCE - 1));
		parts += !is_held(frames[i]);
	}
	/* The housekeeper may have run already. */
	printf("# of %u some had %u in part\n", (unsigned)(THREADS - WHOLE), parts);
	for (size_t i = WHOLE; i < THREADS; i++)
		while (!is_held(frames[i]) && round++ < ROUNDS)
			hal_linux_pause(10000000);
	expect_true("soon all of it is there", round < ROUNDS);
	end(threads);
	suite_stop();
}

const struct suite_case cases_thread_many[] = {
	CASE(many_take_two_descriptors_each_and_leave_few),
	CASE(stacks_of_many_come_in_parts),
	{NULL, NULL},
};
