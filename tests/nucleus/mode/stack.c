/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stacks of attached threads, of which Linux brings a page when it is used (thread back end). */
#define _GNU_SOURCE
#include "test.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define FRAME_BYTES 16384u
/* A frame is a little more than its array. */
#define MAIN_LEVELS   (4u * 1024 * 1024 / FRAME_BYTES)
#define THREAD_LEVELS 12u
#define PAGE          4096u
#define SMALL_BYTES   16384u
#define GIVEN_BYTES   32768u

static void needs_linux(void)
{
	if (test_on_sim())
		test_skip("virtual time has no system calls");
}

/*
 * The array of each level is on new pages. It is touched in its middle: the pages below, among them
 * the one below the stack pointer, are not there yet.
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

	expect_ok(tact_task_attach(&attr, NULL));
	for (int i = 0; i < 2; i++)
		expect_eq(deep(levels), 2 * (levels + 1));
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	expect_ok(tact_task_detach());
}

static void *thread_goes_down(void *arg)
{
	(void)arg;
	go_down(THREAD_LEVELS);
	return NULL;
}

TEST(an_attached_thread_goes_down_its_stack)
{
	pthread_t thread;

	needs_linux();
	for (int i = 0; i < 3; i++) {
		expect_ok(pthread_create(&thread, NULL, thread_goes_down, NULL));
		expect_ok(pthread_join(thread, NULL));
	}
}

TEST(the_stack_of_an_attached_main_thread_grows)
{
	struct rlimit limit;

	needs_linux();
	expect_ok(getrlimit(RLIMIT_STACK, &limit));
	if (limit.rlim_cur < (rlim_t)2 * MAIN_LEVELS * FRAME_BYTES)
		test_skip("too little memory for the stack: ulimit -s");
	go_down(MAIN_LEVELS);
}

/* A stack of the program, with nothing below it. */
static pthread_t thread_on(size_t bytes, void *(*entry)(void *arg), char **memory)
{
	pthread_attr_t attributes;
	pthread_t thread;

	*memory = mmap(NULL, PAGE + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);
	expect_true(*memory != MAP_FAILED);
	expect_ok(mprotect(*memory, PAGE, PROT_NONE));
	expect_ok(pthread_attr_init(&attributes));
	expect_ok(pthread_attr_setstack(&attributes, *memory + PAGE, bytes));
	expect_ok(pthread_create(&thread, &attributes, entry, *memory + PAGE));
	expect_ok(pthread_attr_destroy(&attributes));
	return thread;
}

static void *be_a_task_on_little(void *arg)
{
	expect_error(tact_task_attach(NULL, NULL), TACT_ENOSPC);
	expect_eq(tact_mode(), TACT_MODE_NONE);
	return arg;
}

TEST(a_thread_with_a_small_stack_stays_what_it_is)
{
	pthread_t thread;
	char *memory;

	needs_linux();
	for (int i = 0; i < 2; i++) {
		thread = thread_on(SMALL_BYTES, be_a_task_on_little, &memory);
		expect_ok(pthread_join(thread, NULL));
		expect_ok(munmap(memory, PAGE + SMALL_BYTES));
	}
}

/* Others end it, and its cleanups run. */
static void *fault_on_given(void *arg)
{
	volatile char here = 0;
	int volatile *volatile nowhere = (int volatile *)(uintptr_t)(16 + here);

	expect_true((uintptr_t)&here - (uintptr_t)arg < GIVEN_BYTES);
	expect_ok(tact_task_attach(NULL, NULL));
	expect_ok(tact_task_sleep(1000));
	*nowhere = 1;
	return arg;
}

static void *end_on_given(void *arg)
{
	expect_ok(tact_task_attach(NULL, NULL));
	expect_ok(tact_task_sleep(1000));
	expect_ok(tact_task_relax());
	expect_ok(tact_task_harden());
	pthread_exit(arg);
}

TEST(a_thread_on_given_memory_is_a_task_there)
{
	static void *(*const entries[])(void *) = {fault_on_given, end_on_given};
	void *result = NULL;
	pthread_t thread;
	char *memory;

	needs_linux();
	capture_reports();
	for (int i = 0; i < 4; i++) {
		thread = thread_on(GIVEN_BYTES, entries[i % 2], &memory);
		expect_ok(pthread_join(thread, &result));
		expect_true(result == (i % 2 ? memory + PAGE : PTHREAD_CANCELED));
		expect_ok(munmap(memory, PAGE + GIVEN_BYTES));
	}
}
