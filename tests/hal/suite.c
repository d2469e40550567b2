/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs the cases; see suite.h. */
#define _GNU_SOURCE
#include "suite.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define CASE_SECONDS  120
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
	printf("%s: expected %" PRId64 ", actual %" PRId64 "\n", what, expected, actual);
}

void expect_true(const char *what, bool holds)
{
	expect(what, 1, holds);
}

void skip(const char *why)
{
	printf("%s\n", why);
	fflush(NULL);
	_exit(EXIT_SKIPPED);
}

void await(const char *what, const _Atomic unsigned *counter, unsigned least)
{
	uint64_t until_ns = hal_now_ns() + AWAIT_NS;

	while (atomic_load(counter) < least) {
		if (hal_now_ns() > until_ns) {
			printf("%s: expected at least %u in 10 s, actual %u\n", what, least,
			       atomic_load(counter));
			fflush(NULL);
			_exit(1);
		}
		hal_linux_pause(AWAIT_STEP_NS);
	}
}

int suite_fork(void)
{
	pid_t child = fork();

	if (!child)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return child;
}

static void case_main(const struct suite_case *one, FILE *words)
{
	dup2(fileno(words), STDOUT_FILENO);
	close(fileno(words));
	setvbuf(stdout, NULL, _IOLBF, 0);
	alarm(CASE_SECONDS);
	one->body();
	fflush(NULL);
	_exit(atomic_load(&failures) != 0);
}

/* The text of a failed case comes after its result, with its name. */
static void tell(const char *name, FILE *words)
{
	char line[512];

	rewind(words);
	while (fgets(line, sizeof(line), words)) {
		line[strcspn(line, "\n")] = 0;
		printf("# %s: %s\n", name, line);
	}
}

static void tell_why_skipped(FILE *words)
{
	char line[512] = "";

	rewind(words);
	while (fgets(line, sizeof(line), words))
		line[strcspn(line, "\n")] = 0;
	printf(" # SKIP %s\n", line);
}

/* Returns whether the case is good. Its text goes to a file and not to a pipe, because helper
 * processes of the case may live longer than the case. */
static bool run(const struct suite_case *one, unsigned number)
{
	FILE *words = tmpfile();
	int status;
	pid_t child;

	if (!words) {
		perror("tmpfile");
		exit(1);
	}
	fflush(NULL);
	child = suite_fork();
	if (!child)
		case_main(one, words);
	if (child < 0 || waitpid(child, &status, 0) != child) {
		perror("fork");
		exit(1);
	}
	printf("%sok %u - %s",
	       status && !(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SKIPPED) ? "not " : "",
	       number, one->name);
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SKIPPED) {
		tell_why_skipped(words);
		status = 0;
	} else {
		putchar('\n');
		if (status)
			tell(one->name, words);
	}
	if (WIFSIGNALED(status))
		printf("# %s: ended by signal %d: %s\n", one->name, WTERMSIG(status),
		       strsignal(WTERMSIG(status)));
	fclose(words);
	return !status;
}

/* Is it named on the command line, or is no case named? */
static bool chosen(const struct suite_case *one, char *const names[])
{
	for (char *const *name = names; *name; name++)
		if (!strcmp(*name, one->name))
			return true;
	return !*names;
}

/* Returns the number of cases, or the number of failed ones. */
static unsigned run_all(const struct suite_case *const lists[], char *const names[],
			unsigned *number)
{
	unsigned sum = 0;

	for (; *lists; lists++)
		for (const struct suite_case *one = *lists; one->name; one++)
			if (chosen(one, names))
				sum += number ? !run(one, ++*number) : 1;
	return sum;
}

int main(int argc, char **argv)
{
	char *const *names = argv + (argc > 0);
	unsigned total = run_all(groups, names, NULL) + run_all(back_end_cases, names, NULL);
	unsigned number = 0, bad;

	if (!total) {
		fprintf(stderr, "no such case: %s\n", names[0]);
		return 1;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%u\n", total);
	bad = run_all(groups, names, &number);
	bad += run_all(back_end_cases, names, &number);
	return bad != 0;
}
