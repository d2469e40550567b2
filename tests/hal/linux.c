/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Linux threads that wait for the nucleus, and the output of text. */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS  2000u
#define WAITERS 3u

/* A request as callers of the nucleus make it: the word is on the waiter's stack. */
struct request {
	struct base_inbox_node node;
	struct hal_word word;
	unsigned value;
};

static struct base_inbox requests;

static void answer(struct suite_cpu *cpu)
{
	struct base_inbox_node *node = base_inbox_take(&requests);

	(void)cpu;
	while (node) {
		struct request *request = base_container_of(node, struct request, node);

		node = node->next;
		request->value++;
		hal_linux_wake(&request->word); /* the request may no longer exist from here on */
	}
}

static void idle_and_answer(struct suite_cpu *cpu)
{
	answer(cpu);
	hal_idle(&cpu->hal, HAL_NO_DEADLINE, 0);
}

static void ask(void *arg)
{
	(void)arg;
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct request request = {.value = i};

		base_inbox_push(&requests, &request.node);
		hal_kick(&suite_cpus[0].hal);
		hal_linux_wait(&request.word);
		if (request.value != i + 1) {
			expect("answer", i + 1, request.value);
			break;
		}
	}
}

static void every_waiter_is_woken(void)
{
	struct back_end_thread *threads[WAITERS];

	suite_start(1);
	suite_cpus[0].on_event = answer;
	suite_cpus[0].on_idle = idle_and_answer;
	hal_kick(&suite_cpus[0].hal);
	for (unsigned i = 0; i < WAITERS; i++)
		threads[i] = back_end_thread_start(ask, NULL);
	for (unsigned i = 0; i < WAITERS; i++)
		back_end_thread_join(threads[i]);
	suite_stop();
}

static void woken_word_does_not_wait(void)
{
	struct hal_word word = {0};

	suite_start(1);
	hal_linux_wake(&word);
	hal_linux_wait(&word);
	expect("the word", 1, atomic_load(&word.value));
	suite_stop();
}

static void callers_are_welcome(void)
{
	suite_start(1);
	expect_true("this thread may call", hal_linux_caller_ok());
	expect_true("and owns no shadow", hal_shadow_owner() == NULL);
	suite_stop();
}

static void pause_lasts(void)
{
	uint64_t begin_ns;

	suite_start(1);
	begin_ns = hal_now_ns();
	hal_linux_pause(2000000);
	expect_true("2 ms at least", hal_now_ns() >= begin_ns + 2000000);
	suite_stop();
}

static void watchdog_is_paced(void)
{
	suite_start(1);
	await("watches", &suite_watches, 3);
	suite_stop();
}

static void status_memory_is_zero_and_shared(void)
{
	char *status;

	suite_start(1);
	status = hal_status_map(10000);
	expect_true("status", status != NULL);
	for (unsigned i = 0; status && i < 10000; i++)
		if (status[i])
			expect("byte", 0, status[i]);
	suite_stop();
	if (status)
		hal_status_unmap(status, 10000);
}

static __attribute__((noinline)) size_t walk(uintptr_t *addresses)
{
	uintptr_t frame = (uintptr_t)__builtin_frame_address(0);

	return hal_backtrace((uintptr_t)walk, frame, frame, frame + 65536, addresses, 8);
}

static void backtrace_finds_the_caller(void)
{
	uintptr_t addresses[8] = {0};
	uintptr_t bad[4] = {0};
	char name[200];
	size_t count = walk(addresses), length;

	expect_true("at least itself and its caller", count >= 2);
	expect_true("itself first", addresses[0] == (uintptr_t)walk);
	expect_true("then its caller", addresses[1] - (uintptr_t)backtrace_finds_the_caller < 4096);
	expect("no capacity", 0, (int64_t)hal_backtrace(1, 0, 0, 0, bad, 0));
	expect("a frame outside of the stack", 1, (int64_t)hal_backtrace(1, 64, 128, 256, bad, 4));
	expect("a frame at the stack's end", 1, (int64_t)hal_backtrace(1, 248, 128, 256, bad, 4));
	expect("an odd frame", 1, (int64_t)hal_backtrace(1, 129, 128, 256, bad, 4));

	suite_start(1);
	length = hal_symbol((uintptr_t)abort, name, sizeof(name));
	expect_true("a name", length > 0 && length < sizeof(name));
	expect("terminated", (int64_t)length, (int64_t)strlen(name));
	length = hal_symbol((uintptr_t)abort, name, 4);
	expect_true("cut to the room", length <= 3);
	expect("no room", 0, (int64_t)hal_symbol((uintptr_t)abort, name, 0));
	suite_stop();
}

const struct suite_case cases_linux[] = {
	CASE(every_waiter_is_woken),      CASE(woken_word_does_not_wait),
	CASE(callers_are_welcome),        CASE(pause_lasts),
	CASE(watchdog_is_paced),          CASE(status_memory_is_zero_and_shared),
	CASE(backtrace_finds_the_caller), {NULL, NULL},
};
