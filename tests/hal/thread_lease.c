/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: a real-time CPU is one program's. */
#define _GNU_SOURCE
#include "thread_cases.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

static uint32_t leased;
static char reason[256];

static struct hal_config on_one_cpu(void)
{
	struct hal_config config = suite_config(1);

	leased = thread_cpu(back_end_cpus() > 1);
	config.linux_cpus = &leased;
	return config;
}

/* A program that has the CPU until it is killed. */
static pid_t begin_holder(void)
{
	struct hal_config config = on_one_cpu();
	char byte;
	int ends[2];
	pid_t child;

	if (pipe(ends))
		exit(1);
	child = suite_fork();
	if (!child) {
		config.program = "holder";
		suite_start_with(&config);
		if (write(ends[1], "r", 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	close(ends[1]);
	if (read(ends[0], &byte, 1) != 1)
		skip("another program has the CPU");
	close(ends[0]);
	return child;
}

static void end_holder(pid_t holder)
{
	kill(holder, SIGKILL);
	waitpid(holder, NULL, 0);
}

static void leases_end_with_the_program(void)
{
	struct hal_config config = on_one_cpu();
	pid_t holder = begin_holder();

	expect("leased", -TACT_EBUSY, suite_try_start(&config, reason));
	expect_true("the holder is named", strstr(reason, "holder") != NULL);
	config.share = true;
	expect("not to be shared", -TACT_EBUSY, suite_try_start(&config, reason));
	config.share = false;
	end_holder(holder);
	suite_start_with(&config);
	suite_stop();
}

/* Where root has made no folder for all users. */
static void be_without_common_folder(void)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/tmp", "tmpfs", 0, NULL) || mount("none", "/run", "tmpfs", 0, NULL) ||
	    mkdir("/run/tactus", 0755) || mount("none", "/run/tactus", "tmpfs", MS_RDONLY, NULL))
		skip("may not cover folders");
}

/* A login's program and cron's know of each other. */
static void leases_are_the_users_whatever_the_environment(void)
{
	struct hal_config config = on_one_cpu();
	pid_t holder;

	be_without_common_folder();
	if (mkdir("/tmp/elsewhere", 0700) || unsetenv("XDG_RUNTIME_DIR"))
		exit(1);
	holder = begin_holder();
	setenv("XDG_RUNTIME_DIR", "/tmp/elsewhere", 1);
	expect("leased", -TACT_EBUSY, suite_try_start(&config, reason));
	expect_true("the holder is named", strstr(reason, "holder") != NULL);
	end_holder(holder);
}

/* Its owner could take the lease away. */
static void folder_of_another_user_holds_no_leases(void)
{
	struct hal_config config = on_one_cpu();

	be_without_common_folder();
	if (mkdir("/tmp/tactus-0", 0777) || chown("/tmp/tactus-0", 65534, 65534))
		skip("may not make another user's folder");
	expect("start", -TACT_EPERM, suite_try_start(&config, reason));
	expect_true("with the remedy", strstr(reason, "/run/tactus") != NULL);
}

const struct suite_case cases_thread_lease[] = {
	CASE(leases_end_with_the_program),
	CASE(leases_are_the_users_whatever_the_environment),
	CASE(folder_of_another_user_holds_no_leases),
	{NULL, NULL},
};
