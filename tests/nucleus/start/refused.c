/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Things that the machine refuses to the program: each is named, and nothing is kept. */
#define _GNU_SOURCE /* sched_setaffinity() */
#include "test.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

static void expect_refused(const struct tact_config *config, int code, const char *word)
{
	char reason[TACT_REASON_BYTES];

	expect_error(test_start(config, reason), code);
	if (!strstr(reason, word))
		test_fail(__FILE__, __LINE__, "expected \"%s\", actual \"%s\"", word, reason);
	expect_eq(tact_cpus(), 0);
}

/* Takes the last CPU from this process; returns its number. */
static uint32_t lose_a_cpu(void)
{
	cpu_set_t set;
	uint32_t last = CPU_SETSIZE;

	expect_ok(sched_getaffinity(0, sizeof(set), &set));
	if (CPU_COUNT(&set) < 2)
		test_skip("one CPU is not to be lost");
	do
		last--;
	while (!CPU_ISSET(last, &set));
	CPU_CLR(last, &set);
	expect_ok(sched_setaffinity(0, sizeof(set), &set));
	return last;
}

TEST_UNSTARTED(cpu_that_this_process_may_not_use_is_refused)
{
	struct tact_config config = {0};
	char reason[TACT_REASON_BYTES];
	uint32_t cpu;
	int result;

	if (test_on_sim())
		test_skip("simulated CPUs have no Linux CPU");
	cpu = lose_a_cpu();
	config.linux_cpu = &cpu;
	expect_refused(&config, TACT_EPERM, "may use");
	/* The choice is among the others. */
	config.linux_cpu = NULL;
	result = test_start(&config, reason);
	if (test_on_bare() && result == -TACT_ENXIO)
		test_skip(reason);
	expect_ok(result);
	expect_ok(tact_stop());
}

/* As on a kernel that is too old: the call does not know this operation. */
static void forget_user_dispatch(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SYSCALL_USER_DISPATCH, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		test_skip("this kernel has no seccomp");
}

TEST_UNSTARTED(kernel_without_user_dispatch_is_refused)
{
	const struct tact_config config = {0};

	if (test_on_sim())
		test_skip("the simulation needs nothing of the kernel");
	if (test_on_bare())
		test_skip("the module hands Linux calls over");
	forget_user_dispatch();
	expect_refused(&config, TACT_ENOSYS, "Syscall User Dispatch");
}
