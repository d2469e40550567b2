/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * All copies of a program are started at once, each with a pipe for its output. The time of a copy
 * is from its start to the end of its pipe, unless the copy says how long it counted. The
 * statistics are those of UnixBench 5: the third of the passes with the lowest counts is dropped,
 * the score is the geometric mean of the others, and the index is ten times the score over the base
 * value.
 */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/complain.h"

#define PASSES_OF_MANY 10u
#define PASSES_OF_FEW  3u
#define REST_PART      10.0 /* the time over this: the unit of pauses, for pending writes */
#define OUTPUT_BYTES   512
#define PROBE_S        "0.05"
#define PATH_BYTES     (PATH_MAX + 64) /* a program in its folder */

struct copy {
	pid_t process;
	int output;
	uint64_t start_ns;
};

static void fill_arguments(const struct index_setup *setup, const struct index_test *test,
			   char path[PATH_BYTES], char script[PATH_BYTES], char seconds[32],
			   const char *arguments[INDEX_ARGUMENTS + 3])
{
	unsigned int count = 0;

	(void)snprintf(path, PATH_BYTES, "%s/tactus-index-%s%s", setup->programs, test->program,
		       setup->native && test->computes ? "-native" : "");
	(void)snprintf(seconds, 32, "%.6g", setup->seconds * test->parts);
	arguments[count++] = path;
	arguments[count++] = seconds;
	for (unsigned int i = 0; i < INDEX_ARGUMENTS && test->arguments[i] != NULL; i++) {
		const char *argument = test->arguments[i];

		if (strcmp(argument, "@") == 0) {
			argument = setup->folder;
		} else if (argument[0] == '%') {
			(void)snprintf(script, PATH_BYTES, "%s/tactus-index-%s", setup->programs,
				       argument + 2);
			argument = script;
		}
		arguments[count++] = argument;
	}
	arguments[count] = NULL;
}

/* Runs in the child: it closes all descriptors of the parent except the pipe. */
static void become(const struct index_setup *setup, const char *const *arguments, int output)
{
	(void)dup2(output, STDOUT_FILENO);
	if (chdir(setup->folder) == 0)
		(void)execv(arguments[0], (char *const *)arguments);
	(void)complain("%s: %s", arguments[0], strerror(errno));
	_exit(2);
}

static int start_copy(const struct index_setup *setup, const char *const *arguments,
		      struct copy *copy)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -1;
	copy->output = fds[0];
	copy->start_ns = clock_now_ns();
	copy->process = fork();
	if (copy->process == 0)
		become(setup, arguments, fds[1]);
	(void)close(fds[1]);
	if (copy->process > 0)
		return 0;
	(void)close(fds[0]);
	return -1;
}

/* Add the copy's count to the pass. */
static int finish_copy(const struct copy *copy, struct index_pass *pass)
{
	char text[OUTPUT_BYTES + 1];
	size_t length = 0;
	ssize_t got;
	double count, unit_s, took_s;
	int status, end = 0;

	while (length < OUTPUT_BYTES &&
	       (got = read(copy->output, text + length, OUTPUT_BYTES - length)) != 0) {
		if (got < 0 && errno != EINTR)
			break;
		length += got > 0 ? (size_t)got : 0;
	}
	text[length] = '\0';
	took_s = (double)(clock_now_ns() - copy->start_ns) / 1e9;
	(void)close(copy->output);
	while (waitpid(copy->process, &status, 0) < 0 && errno == EINTR)
		;
	if (status != 0)
		return complain(
			"a program of the index failed with status %#x: see its messages above",
			(unsigned int)status);
	if (sscanf(text, "count %lf %lf %lf\n%n", &count, &unit_s, &pass->unit_s, &end) != 3 ||
	    (size_t)end != length || !(count > 0))
		return complain("a program of the index counted nothing: measure longer, with "
				"--seconds; it printed \"%.*s\"",
				(int)strcspn(text, "\n"), text);
	took_s = pass->unit_s > 0 ? pass->unit_s : took_s;
	pass->unit_s = unit_s;
	pass->count += count;
	pass->took_s += took_s;
	return 0;
}

static int run_pass(const struct index_setup *setup, const struct index_test *test,
		    unsigned int copies, struct index_pass *pass)
{
	static struct copy started[INDEX_COPIES_MAX];
	char path[PATH_BYTES], script[PATH_BYTES], seconds[32];
	const char *arguments[INDEX_ARGUMENTS + 3];
	unsigned int count = 0;
	int error = 0;

	*pass = (struct index_pass){0};
	fill_arguments(setup, test, path, script, seconds, arguments);
	while (count < copies && start_copy(setup, arguments, &started[count]) == 0)
		count++;
	if (count < copies)
		error = complain("only %u of %u copies could be started: %s; raise `ulimit -u`",
				 count, copies, strerror(errno));
	for (unsigned int i = 0; i < count; i++) {
		if (error < 0)
			(void)kill(started[i].process, SIGTERM);
		if (finish_copy(&started[i], pass) < 0)
			error = -1;
	}
	pass->took_s /= copies;
	return error;
}

static int compare(const void *left, const void *right)
{
	const struct index_pass *a = left, *b = right;

	return (a->count > b->count) - (a->count < b->count);
}

static double rate(const struct index_pass *pass)
{
	return pass->unit_s > 0 ? pass->count / (pass->took_s / pass->unit_s) : pass->count;
}

static void rest(double seconds)
{
	sync();
	(void)usleep((useconds_t)(seconds * 1e6));
}

int index_run(const struct index_setup *setup, const struct index_test *test, unsigned int copies,
	      struct index_result *result)
{
	double logarithms = 0;

	*result = (struct index_result){0};
	result->passes = setup->passes       ? setup->passes
			 : test->many_passes ? PASSES_OF_MANY
					     : PASSES_OF_FEW;
	result->dropped = result->passes / 3;
	for (unsigned int i = 0; i < result->passes; i++) {
		rest(setup->seconds / REST_PART);
		rest(2 * setup->seconds / REST_PART);
		if (run_pass(setup, test, copies, &result->pass[i]) < 0)
			return complain("%s: not measured", test->title);
	}
	qsort(result->pass, result->passes, sizeof(result->pass[0]), compare);
	for (unsigned int i = result->dropped; i < result->passes; i++)
		logarithms += log(rate(&result->pass[i]));
	result->score = exp(logarithms / (result->passes - result->dropped));
	result->index = result->score / test->base * 10;
	return 0;
}

bool index_native_runs(const struct index_setup *setup)
{
	char path[PATH_BYTES];
	int status = -1;
	pid_t child;

	for (unsigned int i = 0; i < index_tests_count; i++) {
		if (!index_tests[i].computes)
			continue;
		(void)snprintf(path, sizeof(path), "%s/tactus-index-%s-native", setup->programs,
			       index_tests[i].program);
		child = access(path, X_OK) == 0 ? fork() : -1;
		if (child == 0) {
			const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

			(void)dup2(nowhere, STDOUT_FILENO);
			(void)execl(path, path, PROBE_S, (char *)NULL);
			_exit(2);
		}
		if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
			return false;
	}
	return true;
}
