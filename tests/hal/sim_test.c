/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What only the virtual-time back end promises: exact instants, equal runs for equal seeds, other
 * runs for other seeds, named ends of simulations that hang, and a task's fault that ends the task
 * alone. Each test runs in a process of its own; sim_test NAME runs one.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <pthread.h>

#include "base/error.h"
#include "hal/sim.h"
#include "nucleus.h"

#define STEPS 40

static unsigned failures;
static char reason[256];
static struct suite_task tasks[4];

static void expect(const char *what, int64_t expected, int64_t actual)
{
	if (expected == actual)
		return;
	failures++;
	printf("    %s: expected %" PRId64 ", actual %" PRId64 "\n", what, expected, actual);
}

static int try_start(unsigned cpus, const char *options)
{
	struct hal_config config = suite_config(cpus);

	config.options = options;
	return suite_try_start(&config, reason);
}

static void start(unsigned cpus, const char *options)
{
	int status = try_start(cpus, options);

	if (!status)
		return;
	printf("    start failed: %d %s\n", status, reason);
	exit(1);
}

static uint64_t marks[8];

static void sleeper(void *arg)
{
	(void)arg;
	suite_sleep_until(1500000000);
	marks[0] = hal_sim_now();
}

static void computer(void *arg)
{
	uint64_t before = hal_sim_now();

	(void)arg;
	hal_compute(700000000);
	marks[1] = hal_sim_now() - before;
	marks[2] = suite_cpus[0].event_ns;
}

static void test_shot_interrupts_a_computing_task_at_its_instant(void)
{
	start(1, NULL);
	suite_task_start(&tasks[0], 0, false, sleeper, NULL);
	hal_compute(1000);
	suite_cpus[0].events = 0;
	suite_task_start(&tasks[1], 0, false, computer, NULL);
	suite_task_join(&tasks[0]);
	suite_task_join(&tasks[1]);
	/* The upcall read the clock, which costs 1 ns. */
	expect("instant of the shot", 1500000001, (int64_t)marks[2]);
	expect("the sleeper went on within 100 ns", 1, marks[0] - 1500000000 < 100);
	expect("computing took its time and the sleeper's", 1, marks[1] - 700000000 < 200);
	expect("events", 1, suite_cpus[0].events);
	suite_stop();
}

static void test_idle_cpu_wakes_at_its_deadline(void)
{
	start(1, NULL);
	suite_task_start(&tasks[0], 0, false, sleeper, NULL);
	suite_task_join(&tasks[0]);
	expect("the sleeper went on within 100 ns", 1,
	       marks[0] >= 1500000000 && marks[0] - 1500000000 < 100);
	suite_stop();
}

static void kicked(void *arg)
{
	(void)arg;
	hal_compute(1000000);
}

static void kicker(void *arg)
{
	(void)arg;
	hal_compute(400000);
	marks[3] = hal_sim_now();
	hal_kick(&suite_cpus[0].hal);
}

static void test_kick_arrives_after_its_set_latency(void)
{
	struct hal_sim_costs costs;

	hal_sim_get_costs(&costs);
	costs.kick_ns = 777;
	expect("set costs", 0, hal_sim_set_costs(&costs));
	start(2, NULL);
	suite_task_start(&tasks[0], 0, false, kicked, NULL);
	suite_task_start(&tasks[1], 1, false, kicker, NULL);
	suite_task_join(&tasks[0]);
	suite_task_join(&tasks[1]);
	/* And 1 ns for reading the clock. */
	expect("latency", 778, (int64_t)(suite_cpus[0].event_ns - marks[3]));
	suite_stop();
}

static char order[4 * STEPS + 1];
static unsigned order_used;

static void marker(void *arg)
{
	for (unsigned i = 0; i < STEPS; i++) {
		order[order_used++] = *(const char *)arg;
		if (i % 4)
			(void)hal_now_ns();
		else
			suite_yield();
	}
}

static uint64_t interleave(const char *options)
{
	uint64_t hash;

	order_used = 0;
	memset(order, 0, sizeof(order));
	start(2, options);
	for (unsigned i = 0; i < 4; i++)
		suite_task_start(&tasks[i], i % 2, i > 1, marker, &"abcd"[i]);
	for (unsigned i = 0; i < 4; i++)
		suite_task_join(&tasks[i]);
	suite_stop();
	hash = hal_sim_trace_hash();
	return hash;
}

static void test_equal_seeds_give_equal_runs(void)
{
	char first[sizeof(order)];

	for (unsigned seed = 0; seed < 50; seed++) {
		char options[32];
		uint64_t hash;

		snprintf(options, sizeof(options), "seed=%u", seed);
		hash = interleave(options);
		memcpy(first, order, sizeof(order));
		free(malloc(seed * 1000 + 1)); /* other addresses must not matter */
		expect("hash of the second run", (int64_t)hash, (int64_t)interleave(options));
		expect("order of the second run", 0, memcmp(first, order, sizeof(order)));
	}
}

static void test_different_seeds_give_different_interleavings(void)
{
	static char seen[100][sizeof(order)];
	unsigned distinct = 0;

	for (unsigned seed = 0; seed < 100; seed++) {
		char options[32];
		unsigned i = 0;

		snprintf(options, sizeof(options), "seed=%u", seed);
		interleave(options);
		while (i < distinct && memcmp(seen[i], order, sizeof(order)))
			i++;
		if (i == distinct)
			memcpy(seen[distinct++], order, sizeof(order));
	}
	if (distinct < 90)
		expect("distinct orders of 100 seeds, at least 90", 90, distinct);
}

static void test_unseeded_runs_are_equal(void)
{
	expect("hash", (int64_t)interleave(NULL), (int64_t)interleave(""));
}

static void caller(void *arg)
{
	uint64_t before = hal_sim_now();

	(void)arg;
	marks[0] = hal_shadow_owner() != NULL;
	hal_sim_linux_call(1, 0);
	marks[1] = hal_shadow_owner() == &tasks[0];
	marks[2] = hal_enter() == NULL;
	marks[3] = hal_sim_now() - before;
	suite_harden();
	marks[4] = hal_shadow_owner() != NULL;
}

static void test_linux_call_runs_on_the_shadow_at_its_cost(void)
{
	start(1, "linux_cost=250000");
	suite_task_start(&tasks[0], 0, true, caller, NULL);
	suite_task_join(&tasks[0]);
	expect("on a shadow before", 0, (int64_t)marks[0]);
	expect("on its shadow after", 1, (int64_t)marks[1]);
	expect("on no CPU after", 1, (int64_t)marks[2]);
	expect("cost at least dispatch + call", 1, marks[3] >= 255000 && marks[3] < 255100);
	expect("back on a CPU", 0, (int64_t)marks[4]);
	expect("parked", 1, tasks[0].parked);
	suite_stop();
}

static void light_caller(void *arg)
{
	(void)arg;
	marks[0] = (uint64_t)(int64_t)hal_sim_linux_call(1, 0);
}

static void test_refused_linux_call_returns_the_refusal(void)
{
	start(1, NULL);
	suite_task_start(&tasks[0], 0, false, light_caller, NULL);
	suite_task_join(&tasks[0]);
	expect("refusal", -TACT_EPERM, (int64_t)marks[0]);
	suite_stop();
}

static volatile char *nowhere;
static volatile int sink;

static void toucher(void *arg)
{
	(void)arg;
	*nowhere = 1;
}

static int deeper(int depth)
{
	volatile char room[512];

	room[depth & 511] = (char)depth;
	return depth == sink ? 0 : deeper(depth + 1) + room[0];
}

static void overrunner(void *arg)
{
	(void)arg;
	sink = -1;
	sink = deeper(1);
}

static void shadow_toucher(void *arg)
{
	(void)arg;
	hal_sim_linux_call(1, 0);
	*nowhere = 1;
}

static void test_faults_end_the_task_alone(void)
{
	nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	start(1, NULL);
	for (unsigned round = 0; round < 3; round++) {
		suite_task_start(&tasks[0], 0, false, toucher, NULL);
		suite_task_start(&tasks[1], 0, false, overrunner, NULL);
		suite_task_start(&tasks[2], 0, false, sleeper, NULL);
		for (unsigned i = 0; i < 3; i++)
			suite_task_join(&tasks[i]);
		expect("cause of a wild pointer", HAL_FAULT_MEMORY, tasks[0].fault.cause);
		expect("cause of an overrun", HAL_FAULT_STACK, tasks[1].fault.cause);
		expect("the third is well", 0, tasks[2].fault.cause);
	}
	suite_task_start(&tasks[3], 0, true, shadow_toucher, NULL);
	hal_linux_wait(&tasks[3].done);
	expect("cause in secondary mode", HAL_FAULT_MEMORY, tasks[3].fault.cause);
	suite_stop();
}

static void test_100000_stacks(void)
{
	struct hal_stack *stacks = calloc(100000, sizeof(*stacks));
	unsigned unguarded = 0;

	for (unsigned i = 0; i < 100000; i++) {
		if (hal_stack_get(16384, &stacks[i])) {
			expect("stacks", 100000, i);
			exit(1);
		}
		*(uint64_t *)((char *)stacks[i].base + stacks[i].bytes - 64) = i + 1;
		unguarded += !stacks[i].guarded;
	}
	expect("some without guard", 1, unguarded > 0);
	for (unsigned i = 0; i < 100000; i++) {
		uint64_t *mark = (uint64_t *)((char *)stacks[i].base + stacks[i].bytes - 64);

		expect("mark", i + 1, (int64_t)*mark);
		expect("no overrun", 0, hal_stack_overrun(&stacks[i], 0));
	}
	expect("used", 64, (int64_t)hal_stack_used(&stacks[0]) & ~7);
	*(uint64_t *)stacks[99999].base = 0;
	expect("overrun of a canary", 1, hal_stack_overrun(&stacks[99999], 0));
	for (unsigned i = 0; i < 100000; i++)
		hal_stack_put(&stacks[i]);
	expect("from the pool", 0, hal_stack_get(16384, &stacks[0]));
	expect("clean again", 0, (int64_t)hal_stack_used(&stacks[0]) & ~7);
	expect("too small", -TACT_EINVAL, hal_stack_get(hal_stack_minimum() - 1, &stacks[1]));
	expect("too large", -TACT_EINVAL, hal_stack_get((1ull << 30) + 1, &stacks[1]));
	free(stacks);
}

static void test_bad_options_are_refused_with_a_sentence(void)
{
	static const char *const bad[] = {
		"sed=1",      "seed",   "seed=x",      "cost=0", "cost=-1",
		"seed=1,bla", "trace=", "watchdog=1s", "limit=", "trace=/nonexistent/file"};

	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		reason[0] = '\0';
		expect(bad[i], -TACT_EINVAL, try_start(1, bad[i]));
		expect("sentence", 1, strlen(reason) > 20);
	}
	expect("no CPU", -TACT_EINVAL, try_start(0, NULL));
	expect("too many CPUs", -TACT_EINVAL, try_start(32, NULL));
	setenv("TACTUS_SIM", "speed=2", 1);
	expect("environment", -TACT_EINVAL, try_start(1, NULL));
	expect("names its source", 1, strstr(reason, "TACTUS_SIM") != NULL);
}

static void *foreign(void *arg)
{
	(void)arg;
	marks[0] = hal_linux_caller_ok();
	marks[1] = hal_enter() != NULL;
	marks[2] = hal_shadow_owner() != NULL;
	return NULL;
}

static void test_foreign_host_threads_are_not_ours(void)
{
	pthread_t thread;

	start(1, NULL);
	expect("main", 1, hal_linux_caller_ok());
	pthread_create(&thread, NULL, foreign, NULL);
	pthread_join(thread, NULL);
	for (unsigned i = 0; i < 3; i++)
		expect("foreign", 0, (int64_t)marks[i]);
	suite_stop();
}

static struct suite_task adopted;

static void test_main_thread_is_adopted_and_released(void)
{
	start(1, NULL);
	memset(&adopted, 0, sizeof(adopted));
	for (unsigned round = 0; round < 3; round++) {
		expect("adopt", 0, hal_shadow_adopt(&adopted.shadow, &adopted, 50));
		expect("adopt again", -TACT_EBUSY, hal_shadow_adopt(&adopted.shadow, &adopted, 50));
		expect("priority", 50, hal_sim_shadow_priority(&adopted));
		suite_harden();
		expect("on the CPU", 1, hal_shadow_owner() == NULL);
		suite_yield();
		hal_sim_linux_call(1, 0);
		expect("on the shadow", 1, hal_shadow_owner() == &adopted);
		hal_shadow_release(adopted.shadow);
		expect("plain", 1, hal_shadow_owner() == NULL);
	}
	suite_stop();
}

static void thread_entry(void *arg)
{
	hal_compute(1000);
	*(uint64_t *)arg = hal_sim_now();
}

static void test_linux_threads_have_their_own_time(void)
{
	struct hal_sim_thread *threads[8];
	uint64_t ends[8];

	start(1, NULL);
	for (unsigned i = 0; i < 8; i++)
		expect("start", 0, hal_sim_thread_start(&threads[i], thread_entry, &ends[i], "t"));
	for (unsigned i = 0; i < 8; i++)
		hal_sim_thread_join(threads[i]);
	expect("all at once", 1, ends[7] - ends[0] < 100);
	hal_compute(1000000000);
	expect("watches", 10, suite_watches);
	hal_sim_set_wall_ns(5);
	expect("wall", 1,
	       suite_wall_changes == 1 && (int64_t)hal_sim_now() + hal_wall_offset_ns() == 5);
	suite_stop();
}

/* Runs the body in a child; returns its exit code and what it wrote to standard error. */
static int ends_with(void (*body)(void), char text[4096])
{
	int pipes[2];
	ssize_t got;
	size_t used = 0;
	int status;
	pid_t child;

	fflush(NULL);
	if (pipe(pipes))
		exit(1);
	child = fork();
	if (!child) {
		dup2(pipes[1], 2);
		body();
		_exit(0);
	}
	close(pipes[1]);
	while ((got = read(pipes[0], text + used, 4095 - used)) > 0)
		used += (size_t)got;
	text[used] = '\0';
	close(pipes[0]);
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void expect_end(void (*body)(void), int code, const char *words)
{
	char text[4096];

	expect("exit code", code, ends_with(body, text));
	if (strstr(text, words))
		return;
	failures++;
	printf("    expected words \"%s\", actual \"%s\"\n", words, text);
}

static void stuck(void)
{
	struct hal_word word = {0};

	start(2, NULL);
	hal_linux_wait(&word);
}

static void looper(void *arg)
{
	(void)arg;
	for (;;)
		sink = !sink;
}

static void stuck_loop(void)
{
	start(1, "watchdog=1");
	suite_task_start(&tasks[0], 0, false, looper, NULL);
	suite_task_join(&tasks[0]);
}

static void yielder(void *arg)
{
	(void)arg;
	for (;;)
		suite_sleep_until(hal_now_ns() + 1000000);
}

static void endless(void)
{
	start(1, "limit=3");
	suite_task_start(&tasks[0], 0, false, yielder, NULL);
	suite_task_join(&tasks[0]);
}

static void nucleus_fault(void)
{
	start(1, NULL);
	nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*nowhere = 1;
}

static void test_stuck_simulation_is_named(void)
{
	expect_end(stuck, HAL_SIM_EXIT_PANIC, "simulation is stuck");
	expect_end(stuck, HAL_SIM_EXIT_PANIC, "main waits for a word");
	expect_end(stuck, HAL_SIM_EXIT_PANIC, "cpu1 idles without a deadline");
}

static void test_stuck_loop_is_named(void)
{
	expect_end(stuck_loop, HAL_SIM_EXIT_PANIC, "stuck loop: the task on cpu0");
}

static void test_endless_simulation_ends_at_its_limit(void)
{
	expect_end(endless, HAL_SIM_EXIT_PANIC, "past its limit of 3000000000 ns");
}

static void test_fault_outside_a_task_is_the_programs(void)
{
	expect_end(nucleus_fault, -SIGSEGV, "in code of no task on main");
}

static void test_trace_file_has_a_line_for_each_decision(void)
{
	char path[] = "/tmp/tactus-sim-trace-XXXXXX";
	char options[64];
	struct hal_sim_statistics statistics;
	uint64_t lines = 0;
	FILE *file;
	int c;

	close(mkstemp(path));
	snprintf(options, sizeof(options), "trace=%s,seed=3", path);
	interleave(options);
	hal_sim_get_statistics(&statistics);
	file = fopen(path, "r");
	while ((c = getc(file)) != EOF)
		lines += c == '\n';
	fclose(file);
	unlink(path);
	expect("lines", (int64_t)statistics.points, (int64_t)lines);
	expect("hand-overs happen", 1, statistics.hand_overs > 50);
}

/* ThreadSanitizer holds signals back until the program makes a call, and makes mappings slow. */
#if defined(__SANITIZE_THREAD__)
#define UNDER_TSAN 1
#elif defined(__has_feature)
#define UNDER_TSAN __has_feature(thread_sanitizer)
#else
#define UNDER_TSAN 0
#endif

static const struct test {
	const char *name;
	void (*body)(void);
} tests[] = {
#define TEST(name)                 \
	{                          \
#name, test_##name \
	}
	TEST(shot_interrupts_a_computing_task_at_its_instant),
	TEST(idle_cpu_wakes_at_its_deadline),
	TEST(kick_arrives_after_its_set_latency),
	TEST(equal_seeds_give_equal_runs),
	TEST(different_seeds_give_different_interleavings),
	TEST(unseeded_runs_are_equal),
	TEST(linux_call_runs_on_the_shadow_at_its_cost),
	TEST(refused_linux_call_returns_the_refusal),
	TEST(faults_end_the_task_alone),
	TEST(100000_stacks),
	TEST(bad_options_are_refused_with_a_sentence),
	TEST(foreign_host_threads_are_not_ours),
	TEST(main_thread_is_adopted_and_released),
	TEST(linux_threads_have_their_own_time),
	TEST(stuck_simulation_is_named),
	TEST(stuck_loop_is_named),
	TEST(endless_simulation_ends_at_its_limit),
	TEST(fault_outside_a_task_is_the_programs),
	TEST(trace_file_has_a_line_for_each_decision),
};

int main(int argc, char **argv)
{
	unsigned failed = 0;

	for (unsigned i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		int status;
		pid_t child;

		if (argc > 1 && strcmp(argv[1], tests[i].name))
			continue;
		if (UNDER_TSAN && (tests[i].body == test_100000_stacks ||
				   tests[i].body == test_stuck_loop_is_named)) {
			printf("skip   %s: ThreadSanitizer\n", tests[i].name);
			continue;
		}
		fflush(NULL);
		child = fork();
		if (!child) {
			unsetenv("TACTUS_SIM");
			alarm(120);
			tests[i].body();
			exit(failures != 0);
		}
		waitpid(child, &status, 0);
		printf("%s %s\n", status ? "FAILED" : "ok    ", tests[i].name);
		failed += status != 0;
	}
	return failed != 0;
}
