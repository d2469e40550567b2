/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tactus-run: puts the POSIX skin before the C library of a program and becomes that program. Its
 * own errors are one line and status 2, as everywhere in Tactus; 127 and 126 for a program that is
 * not found or cannot be run so, as env(1) has it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"

#define USAGE_STATUS 2
#define LIBRARY      "libtactus-run.so"

/*
 * From the folder of this program, in a build and where it is installed: an installation may be
 * moved. LIBRARIES is the way from there to the folder of the installed libraries.
 */
#define LIBRARY_INSTALLED LIBRARIES "/" LIBRARY
#define BARE_BUILT        "../../lib/bare/libtactus.so.0"
#define BARE_INSTALLED    LIBRARIES "/tactus/bare/libtactus.so.0"

static const char usage[] =
	"usage: tactus run [OPTIONS] -- PROGRAM [ARGUMENTS]\n"
	"\n"
	"Run an unmodified program; its threads with SCHED_FIFO, SCHED_RR or\n"
	"SCHED_DEADLINE become tasks.\n"
	"\n"
	"  --core NAME       who supplies the processor: thread, a pinned Linux thread\n"
	"                    (default), or bare, a CPU that the module takes from Linux\n"
	"  --cpu LIST        the CPUs that its tasks run on, as 2 or 2,3 (default: one,\n"
	"                    isolated or the last)\n"
	"  --siblings        with --core bare: take the SMT siblings of those CPUs, too\n"
	"  --idle POLICY     hybrid (sleep, then spin; default), sleep, or spin\n"
	"  --light           tasks do without Linux: one that calls it is stopped and\n"
	"                    reported, the others go on\n"
	"  --share           let other programs use the same CPUs\n"
	"  --deny-switch     a task that calls Linux ends the program, with a backtrace\n"
	"  --report-switch   report each switch of a task to Linux with a backtrace\n"
	"  --summary         at the end: each task's switches, calls of Linux, lateness\n"
	"  --trace FILE      at the end: what happened on the real-time CPUs, for\n"
	"                    ui.perfetto.dev\n"
	"  --verbose         say what the machine could not give\n"
	"  --help            this text\n";

static __attribute__((noreturn, format(printf, 2, 3))) void quit(int status, const char *format,
								 ...)
{
	va_list arguments;

	fputs("tactus run: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(status);
}

static void put(const char *name, const char *value)
{
	if (setenv(name, value, 1))
		quit(USAGE_STATUS, "out of memory");
}

static void check_cpus(const char *list)
{
	const char *at = list;

	do {
		size_t digits = strspn(at, "0123456789");

		if (!digits || digits > 4 || (at[digits] && at[digits] != ','))
			quit(USAGE_STATUS, "--cpu %s: give numbers with commas, as 2 or 2,3", list);
		at += digits;
	} while (*at++);
}

static void check_idle(const char *policy)
{
	if (strcmp(policy, "hybrid") && strcmp(policy, "sleep") && strcmp(policy, "spin"))
		quit(USAGE_STATUS, "--idle %s: give hybrid, sleep or spin", policy);
}

/* The program may go elsewhere, and those that it starts write beside: they know by whom. */
static void take_trace(const char *name)
{
	FILE *file = fopen(name, "ae");
	char pid[16];
	char *path;

	if (!file)
		quit(USAGE_STATUS, "--trace %s: %s", name, strerror(errno));
	fclose(file);
	path = realpath(name, NULL);
	if (!path)
		quit(USAGE_STATUS, "--trace %s: %s", name, strerror(errno));
	put("TACTUS_RUN_TRACE", path);
	free(path);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	put("TACTUS_RUN_TRACE_PID", pid);
}

/* Where it was built, or else where it is installed; an absolute path stands for itself. */
static void find_library(char path[PATH_MAX], const char *built, const char *installed)
{
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX / 2);
	char *end;

	if (length < 0)
		quit(USAGE_STATUS, "/proc/self/exe: %s", strerror(errno));
	path[length] = '\0';
	end = strrchr(path, '/') + 1;
	strcpy(end, built);
	if (access(path, R_OK)) {
		strcpy(*installed == '/' ? path : end, installed);
		if (access(path, R_OK))
			quit(USAGE_STATUS, "%s: %s; install Tactus as a whole", path,
			     strerror(errno));
	}
	/* The dynamic linker takes blanks and colons for separators. */
	if (strpbrk(path, " :"))
		quit(USAGE_STATUS, "the folder of %s has a blank or colon in its name: move it",
		     path);
}

static void put_both(const char *name, const char *first, const char *separator, const char *second)
{
	char *all;

	if (asprintf(&all, "%s%s%s", first, *first && *second ? separator : "", second) < 0)
		quit(USAGE_STATUS, "out of memory");
	put(name, all);
	free(all);
}

static const char *from_environment(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

/* What the user has in a list of the environment stays, behind ours. */
static void put_first(const char *name, const char *own)
{
	put_both(name, own, ":", from_environment(name));
}

/* Tasks leave their threads' restartable sequences alone, which the C library would register. */
static void tune(void)
{
	const char *others = getenv("GLIBC_TUNABLES");

	if (!others || !strstr(others, "glibc.pthread.rseq="))
		put_first("GLIBC_TUNABLES", "glibc.pthread.rseq=0");
}

/*
 * The same library by name, from another folder: it is found there before the one that the skin was
 * linked with. A program whose real-time half then finds no CPU goes on without; what is missing
 * altogether is told here, before it has begun.
 */
static void take_bare_library(void)
{
	char path[PATH_MAX];
	int device = open("/dev/tactus", O_RDWR | O_CLOEXEC);

	if (device < 0)
		quit(USAGE_STATUS, "--core bare: /dev/tactus: %s; ./tactus doctor says what to do",
		     strerror(errno));
	close(device);
	find_library(path, BARE_BUILT, BARE_INSTALLED);
	*strrchr(path, '/') = '\0';
	put_first("LD_LIBRARY_PATH", path);
}

enum option_id {
	CORE = 256,
	CPU,
	SIBLINGS,
	IDLE,
	LIGHT,
	SHARE,
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
	{"deny-switch", no_argument, NULL, DENY_SWITCH},
	{"report-switch", no_argument, NULL, REPORT_SWITCH},
	{"summary", no_argument, NULL, SUMMARY},
	{"trace", required_argument, NULL, TRACE},
	{"verbose", no_argument, NULL, VERBOSE},
	{"help", no_argument, NULL, HELP},
	{NULL, 0, NULL, 0},
};

/* What one option means by another. */
static struct {
	bool bare;
	bool siblings;
	bool light;
	bool deny;
} wanted;

static void take_option(int option, const char *word)
{
	switch (option) {
	case CORE:
		wanted.bare = !strcmp(optarg, "bare");
		if (!wanted.bare && strcmp(optarg, "thread"))
			quit(USAGE_STATUS, "--core %s: give thread or bare", optarg);
		break;
	case SIBLINGS:
		wanted.siblings = true;
		break;
	case CPU:
		check_cpus(optarg);
		put("TACTUS_RUN_CPUS", optarg);
		break;
	case IDLE:
		check_idle(optarg);
		put("TACTUS_IDLE", optarg);
		break;
	case LIGHT:
		wanted.light = true;
		put("TACTUS_RUN_LIGHT", "1");
		break;
	case SHARE:
		put("TACTUS_RUN_SHARE", "1");
		break;
	case DENY_SWITCH:
		wanted.deny = true;
		put("TACTUS_RUN_DENY_SWITCH", "1");
		break;
	case SUMMARY:
		put("TACTUS_RUN_SUMMARY", "1");
		break;
	case REPORT_SWITCH:
		put("TACTUS_RUN_REPORT_SWITCH", "1");
		break;
	case TRACE:
		take_trace(optarg);
		break;
	case VERBOSE:
		put("TACTUS_RUN_VERBOSE", "1");
		break;
	case HELP:
		fputs(usage, stdout);
		exit(0);
	case ':':
		quit(USAGE_STATUS, "%s needs a value; see tactus run --help", word);
	default:
		if (optopt > 0 && optopt < CORE) /* a letter, which may stand among others */
			quit(USAGE_STATUS, "no option -%c; see tactus run --help", optopt);
		quit(USAGE_STATUS, "no option %s; see tactus run --help", word);
	}
}

int main(int argc, char **argv)
{
	char library[PATH_MAX];
	char reason[PATH_MAX + 256];
	int option, status;

	opterr = 0;
	/* '+': the program's options are its own. */
	while ((option = getopt_long(argc, argv, "+:", options, NULL)) != -1) {
		/* Its value was forgotten, not given: nobody names a file so, but in one word. */
		if (optarg && optarg == argv[optind - 1] && !strncmp(optarg, "--", 2))
			take_option(':', argv[optind - 2]);
		take_option(option, argv[optind - 1]);
	}
	if (wanted.light && wanted.deny)
		quit(USAGE_STATUS, "--light and --deny-switch: a task that calls Linux is stopped "
				   "alone, or ends the program; give one");
	if (wanted.siblings && !wanted.bare)
		quit(USAGE_STATUS,
		     "--siblings: only with --core bare, which takes CPUs from Linux");
	if (wanted.bare)
		take_bare_library();
	if (wanted.siblings) /* of options the last one counts */
		put_both("TACTUS_OPTIONS", from_environment("TACTUS_OPTIONS"), ",",
			 "siblings=take");
	if (optind >= argc)
		quit(USAGE_STATUS, "no program: tactus run [OPTIONS] -- PROGRAM [ARGUMENTS]");
	find_library(library, LIBRARY, LIBRARY_INSTALLED);
	status = program_check(argv[optind], reason, sizeof(reason));
	if (status)
		quit(status, "%s", reason);
	put_first("LD_PRELOAD", library);
	put("TACTUS_RUN_MAKE_ROOM", "1");
	tune();
	execvp(argv[optind], argv + optind);
	status = errno == ENOENT ? 127 : 126;
	quit(status, "%s: %s", argv[optind], strerror(errno));
}
