/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * maglev [--core tactus|linux|linux-other] [--seconds S] [--load] FILE.csv
 *
 * Holds a simulated ball below a magnet at 10 kHz and writes every turn to FILE.csv. plot.py draws
 * two such files beside each other. --load keeps all CPUs busy with stress-ng meanwhile.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "back_ends.h"

#define SECONDS_MAX 600

struct options {
	const char *back_end;
	const char *file;
	double seconds;
	int load;
};

static int parse(int argc, char **argv, struct options *options)
{
	for (int i = 1; i < argc; i++) {
		char *end = "";

		if (strcmp(argv[i], "--core") == 0 && i + 1 < argc)
			options->back_end = argv[++i];
		else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
			options->seconds = strtod(argv[++i], &end);
		else if (strcmp(argv[i], "--load") == 0)
			options->load = 1;
		else if (argv[i][0] != '-' && !options->file)
			options->file = argv[i];
		else
			return 0;
		if (*end || !(options->seconds > 0 && options->seconds <= SECONDS_MAX))
			return 0;
	}
	return options->file && (strcmp(options->back_end, "tactus") == 0 ||
				 strcmp(options->back_end, "linux") == 0 ||
				 strcmp(options->back_end, "linux-other") == 0);
}

/* 0: it could not be started. It ends with this process, whatever becomes of that. */
static pid_t start_load(void)
{
	pid_t parent = getpid(), child = fork();

	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() == parent)
			execlp("stress-ng", "stress-ng", "--quiet", "--cpu", "0", "--io", "2",
			       NULL);
		fprintf(stderr, "maglev: --load needs stress-ng: install it\n");
		_exit(127);
	}
	sleep(1); /* until all its workers are there */
	return child > 0 && waitpid(child, NULL, WNOHANG) == 0 ? child : 0;
}

void log_turn(FILE *log, const struct turn *turn)
{
	fprintf(log, "%u,%d,%.6f,%.6f,%u\n", turn->number, turn->late_ns, (double)turn->gap_mm,
		(double)turn->current_a, turn->drops);
}

static void tell(const struct options *options, const struct result *result)
{
	const struct loop *loop = &result->loop;

	printf("core %s%s: %u turns, gap %.4f to %.4f mm, ball lost %u times, latest start %lld "
	       "ns,\n"
	       "%llu releases missed, %llu records lost, mode switches of the log task: %llu\n",
	       options->back_end, options->load ? " under load" : "", loop->turns, loop->gap_min_mm,
	       loop->gap_max_mm, loop->ball.drops, (long long)loop->late_max_ns,
	       (unsigned long long)result->overruns, (unsigned long long)result->dropped_records,
	       (unsigned long long)result->log_switches);
}

static int run(const struct options *options, FILE *log, struct result *result)
{
	uint32_t turns = (uint32_t)(options->seconds * 1e9 / BALL_PERIOD_NS);

	fprintf(log, "# core=%s load=%s period_ns=%u\nturn,late_ns,gap_mm,current_a,drops\n",
		options->back_end, options->load ? "stress-ng" : "none", BALL_PERIOD_NS);
	if (strcmp(options->back_end, "tactus") == 0)
		return run_tactus(turns, log, result);
	return run_linux(turns, strcmp(options->back_end, "linux") == 0, log, result);
}

int main(int argc, char **argv)
{
	struct options options = {.back_end = "tactus", .seconds = 5};
	static struct result result;
	pid_t load = 0;
	FILE *log;
	int failed;

	if (!parse(argc, argv, &options)) {
		fprintf(stderr,
			"usage: maglev [--core tactus|linux|linux-other] [--seconds S (up to %d)]"
			" [--load] FILE.csv\n",
			SECONDS_MAX);
		return 2;
	}
	log = fopen(options.file, "w");
	if (!log) {
		fprintf(stderr, "maglev: cannot write %s: choose another file\n", options.file);
		return 2;
	}
	if (options.load && !(load = start_load()))
		return 2;
	failed = run(&options, log, &result);
	if (load) {
		kill(load, SIGTERM);
		waitpid(load, NULL, 0);
	}
	if (fclose(log) || failed) {
		fprintf(stderr, "maglev: the run or its log failed\n");
		return 1;
	}
	tell(&options, &result);
	return 0;
}
