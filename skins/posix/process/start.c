/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Start of the program's real-time half: at the first request for a real-time policy and not
 * before, so that a program without any (a shell, hackbench) costs no CPU and no lease.
 */
#define _GNU_SOURCE
#include "posix/process/start.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <tactus/skin.h>

#include "posix/libc/fence.h"
#include "posix/libc/real.h"
#include "posix/process/fork.h"
#include "posix/report/ends.h"
#include "posix/report/sites.h"
#include "posix/report/trace.h"
#include "posix/signal/actions.h"
#include "posix/state/high_fd.h"
#include "posix/state/half.h"
#include "posix/state/options.h"
#include "posix/state/record.h"
#include "posix/state/say.h"
#include "posix/state/stay.h"
#include "posix/thread/affinity.h"
#include "posix/thread/helper.h"
#include "posix/thread/lives.h"
#include "posix/thread/records.h"
#include "posix/thread/runtimes.h"
#include "posix/thread/thread.h"

#define FILES_LEAST    64u
#define HOG_TIMEOUT_MS 200u
/* Of the real-time CPUs: the highest one, so that no Linux thread runs before a more urgent
 * task. */
#define PRIORITY 97u

/* A program may compute for long, as under Linux. */
uint32_t posix_watchdog_ms = UINT32_MAX;

/* A name that tools can show: without slashes and unprintable characters, whatever the file's name
 * is. */
static void take_name(char name[TACT_NAME_BYTES])
{
	const char *from = program_invocation_short_name;
	size_t length = 0;

	for (; from[length] && length < TACT_NAME_BYTES - 1; length++)
		name[length] = from[length] > ' ' && from[length] != '/' && from[length] != 127
				       ? from[length]
				       : '_';
	name[length] = '\0';
}

/* The launcher has checked the form of the list. Returns the number of CPUs; 0: none was given. */
static uint32_t read_cpus(const char *list, uint32_t cpus[TACT_CPU_MAX])
{
	uint32_t count = 0;

	while (list && *list && count < TACT_CPU_MAX) {
		char *end;

		cpus[count++] = (uint32_t)strtoul(list, &end, 10);
		list = *end ? end + 1 : end;
	}
	return count;
}

/* May the program open too few files for itself and for Tactus? */
static bool has_few_files(void)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < FILES_LEAST;
}

/* NULL: nothing in the program prevents tasks. */
static const char *why_it_stays_linux(void)
{
	if (posix_runtime_loaded())
		return POSIX_RUNS_PLAIN "this runtime handles faults itself";
	if (posix_runtime_takes_signals())
		return POSIX_RUNS_PLAIN
			"this runtime handles every signal itself, on its own stacks";
	if (posix_is_stood_before())
		return POSIX_RUNS_PLAIN "the program has a pthread_create() of its own (a "
					"sanitizer inside? -shared-libsan makes it a library)";
	if (has_few_files())
		return POSIX_RUNS_PLAIN "the program may not open as many files as it and Tactus "
					"need: raise 'ulimit -n' to 64 or more";
	if (posix_runtime_follows_threads())
		return POSIX_RUNS_PLAIN "ThreadSanitizer follows only threads of Linux";
	return NULL;
}

/* The parent of a process that lives; 0: none. Source: proc(5). */
static pid_t parent_of(pid_t pid)
{
	char path[32], text[512] = "";
	const char *after_name;
	pid_t parent;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	(void)!fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	after_name = strrchr(text, ')');
	return after_name && sscanf(after_name, ") %*c %d", &parent) == 1 ? parent : 0;
}

/* Is a CPU's holder, whom the reason of the start names, a process that began this one, or one that
 * did? */
static bool names_ancestor(const char *reason)
{
	const char *holder = strstr(reason, "(pid ");
	const pid_t pid = holder ? atoi(holder + strlen("(pid ")) : 0;
	pid_t ancestor = parent_of(getpid());

	while (pid && ancestor && ancestor != pid)
		ancestor = parent_of(ancestor);
	return pid && ancestor;
}

/* A program that has real-time CPUs begins many that have none: that is nothing to be told. */
static void say_refused(int error, const char *reason)
{
	char text[TACT_REASON_BYTES + 48];

	if (!posix_real_time_is_required() && error == -TACT_EBUSY && names_ancestor(reason) &&
	    !posix_option_is_set("TACTUS_RUN_VERBOSE"))
		return;
	snprintf(text, sizeof(text), POSIX_RUNS_PLAIN "%s", reason[0] ? reason : strerror(-error));
	posix_say_plain(text);
}

/* The parts that wait for the real-time CPUs. */
static void begin_rest(void)
{
	posix_affinity_after_start();
	posix_signals_begin();
	if (posix_summary_wanted || posix_stay_after)
		posix_sites_begin();
	if (posix_summary_wanted || posix_trace_wanted())
		posix_ends_begin();
}

static int start(void)
{
	uint32_t cpus[TACT_CPU_MAX];
	char name[TACT_NAME_BYTES];
	char reason[TACT_REASON_BYTES];
	const char *stays;
	struct tact_config config = {
		.name = name,
		.share = 1,
		.priority = PRIORITY,
		.task_slots = 1024,
		.watchdog_ms = posix_watchdog_ms,
		.watchdog_signals = 1,
		.program_faults = 1,
		/* A light task that calls Linux is stopped, and the others continue. */
		.fault = posix_option_is_set("TACTUS_RUN_LIGHT") ? TACT_FAULT_STOP_TASK
								 : TACT_FAULT_STOP_PROGRAM,
		.trace_events = posix_trace_wanted() ? POSIX_TRACE_EVENTS : 0,
	};
	int error;

	/* Another skin or the program itself has started Tactus. */
	if (tact_cpus()) {
		if (getenv("TACTUS_RUN_CPUS"))
			posix_say("--cpu has no effect: the program has started Tactus itself, on "
				  "CPUs that it chose");
		posix_affinity_before_start();
		begin_rest();
		return 1;
	}
	stays = why_it_stays_linux();
	if (stays) {
		posix_say_plain(stays);
		return -1;
	}
	config.cpus = read_cpus(getenv("TACTUS_RUN_CPUS"), cpus);
	if (config.cpus)
		config.linux_cpu = cpus;
	take_name(name);
	posix_affinity_before_start();
	/*
	 * A program made for Linux that spins for another thread expects this thread on another
	 * CPU, if there is one.
	 */
	if (posix_option_is_set("TACTUS_RUN_REBALANCE") &&
	    posix_affinity_cpus() > (config.cpus ? config.cpus : 1))
		config.hog_timeout_ms = HOG_TIMEOUT_MS;
	error = tact_start(&config, reason);
	if (error) {
		say_refused(error, reason);
		return -1;
	}
	begin_rest();
	if (reason[0] && posix_option_is_set("TACTUS_RUN_VERBOSE"))
		posix_say(reason);
	return 1;
}

static int start_with_stack(void)
{
	return posix_with_stack(start, -1);
}

bool posix_start(void)
{
	return posix_half_begin(start_with_stack);
}

/*
 * Is this chrt of util-linux? By the name with which it was executed. This runs before constructors
 * of others, and so calls no function of the C library that a sanitizer inside the program
 * replaces.
 */
static bool is_chrt(const char *name)
{
	static const char chrt[] = "chrt";
	const char *last = name;
	size_t i = 0;

	for (const char *at = name; *at; at++)
		if (*at == '/')
			last = at + 1;
	while (i < sizeof(chrt) && last[i] == chrt[i])
		i++;
	return i == sizeof(chrt);
}

/* The C library, which starts after this library, then uses this environment as its own. */
__attribute__((constructor)) static void begin(int argc, char **argv, char **environment)
{
	if (!environ)
		environ = environment;
	posix_high_fd_prepare();
	posix_fork_begin();
	posix_fences_prepare();
	posix_summary_wanted = posix_option_is_set("TACTUS_RUN_SUMMARY");
	posix_stay_prepare();
	/* chrt gives itself the policy of the program that it becomes at once. Its CPUs would be
	 * gone before they were of use. */
	if (posix_stay_after && argc > 0 && argv[0] && is_chrt(argv[0]))
		(void)posix_half_give_up();
	(void)posix_thread_enter(NULL);
	posix_thread_look();
	posix_lives_begin(posix_thread_leave);
}

/* For exit() in a task: the stop that follows must come from a plain thread. */
__attribute__((destructor)) static void end(void)
{
	if (tact_exits_as_killed())
		return;
	/* A thread that is not yet a task is not made one for this. */
	if (posix_thread_is_task(&posix_me))
		posix_thread_leave();
	posix_ends_write();
}
