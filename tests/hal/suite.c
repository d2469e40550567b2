/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs the cases; see suite.h. */
#define _GNU_SOURCE
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define CASE_SECONDS  60
#define AWAIT_NS      10000000000ull
#define AWAIT_STEP_NS 50000u
#define EXIT_SKIPPED  77

static const struct suite_case *const groups[] = {
	cases_stall, cases_kick,   cases_idle,  cases_shot, cases_context, cases_stack,
	cases_linux, cases_shadow, cases_fault, cases_time, cases_start,   NULL,
};

static _Atomic unsigned failures;

void expect(const char *what, int64_t expected, int64_t actual)
{
	if (expected == actual)
		return;
	atomic_fetch_add(&failures, 1);
	printf("# %s: expected %" PRId64 ", actual %" PRId64 "\n", what, expected, actual);
}

void expect_true(const char *what, bool holds)
{
	expect(what, 1, holds);
}

void skip(const char *why)
{
	printf("# %s\n", why);
	fflush(NULL);
	_exit(EXIT_SKIPPED);
}

void await(const char *what, const _Atomic unsigned *counter, unsigned least)
{
	uint64_t until_ns = hal_now_ns() + AWAIT_NS;

	while (atomic_load(counter) < least) {
		if (hal_now_ns() > until_ns) {
			printf("# %s: expected at least %u in 10 s, actual %u\n", what, least,
			       atomic_load(counter));
			fflush(NULL);
			_exit(1);
		}
		hal_linux_pause(AWAIT_STEP_NS);
	}
}

static void run(const struct suite_case *one, unsigned number)
{
	int status;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		alarm(CASE_SECONDS);
		one->body();
		fflush(NULL);
		_exit(atomic_load(&failures) != 0);
	}
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SKIPPED)
		printf("ok %u - %s # SKIP see above\n", number, one->name);
	else
		printf("%sok %u - %s\n", status ? "not " : "", number, one->name);
	if (WIFSIGNALED(status))
		printf("# ended by signal %d: %s\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
}

static unsigned run_all(const struct suite_case *const lists[], const char *only, unsigned number,
			bool count)
{
	for (; *lists; lists++) {
		for (const struct suite_case *one = *lists; one->name; one++) {
			if (only && strcmp(only, one->name))
				continue;
			number++;
			if (!count)
				run(one, number);
		}
	}
	return number;
}

int main(int argc, char **argv)
{
	const char *only = argc > 1 ? argv[1] : NULL;
	unsigned total = run_all(groups, only, 0, true);

	total = run_all(back_end_cases, only, total, true);
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%u\n", total);
	run_all(back_end_cases, only, run_all(groups, only, 0, false), false);
	return 0;
}
