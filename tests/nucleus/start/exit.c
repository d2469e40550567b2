/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The exit of a program that did not stop: the next program gets what it had. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tactus/skin.h>

static char reason[TACT_REASON_BYTES];

static void go_on(void *unused)
{
	(void)unused;
	for (;;)
		tact_task_sleep(1000000);
}

static void hold(void *mutex)
{
	expect_ok(tact_mutex_lock(*(tact_mutex_t *)mutex, TACT_FOREVER));
	tact_task_suspend(TACT_SELF);
}

/* Exits with its tasks at work, holding, and in Linux. */
static void live(bool as_killed)
{
	struct tact_config config = {.name = "exits"};
	tact_mutex_t mutex;

	expect_ok(test_start(&config, reason));
	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex));
	test_spawn(6, hold, &mutex);
	expect_error(tact_task_join(test_spawn(5, go_on, NULL), tact_in(20 * TEST_MS)),
		     TACT_ETIMEDOUT);
	if (as_killed)
		tact_exit_as_killed();
	exit(3);
}

static void expect_given_back(bool as_killed)
{
	struct tact_config config = {.name = "next"};
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child)
		live(as_killed);
	expect_eq(waitpid(child, &status, 0), child);
	expect_true(WIFEXITED(status));
	expect_eq(WEXITSTATUS(status), 3);
	expect_ok(test_start(&config, reason));
	expect_ok(tact_stop());
}

TEST_UNSTARTED(exit_gives_back_what_the_program_had)
{
	expect_given_back(false);
}

TEST_UNSTARTED(exit_as_killed_gives_it_back_too)
{
	expect_given_back(true);
}
