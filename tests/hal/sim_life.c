/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Virtual time: options, stacks, and which threads belong to it. */
#define _GNU_SOURCE
#include "sim_cases.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/error.h"
#include "hal/sim.h"

static uint64_t marks[4];

static void hundred_thousand_stacks_by_canary(void)
{
	if (UNDER_TSAN)
		skip("ThreadSanitizer makes mappings slow");
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

static void bad_options_are_refused_with_a_sentence(void)
{
	const struct hal_config config = suite_config(1);
	static const char *const bad[] = {
		"sed=1",      "seed",   "seed=x",      "cost=0", "cost=-1",
		"seed=1,bla", "trace=", "watchdog=1s", "limit=", "trace=/nonexistent/file"};

	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		sim_reason[0] = '\0';
		expect(bad[i], -TACT_EINVAL, sim_try_start(1, bad[i]));
		expect("sentence", 1, strlen(sim_reason) > 20);
	}
	expect("no CPU", -TACT_EINVAL, sim_try_start(0, NULL));
	expect("too many CPUs", -TACT_EINVAL, sim_try_start(32, NULL));
	setenv("TACTUS_SIM", "speed=2", 1);
	expect("environment", -TACT_EINVAL, suite_try_start(&config, sim_reason));
	expect("names its source", 1, strstr(sim_reason, "TACTUS_SIM") != NULL);
}

/* The host watchdog is a timer, which takes one of the user's queued signals. */
static void start_without_a_timer_says_what_to_do(void)
{
	const struct rlimit none = {0, 0};
	struct hal_config config = suite_config(1);
	char reason[256];

	expect("limit", 0, setrlimit(RLIMIT_SIGPENDING, &none));
	expect("no timer", -TACT_ENOMEM, suite_try_start(&config, reason));
	expect("names the limit", 1, strstr(reason, "ulimit -i") != NULL);
	config.options = "watchdog=0";
	expect("without the watchdog", 0, suite_try_start(&config, reason));
	suite_stop();
}

static void *foreign(void *arg)
{
	(void)arg;
	marks[0] = hal_linux_caller_ok();
	marks[1] = hal_enter() != NULL;
	marks[2] = hal_shadow_owner() != NULL;
	marks[3] = (unsigned)hal_sim_now();
	hal_linux_pause(1000);
	marks[3] -= (unsigned)hal_sim_now();
	return NULL;
}

static void foreign_host_threads_are_not_ours(void)
{
	pthread_t thread;

	sim_start(1, NULL);
	expect("main", 1, hal_linux_caller_ok());
	pthread_create(&thread, NULL, foreign, NULL);
	pthread_join(thread, NULL);
	for (unsigned i = 0; i < 4; i++)
		expect("foreign", 0, (int64_t)marks[i]);
	suite_stop();
}

static struct suite_task attached;

static void main_thread_is_attached_and_released(void)
{
	sim_start(1, NULL);
	memset(&attached, 0, sizeof(attached));
	for (unsigned round = 0; round < 3; round++) {
		expect("attach", 0, hal_shadow_attach(&attached.shadow, &attached, 50));
		expect("attach again", -TACT_EBUSY,
		       hal_shadow_attach(&attached.shadow, &attached, 50));
		expect("priority", 50, hal_sim_shadow_priority(&attached));
		suite_harden();
		expect("on the CPU", 1, hal_shadow_owner() == NULL);
		suite_yield();
		hal_sim_linux_call(1, 0);
		expect("on the shadow", 1, hal_shadow_owner() == &attached);
		hal_shadow_release(attached.shadow);
		expect("plain", 1, hal_shadow_owner() == NULL);
	}
	suite_stop();
}

const struct suite_case cases_sim_life[] = {
	CASE(hundred_thousand_stacks_by_canary),     CASE(bad_options_are_refused_with_a_sentence),
	CASE(start_without_a_timer_says_what_to_do), CASE(foreign_host_threads_are_not_ours),
	CASE(main_thread_is_attached_and_released),  {NULL, NULL},
};
