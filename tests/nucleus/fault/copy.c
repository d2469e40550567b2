/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory that leads nowhere is copied as far as it goes and told, wherever the caller runs; the
 * program's own handlers of faults stand behind that.
 */
#define _GNU_SOURCE
#include "test.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <tactus/skin.h>

#define PAGE 4096u
#define MOST 600u

/* A page, and an inaccessible one behind it. */
static unsigned char *edge(void)
{
	unsigned char *pages =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	expect_ok(mprotect(pages + PAGE, PAGE, PROT_NONE));
	return pages + PAGE;
}

static void copy_all_sizes(void)
{
	unsigned char from[MOST], to[MOST + 1];

	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (unsigned char)(i * 7 + 1);
	for (size_t bytes = 0; bytes <= MOST; bytes++) {
		memset(to, 0, sizeof(to));
		expect_ok(tact_copy(to, from, bytes));
		expect_ok(memcmp(to, from, bytes));
		expect_eq(to[bytes], 0);
	}
}

/* The last byte is one too many, on either side. */
static void copy_over_the_edge(void *argument)
{
	unsigned char *end = argument, good[MOST];

	for (size_t bytes = 1; bytes <= MOST; bytes += bytes < 20 ? 1 : 97) {
		expect_ok(tact_copy(good, end - bytes, bytes));
		expect_ok(tact_copy(end - bytes, good, bytes));
		expect_error(tact_copy(good, end - bytes + 1, bytes), TACT_EFAULT);
		expect_error(tact_copy(end - bytes + 1, good, bytes), TACT_EFAULT);
	}
	expect_error(tact_copy(good, NULL, 1), TACT_EFAULT);
	expect_error(tact_copy((void *)-1, good, 8), TACT_EFAULT);
	expect_error(tact_copy(good, (void *)(1ull << 63 | 1), 8), TACT_EFAULT);
}

TASK_TEST(copy_is_complete_for_all_sizes)
{
	copy_all_sizes();
}

TEST(copy_tells_of_what_leads_nowhere_wherever_it_runs)
{
	struct tact_cpu_info before = {0}, after = {0};

	expect_ok(tact_cpu_inquire(0, &before));
	copy_over_the_edge(edge());
	test_join(test_spawn(20, copy_over_the_edge, edge()));
	test_join(test_spawn_light(20, copy_over_the_edge, edge()));
	expect_ok(tact_cpu_inquire(0, &after));
	expect_eq(after.faults, before.faults);
}

static void relax_and_copy(void *argument)
{
	expect_ok(tact_task_relax());
	copy_over_the_edge(argument);
}

TEST(copy_tells_in_secondary_mode)
{
	test_join(test_spawn(20, relax_and_copy, edge()));
}

TEST_UNSTARTED(copy_before_the_start)
{
	char from = 1, to = 0;

	if (test_on_sim()) {
		expect_error(tact_copy(&to, &from, 1), TACT_EPERM);
		return;
	}
	expect_ok(tact_copy(&to, &from, 1));
	copy_over_the_edge(edge());
}

static void *hit;
static sigjmp_buf back;

static void jump(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	hit = info->si_addr;
	siglongjmp(back, 1);
}

TEST_UNSTARTED(actions_of_faults_are_linuxs_before_the_start)
{
	struct tact_fault_action had;

	expect_error(tact_fault_action(SIGUSR1, NULL, &had), TACT_EINVAL);
	expect_error(tact_fault_action(SIGFPE, NULL, &had), TACT_EPERM);
}

TEST(actions_of_faults_stand_behind_those_of_here)
{
	const struct tact_fault_action mine = {(void *)jump, SA_SIGINFO | SA_NODEFER, 0};
	struct tact_fault_action had;
	unsigned char *bad = edge();

	if (test_on_sim())
		test_skip("virtual time: the program's handlers replace the simulation's");
	expect_error(tact_fault_action(SIGUSR1, &mine, &had), TACT_EINVAL);
	expect_ok(tact_fault_action(SIGSEGV, &mine, &had));
	copy_over_the_edge(bad);
	expect_true(!hit);
	if (!sigsetjmp(back, 1))
		*(volatile unsigned char *)bad = 1;
	expect_true(hit == bad);
	expect_ok(tact_fault_action(SIGSEGV, &had, &had));
	expect_true(had.handler == (void *)jump);
	expect_eq(had.flags, mine.flags);
}
