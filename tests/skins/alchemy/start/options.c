/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command line: the skin's options are taken, the program's stay, bad ones end the program. */
#define _GNU_SOURCE /* cpu_set_t */
#include "alchemy_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <alchemy/sem.h>
#include <xenomai/init.h>
#include <xenomai/tunables.h>

#define WORDS_MAX 8

static int count;
static char *const *words;

static void take(char *const line[])
{
	count = 0;
	while (line[count])
		count++;
	words = line;
	xenomai_init(&count, &words);
}

TEST_UNSTARTED(own_options_go_and_others_stay)
{
	static char *const line[] = {"program", "-x",
				     "--quiet", "--no-sanity",
				     "--mine",  "--session=plant",
				     "file",    "--alchemy-clock-resolution",
				     "1000",    "--",
				     "--quiet", NULL};
	static const char *const expected[] = {"program", "-x", "--mine", "file", "--", "--quiet"};

	take(line);
	expect_eq(count, 6);
	for (int i = 0; i < count; i++)
		expect_str(words[i], expected[i]);
	expect_true(!words[count]);
	expect_eq(rt_timer_ns2ticks(5000), 5);
	expect_eq(rt_timer_ticks2ns(5), 5000);
}

TEST_UNSTARTED(those_of_printing_and_cpus_are_told_to_who_looks)
{
	static char *const line[] = {"program",
				     "--print-buffer-size=2048",
				     "--print-buffer-count=3",
				     "--print-sync-delay",
				     "20",
				     "--cpu-affinity=1-2,0",
				     NULL};

	take(line);
	expect_eq(count, 1);
	expect_str(getenv("RT_PRINT_BUFFER"), "2048");
	expect_str(getenv("RT_PRINT_BUFFERS_COUNT"), "3");
	expect_str(getenv("RT_PRINT_PERIOD"), "20");
	expect_str(getenv("TACTUS_RUN_CPUS"), "1,2,0");
}

TEST_UNSTARTED(tunables_are_read_as_the_command_line_has_them)
{
	static char *const line[] = {"program",    "--quiet",     "--cpu-affinity=0-1,3",
				     "--no-mlock", "--no-sanity", NULL};
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(7, &cpus);
	set_config_tunable(cpu_affinity, cpus);
	take(line);
	cpus = get_config_tunable(cpu_affinity);
	expect_eq(CPU_COUNT(&cpus), 3);
	expect_true(CPU_ISSET(0, &cpus) && CPU_ISSET(1, &cpus) && CPU_ISSET(3, &cpus));
	expect_eq(get_config_tunable(no_mlock), 1);
	expect_eq(get_config_tunable(no_sanity), 1);
	expect_eq(get_runtime_tunable(verbosity_level), 0);
}

TEST_UNSTARTED(empty_command_lines_are_borne)
{
	static char *const line[] = {NULL};

	take(line);
	expect_eq(count, 0);
	expect_true(!words[0]);
}

TEST_UNSTARTED(cpus_are_those_of_the_list)
{
	static char *const line[] = {"program", "--cpu-affinity=1-2,0", "--mem-pool-size=8M", NULL};
	RT_SEM sem;
	struct tact_cpu_info info = {0};

	if (!test_on_sim())
		test_skip("this machine may not have them");
	take(line);
	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	expect_eq(tact_cpus(), 3);
	expect_ok(tact_cpu_inquire(0, &info));
	expect_true(info.pool_total_bytes > 6 << 20);
}

/* Returns its status; said: its text on both outputs. */
static int run(char *option, char *value, char *said, size_t bytes)
{
	char *const line[] = {"program", option, value, NULL};
	int pipes[2];
	int status;
	ssize_t length;
	pid_t pid;

	fflush(NULL);
	expect_ok(pipe(pipes));
	pid = fork();
	if (pid == 0) {
		dup2(pipes[1], STDERR_FILENO);
		dup2(pipes[1], STDOUT_FILENO);
		take(line);
		_exit(77);
	}
	close(pipes[1]);
	length = read(pipes[0], said, bytes - 1);
	said[length > 0 ? length : 0] = '\0';
	close(pipes[0]);
	expect_eq(waitpid(pid, &status, 0), pid);
	expect_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

TEST_UNSTARTED(bad_values_end_the_program)
{
	static char *const bad[] = {
		"--cpu-affinity=",
		"--cpu-affinity=x",
		"--cpu-affinity=1-",
		"--cpu-affinity=2-1",
		"--cpu-affinity=1,",
		"--cpu-affinity=0-31",
		"--cpu-affinity=-1",
		"--mem-pool-size=0",
		"--mem-pool-size=1X",
		"--mem-pool-size=M",
		"--mem-pool-size=99999999999999999999",
		"--alchemy-clock-resolution=0",
		"--alchemy-clock-resolution=1000000001",
		"--alchemy-clock-resolution=1ns",
		"--session",
		"--session=/b",
		"--session=a/",
		"--session=.a",
		"--quiet=1",
		"--print-buffer-size=0",
		"--print-sync-delay=1s",
		"--main-prio",
	};
	char said[4096];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		expect_eq(run(bad[i], NULL, said, sizeof(said)), 1);
		expect_true(strncmp(strchr(said, '-'), bad[i], 6) == 0);
		expect_true(strchr(said, '\n') == said + strlen(said) - 1);
	}
}

static size_t widest(const char *text)
{
	size_t most = 0;

	for (size_t length; *text; text += length + !!text[length]) {
		length = strcspn(text, "\n");
		if (length > most)
			most = length;
	}
	return most;
}

TEST_UNSTARTED(version_and_help_are_told)
{
	char said[4096];

	expect_eq(run("--version", NULL, said, sizeof(said)), 0);
	expect_true(strstr(said, "Tactus"));
	expect_eq(run("--help", NULL, said, sizeof(said)), 0);
	expect_true(strstr(said, "--cpu-affinity"));
	expect_true(widest(said) <= 80);
	expect_eq(run("--dump-config", NULL, said, sizeof(said)), 0);
	expect_true(strstr(said, "\nCONFIG_XENO_VERSION=\"3.3.0\"\n"));
	expect_eq(run("--main-prio", "5", said, sizeof(said)), 77);
	expect_true(strstr(said, "--main-prio has no effect"));
	expect_eq(run("--no-sanity", NULL, said, sizeof(said)), 77);
	expect_true(strstr(said, "--no-sanity has no effect"));
}
