/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tactus-index: a throughput index built like that of UnixBench, with one copy of each program,
 * and with one per CPU. Exit status 0: the result is complete; 1: a test failed; 2: it could not
 * start.
 */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/arguments.h"
#include "common/complain.h"
#include "common/json.h"
#include "common/machine.h"
#include "run.h"

#define MARK_OF_PROGRAMS "tactus-index-multi.sh"

enum code { CODE_AUTO, CODE_NATIVE, CODE_GENERIC };

struct index {
	struct index_setup setup;
	struct notices notices;
	struct json json;
	const char *only;
	unsigned int cpus;
};

static bool holds_programs(const char *folder)
{
	char path[PATH_MAX + 32];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, MARK_OF_PROGRAMS);
	return access(path, R_OK) == 0;
}

/* Beside this program, as in a build or a bundle, or at the place of an installation. */
static int find_programs(char folder[PATH_MAX], const char *wanted)
{
	char own[PATH_MAX] = "", place[PATH_MAX + sizeof(INDEX_PROGRAMS)];
	char *slash;

	if (wanted != NULL) {
		if (realpath(wanted, folder) != NULL && holds_programs(folder))
			return 0;
		return complain("--programs %s: %s is missing there", wanted, MARK_OF_PROGRAMS);
	}
	if (readlink("/proc/self/exe", own, sizeof(own) - 1) < 0)
		return complain("/proc/self/exe: %s; use --programs", strerror(errno));
	slash = strrchr(own, '/');
	if (slash != NULL)
		*slash = '\0';
	if (holds_programs(own)) {
		memcpy(folder, own, sizeof(own));
		return 0;
	}
	(void)snprintf(place, sizeof(place), "%s/%s", own, INDEX_PROGRAMS);
	if (realpath(place, folder) != NULL && holds_programs(folder))
		return 0;
	return complain("the programs of the index are neither in %s nor in %s: use --programs",
			own, place);
}

/* By its absolute path: the programs are started in it, and get it as an argument. */
static int make_folder(struct index_setup *setup, const char *parent)
{
	char whole[PATH_MAX];

	if (realpath(parent, whole) == NULL)
		return complain("--folder %s: %s: name an existing folder", parent,
				strerror(errno));
	if (snprintf(setup->folder, sizeof(setup->folder), "%s/tactus-index-XXXXXX", whole) >=
	    (int)sizeof(setup->folder) - 64)
		return complain("--folder %s: too long", parent);
	if (mkdtemp(setup->folder) != NULL)
		return 0;
	return complain("--folder %s: %s: name a folder that can be written", parent,
			strerror(errno));
}

static void choose_code(struct index *index, int code)
{
	index->setup.native = code != CODE_GENERIC && index_native_runs(&index->setup);
	if (!index->setup.native && code != CODE_GENERIC)
		notices_add(&index->notices,
			    "Dhrystone and Whetstone are not the ones compiled for this machine, "
			    "which do not run here or were not built");
}

static void write_result(struct json *json, const struct index_test *test,
			 const struct index_result *result)
{
	json_begin(json, NULL, '{');
	json_text(json, "name", test->name);
	json_text(json, "title", test->title);
	json_text(json, "unit", test->unit);
	json_real(json, "score", result->score);
	json_real(json, "base", test->base);
	json_real(json, "index", result->index);
	json_unsigned(json, "dropped", result->dropped);
	json_begin(json, "passes", '[');
	for (unsigned int i = 0; i < result->passes; i++) {
		json_begin(json, NULL, '{');
		json_real(json, "count", result->pass[i].count);
		json_real(json, "unit_s", result->pass[i].unit_s);
		json_real(json, "took_s", result->pass[i].took_s);
		json_end(json, '}');
	}
	json_end(json, ']');
	json_end(json, '}');
}

/* All tests with so many copies. Returns how many failed. */
static unsigned int run_copies(struct index *index, unsigned int copies)
{
	const bool table = !json_has_stdout(&index->json);
	unsigned int measured = 0, failed = 0;
	double logarithms = 0;

	json_begin(&index->json, NULL, '{');
	json_unsigned(&index->json, "copies", copies);
	json_begin(&index->json, "tests", '[');
	if (table)
		printf("%2u %-35s %10s %14s %15s\n", copies, copies == 1 ? "copy" : "copies",
		       "base", "result", "index");
	for (unsigned int i = 0; i < index_tests_count; i++) {
		const struct index_test *test = &index_tests[i];
		struct index_result result;

		if (index->only != NULL && strcmp(index->only, test->name) != 0)
			continue;
		if (index_run(&index->setup, test, copies, &result) < 0) {
			failed++;
			continue;
		}
		measured++;
		logarithms += log(result.index);
		write_result(&index->json, test, &result);
		if (table)
			printf("%-38s %10.1f %14.1f %-5s %9.1f\n", test->title, test->base,
			       result.score, test->unit, result.index);
		(void)fflush(stdout);
	}
	json_end(&index->json, ']');
	json_real(&index->json, "index", measured > 0 ? exp(logarithms / measured) : NAN);
	json_bool(&index->json, "partial", measured < index_tests_count);
	json_end(&index->json, '}');
	if (table && measured > 0)
		printf("%-38s %41.1f\n", measured < index_tests_count ? "part" : "all",
		       exp(logarithms / measured));
	return failed;
}

static int run(struct index *index, unsigned int copies)
{
	unsigned int failed = 0;

	json_begin(&index->json, NULL, '{');
	json_text(&index->json, "instrument", "index");
	json_unsigned(&index->json, "cpus", index->cpus);
	json_real(&index->json, "seconds", index->setup.seconds);
	json_text(&index->json, "code", index->setup.native ? "native" : "generic");
	json_begin(&index->json, "runs", '[');
	failed += run_copies(index, copies > 0 ? copies : 1);
	if (copies == 0 && index->cpus > 1)
		failed += run_copies(index, index->cpus);
	json_end(&index->json, ']');
	json_unsigned(&index->json, "failed", failed);
	json_notices(&index->json, &index->notices);
	json_end(&index->json, '}');
	for (unsigned int i = 0; i < index->notices.count && !json_has_stdout(&index->json); i++)
		printf("notice: %s\n", index->notices.text[i]);
	return json_close(&index->json) < 0 || failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static bool is_test(const char *name)
{
	for (unsigned int i = 0; i < index_tests_count; i++)
		if (strcmp(name, index_tests[i].name) == 0)
			return true;
	return false;
}

static unsigned int count_cpus(void)
{
	cpu_set_t allowed;

	/* More CPUs than a set holds: then the system gives their number. */
	if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0)
		return (unsigned int)CPU_COUNT(&allowed);
	return (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
}

int main(int argc, char **argv)
{
	static const char *const codes[] = {"auto", "native", "generic", NULL};
	static struct index index;
	const char *json_path = NULL, *programs = NULL, *folder = "/var/tmp";
	uint64_t seconds_ns = 10000000000u;
	int code = CODE_AUTO, copies = 0, passes = 0, status;
	bool die_with_parent = false;
	const struct argument table[] = {
		{"seconds", ARGUMENT_SECONDS, &seconds_ns, 5e7, 3600e9, NULL,
		 "duration of a test; copies, execl and processes take 3 times that, shell scripts "
		 "6 times"},
		{"passes", ARGUMENT_INTEGER, &passes, 0, INDEX_PASSES_MAX, NULL,
		 "passes of each test; 0: ten or three"},
		{"copies", ARGUMENT_INTEGER, &copies, 0, INDEX_COPIES_MAX, NULL,
		 "copies at once; 0: one, and then one per CPU"},
		{"test", ARGUMENT_TEXT, &index.only, 0, 0, NULL, "only the test of this name"},
		{"code", ARGUMENT_CHOICE, &code, 0, 0, codes, "build of Dhrystone and Whetstone"},
		{"folder", ARGUMENT_FILE, &folder, 0, 0, NULL, "folder in which files are copied"},
		{"programs", ARGUMENT_FILE, &programs, 0, 0, NULL, "folder of the programs"},
		ARGUMENT_OF_JSON(&json_path),
		ARGUMENT_OF_DYING(&die_with_parent),
		{.name = NULL},
	};

	status = arguments_parse(
		"Throughput: twelve tests, relative to base values, and their geometric mean.",
		table, argc, argv);
	if (status != 0)
		return status < 0 ? 2 : 0;
	if (index.only != NULL && !is_test(index.only)) {
		(void)complain("--test %s: use dhrystone, whetstone, execl, copy-1024, copy-256, "
			       "copy-4096, pipe, switch, spawn, shell-1, shell-8 or syscall",
			       index.only);
		return 2;
	}
	if (die_with_parent)
		machine_die_with_parent();
	index.setup.seconds = (double)seconds_ns / 1e9;
	index.setup.passes = (unsigned int)passes;
	index.cpus = count_cpus();
	if (find_programs(index.setup.programs, programs) < 0 ||
	    json_open(&index.json, json_path) < 0 || make_folder(&index.setup, folder) < 0)
		return 2;
	/* The language determines the cost of sorting. */
	(void)setenv("LANG", "en_US.utf8", 1);
	choose_code(&index, code);
	status = run(&index, (unsigned int)copies);
	if (rmdir(index.setup.folder) < 0)
		(void)complain("%s: %s: files of a test remain there", index.setup.folder,
			       strerror(errno));
	return status;
}
