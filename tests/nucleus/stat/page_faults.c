/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Page faults belong to the task that met them (thread back end). */
#define _GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define PAGE   4096u
#define ROUNDS 10u
/* Each task has a control block and a stack, and so a page or two, of its own. */
#define OTHERS 8u

struct toucher {
	volatile char *memory;
	uint32_t pages_a_round;
	struct tact_task_info info;
};

static volatile char *fresh(uint32_t pages)
{
	char *memory = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	expect_true(memory != MAP_FAILED);
	expect_ok(madvise(memory, pages * PAGE, MADV_NOHUGEPAGE));
	return memory;
}

/* Another task runs between its rounds. */
static void touch(void *arg)
{
	struct toucher *toucher = arg;

	for (uint32_t round = 0; round < ROUNDS; round++) {
		for (uint32_t page = 0; page < toucher->pages_a_round; page++) {
			*toucher->memory = 1;
			toucher->memory += PAGE;
		}
		expect_ok(tact_task_yield());
	}
	expect_ok(tact_task_inquire(TACT_SELF, &toucher->info));
}

/* The tasks take turns. */
static void touch_in_turns(struct toucher *some, struct toucher *few, struct toucher *none)
{
	tact_task_t task[] = {
		test_spawn(20, touch, some),
		test_spawn_light(20, touch, few),
		test_spawn(20, touch, none),
	};

	for (int i = 0; i < 3; i++)
		test_join(task[i]);
}

/* After this, the code of the tasks and of the nucleus is present, also in a program that has just
 * begun. */
static void bring_code(void)
{
	struct toucher one = {.pages_a_round = 1, .memory = fresh(ROUNDS)};
	struct toucher other = one;
	struct toucher third = one;

	touch_in_turns(&one, &other, &third);
}

static void expect_about(uint64_t actual, uint64_t least)
{
	/* A sanitizer has a page of its own to some of those that are touched. */
	uint64_t most = least + OTHERS + (test_sanitized() ? least : 0);

	if (actual < least || actual > most)
		test_fail(__FILE__, __LINE__, "page faults: expected %u to %u, actual %u",
			  (unsigned)least, (unsigned)most, (unsigned)actual);
}

static void start(bool *counted)
{
	struct tact_config config = {.name = "faults"};
	char reason[TACT_REASON_BYTES];

	if (test_on_sim())
		test_skip("no memory is paged in virtual time");
	expect_ok(test_start(&config, reason));
	*counted = !strstr(reason, "page faults are not counted");
}

TEST_UNSTARTED(page_faults_are_counted_by_task)
{
	struct toucher some = {.pages_a_round = 30};
	struct toucher few = {.pages_a_round = 2};
	struct toucher none = {.pages_a_round = 0};
	struct tact_cpu_info before = {0};
	struct tact_cpu_info after = {0};
	bool counted;

	start(&counted);
	if (!counted)
		test_skip("this machine does not let page faults be counted");
	if (getenv("TACTUS_TEST_STANDIN"))
		test_skip("the memory of the module's stand-in is Linux's");
	some.memory = fresh(ROUNDS * some.pages_a_round);
	few.memory = fresh(ROUNDS * few.pages_a_round);
	bring_code();
	expect_ok(tact_cpu_inquire(0, &before));
	touch_in_turns(&some, &few, &none);
	expect_ok(tact_cpu_inquire(0, &after));
	expect_about(some.info.faults, ROUNDS * some.pages_a_round);
	expect_about(few.info.faults, ROUNDS * few.pages_a_round);
	expect_about(none.info.faults, 0);
	expect_true(after.page_faults - before.page_faults >=
		    some.info.faults + few.info.faults + none.info.faults);
	expect_eq(after.faults, 0);
	expect_ok(tact_stop());
}

/* As in a container that filters the call, or with a strict kernel.perf_event_paranoid. */
TEST_UNSTARTED(page_faults_that_may_not_be_counted_are_told)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};
	struct toucher some = {.pages_a_round = 30};
	struct tact_cpu_info info = {0};
	bool counted;

	if (test_on_sim())
		test_skip("no memory is paged in virtual time");
	if (test_on_bare())
		test_skip("a core counts its faults itself, the same everywhere");
	expect_ok(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		test_skip("no seccomp here");
	start(&counted);
	expect_true(!counted);
	some.memory = fresh(ROUNDS * some.pages_a_round);
	test_join(test_spawn(20, touch, &some));
	expect_eq(some.info.faults, 0);
	expect_ok(tact_cpu_inquire(0, &info));
	expect_eq(info.page_faults, 0);
	expect_ok(tact_stop());
}
