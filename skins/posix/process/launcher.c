/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tactus-run: puts the POSIX skin before the C library of a program and becomes that program. Its
 * own errors are one line and status 2, as everywhere in Tactus. As in env(1), the status is 127 if
 * the program is not found, and 126 if it cannot be run in this way. It is 125 if real time is
 * required and not available (launcher_try.c).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "posix/process/launcher.h"
#include "posix/process/program.h"

#define STAY_VARIABLE "TACTUS_RUN_STAY"
#define STAY_DEFAULT  "32"
#define STAY_DIGITS   6

static const char usage[] =
	"usage: tactus run [OPTIONS] -- PROGRAM [ARGUMENTS]\n"
	"\n"
	"Run an unmodified program; its threads with SCHED_FIFO, SCHED_RR or\n"
	"SCHED_DEADLINE become tasks.\n"
	"\n"
	"  --core NAME       the back end: thread, which is a pinned Linux thread\n"
	"                    (default), or bare, a CPU that the module takes from Linux\n"
	"  --cpu LIST        the CPUs on which its tasks run, as 2 or 2,3 (default: one,\n"
	"                    which is isolated if possible, or the last)\n"
	"  --siblings        with --core bare: take the SMT siblings of those CPUs, too\n"
	"  --idle POLICY     hybrid (sleep, then spin; default), sleep, or spin\n"
	"  --light           tasks may not call Linux: a task that does is stopped and\n"
	"                    reported, and the others go on\n"
	"  --share           let other programs use the same CPUs, in the order of their\n"
	"                    priorities (default)\n"
	"  --exclusive       let no other program use the CPUs, and use no CPU that\n"
	"                    another program has\n"
	"  --require         end with status 125 if real time is not available, instead\n"
	"                    of running the program as under Linux\n"
	"  --stay N          after N switches to Linux without a wait between them, a\n"
	"                    task stays there until it waits (default 32); 0: none\n"
	"                    stays. A thread that got its policy from outside of the\n"
	"                    program (chrt -f 5 PROGRAM) becomes a task at its first\n"
	"                    wait\n"
	"  --deny-switch     end the program, with a backtrace, when a task calls Linux\n"
	"  --report-switch   report each switch of a task to Linux with a backtrace\n"
	"  --summary         print each task's switches, Linux calls and lateness at\n"
	"                    the end\n"
	"  --trace FILE      write the events of the real-time CPUs at the end, for\n"
	"                    ui.perfetto.dev\n"
	"  --verbose         say what the machine did not provide\n"
	"  --help            print this text\n";

static void check_idle(const char *policy)
{
	if (strcmp(policy, "hybrid") && strcmp(policy, "sleep") && strcmp(policy, "spin"))
		launcher_quit(USAGE_STATUS, "--idle %s: give hybrid, sleep or spin", policy);
}

/* from: the option, or the variable in the environment of tactus run itself. */
static void check_stay(const char *from, const char *after)
{
	const size_t digits = strspn(after, "0123456789");

	if (!digits || after[digits] || digits > STAY_DIGITS)
		launcher_quit(USAGE_STATUS, "%s %s: give a number of switches, 0 to 999999", from,
			      after);
}

static void take_stay(void)
{
	const char *after = getenv(STAY_VARIABLE);

	if (!after)
		launcher_put(STAY_VARIABLE, STAY_DEFAULT);
	else
		check_stay(STAY_VARIABLE, after);
}

/* The path is made absolute, because the program may change its folder. Programs that it starts
 * write files beside this one: the process number tells them that they are not the first. */
static void take_trace(const char *name)
{
	FILE *file = fopen(name, "we");
	char pid[16];
	char *path;

	if (!file)
		launcher_quit(USAGE_STATUS, "--trace %s: %s", name, strerror(errno));
	fclose(file);
	path = realpath(name, NULL);
	if (!path)
		launcher_quit(USAGE_STATUS, "--trace %s: %s", name, strerror(errno));
	launcher_put("TACTUS_RUN_TRACE", path);
	free(path);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	launcher_put("TACTUS_RUN_TRACE_PID", pid);
}

enum option_id {
	CORE = 256,
	CPU,
	SIBLINGS,
	IDLE,
	LIGHT,
	SHARE,
	EXCLUSIVE,
	REQUIRE,
	STAY,
	DENY_SWITCH,
	REPORT_SWITCH,
	SUMMARY,
	TRACE,
	VERBOSE,
	HELP
};

static const struct option options[] = {
	{"core", required_argument, NULL, CORE},
	{"cpu", required_argument, NULL, CPU},
	{"siblings", no_argument, NULL, SIBLINGS},
	{"idle", required_argument, NULL, IDLE},
	{"light", no_argument, NULL, LIGHT},
	{"share", no_argument, NULL, SHARE},
	{"exclusive", no_argument, NULL, EXCLUSIVE},
	{"require", no_argument, NULL, REQUIRE},
	{"stay", required_argument, NULL, STAY},
	{"deny-switch", no_argument, NULL, DENY_SWITCH},
	{"report-switch", no_argument, NULL, REPORT_SWITCH},
	{"summary", no_argument, NULL, SUMMARY},
	{"trace", required_argument, NULL, TRACE},
	{"verbose", no_argument, NULL, VERBOSE},
	{"help", no_argument, NULL, HELP},
	{NULL, 0, NULL, 0},
};

/* Options that stand for other settings. */
static struct {
	bool bare, thread;
	const char *cpus;
	bool siblings;
	bool light;
	bool deny;
	bool share, exclusive;
	bool require;
} wanted;

static void take_option(int option, const char *word)
{
	switch (option) {
	case CORE:
		wanted.bare = !strcmp(optarg, "bare");
		wanted.thread = !strcmp(optarg, "thread");
		if (!wanted.bare && !wanted.thread)
			launcher_quit(USAGE_STATUS, "--core %s: give thread or bare", optarg);
		break;
	case SIBLINGS:
		wanted.siblings = true;
		break;
	case CPU:
		launcher_check_cpus(optarg);
		wanted.cpus = optarg;
		launcher_put("TACTUS_RUN_CPUS", optarg);
		break;
	case IDLE:
		check_idle(optarg);
		launcher_put("TACTUS_IDLE", optarg);
		break;
	case LIGHT:
		wanted.light = true;
		launcher_put("TACTUS_RUN_LIGHT", "1");
		break;
	case SHARE:
		wanted.share = true;
		launcher_put("TACTUS_SHARE", "1");
		break;
	case EXCLUSIVE:
		wanted.exclusive = true;
		launcher_put("TACTUS_SHARE", "0");
		break;
	case REQUIRE:
		wanted.require = true;
		launcher_put("TACTUS_REQUIRE", "1");
		break;
	case STAY:
		check_stay("--stay", optarg);
		launcher_put(STAY_VARIABLE, optarg);
		break;
	case DENY_SWITCH:
		wanted.deny = true;
		launcher_put("TACTUS_RUN_DENY_SWITCH", "1");
		break;
	case SUMMARY:
		launcher_put("TACTUS_RUN_SUMMARY", "1");
		break;
	case REPORT_SWITCH:
		launcher_put("TACTUS_RUN_REPORT_SWITCH", "1");
		break;
	case TRACE:
		take_trace(optarg);
		break;
	case VERBOSE:
		launcher_put("TACTUS_RUN_VERBOSE", "1");
		break;
	case HELP:
		fputs(usage, stdout);
		exit(0);
	case ':':
		launcher_quit(USAGE_STATUS, "%s needs a value; see tactus run --help", word);
	default:
		/* a single letter, possibly one of several in a word */
		if (optopt > 0 && optopt < CORE)
			launcher_quit(USAGE_STATUS, "no option -%c; see tactus run --help", optopt);
		launcher_quit(USAGE_STATUS, "no option %s; see tactus run --help", word);
	}
}

int main(int argc, char **argv)
{
	char reason[PATH_MAX + 256];
	int option, status, at = 0;
	const char *word = argc > 1 ? argv[1] : NULL;

	if (getenv(LAUNCHER_TRIES))
		return launcher_be_tried();
	opterr = 0;
	/* '+': options after the program's name are the program's. Abbreviated options are refused,
	 * because a later option could make them ambiguous. */
	while ((option = getopt_long(argc, argv, "+:", options, &at)) != -1) {
		/* The value is missing: a value that begins with "--" is accepted only in one word
		 * with its option. */
		if (optarg && optarg == argv[optind - 1] && !strncmp(optarg, "--", 2))
			take_option(':', argv[optind - 2]);
		if (option >= CORE && strlen(options[at].name) != strcspn(word + 2, "="))
			launcher_quit(USAGE_STATUS, "no option %s; see tactus run --help", word);
		take_option(option, argv[optind - 1]);
		word = argv[optind];
	}
	if (wanted.light && wanted.deny)
		launcher_quit(USAGE_STATUS, "--light and --deny-switch: a task that calls Linux is "
					    "stopped, or ends the program; give one of the two");
	if (wanted.cpus)
		launcher_find_cpus(wanted.cpus, wanted.bare);
	if (wanted.share && wanted.exclusive)
		launcher_quit(USAGE_STATUS, "--share and --exclusive exclude each other: give one");
	if (wanted.siblings && !wanted.bare)
		launcher_quit(USAGE_STATUS,
			      "--siblings is only for --core bare, which takes CPUs from Linux");
	if (wanted.bare)
		launcher_take_bare_library();
	if (wanted.thread)
		launcher_leave_bare_library();
	if (wanted.siblings)
		launcher_put_last("TACTUS_OPTIONS", "siblings=take");
	if (optind >= argc)
		launcher_quit(USAGE_STATUS,
			      "no program is given: tactus run [OPTIONS] -- PROGRAM [ARGUMENTS]");
	status = program_check(argv[optind], reason, sizeof(reason));
	if (status)
		launcher_quit(status, "%s", reason);
	take_stay();
	launcher_take_library();
	launcher_put("TACTUS_RUN_REBALANCE", "1");
	if (wanted.require)
		launcher_try(argv[optind]);
	execvp(argv[optind], argv + optind);
	status = errno == ENOENT ? 127 : 126;
	launcher_quit(status, "%s: %s", argv[optind], strerror(errno));
}
