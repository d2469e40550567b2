/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stacks of adopted threads, of which Linux brings a page when it is used (thread back end). */
#define _GNU_SOURCE
#include "test.h"

#include <pthread.h>
#include <sys/resource.h>

#define FRAME_BYTES 16384u
/* A frame is a little more than its array. */
#define MAIN_LEVELS   (4u * 1024 * 1024 / FRAME_BYTES)
#define THREAD_LEVELS 12u

static void needs_linux(void)
{
	if (test_on_sim())
		test_skip("virtual time has no system calls");
}

/*
 * Each level's array lies where nobody was before. It is met in its middle: what is below, the
 * place below the stack pointer among it, is not there yet.
 */
static __attribute__((noinline)) uint32_t deep(uint32_t levels)
{
	volatile unsigned char room[FRAME_BYTES];
	uint32_t sum;

	room[FRAME_BYTES / 2] = (unsigned char)levels;
	room[FRAME_BYTES - 1] = 1;
	sum = levels ? deep(levels - 1) : 0;
	return sum + (room[FRAME_BYTES / 2] == (unsigned char)levels) + room[FRAME_BYTES - 1];
}

static void go_down(uint32_t levels)
{
	struct tact_task_attr attr = {.name = "deep", .priority = 20};

	expect_ok(tact_task_adopt(&attr, NULL));
	for (int i = 0; i < 2; i++)
		expect_eq(deep(levels), 2 * (levels + 1));
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	expect_ok(tact_task_let_go());
}

static void *thread_goes_down(void *arg)
{
	(void)arg;
	go_down(THREAD_LEVELS);
	return NULL;
}

TEST(an_adopted_thread_goes_down_its_stack)
{
	pthread_t thread;

	needs_linux();
	for (int i = 0; i < 3; i++) {
		expect_ok(pthread_create(&thread, NULL, thread_goes_down, NULL));
		expect_ok(pthread_join(thread, NULL));
	}
}

TEST(the_stack_of_an_adopted_main_thread_grows)
{
	struct rlimit limit;

	needs_linux();
	expect_ok(getrlimit(RLIMIT_STACK, &limit));
	if (limit.rlim_cur < (rlim_t)2 * MAIN_LEVELS * FRAME_BYTES)
		test_skip("too little memory for the stack: ulimit -s");
	go_down(MAIN_LEVELS);
}
