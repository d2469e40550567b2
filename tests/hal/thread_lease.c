/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: a real-time CPU belongs to one program. */
#define _GNU_SOURCE
#include "thread_cases.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
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

/* On a machine on which root has made no folder for all users. */
static void be_without_common_folder(void)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/tmp", "tmpfs", 0, NULL) || mount("none", "/run", "tmpfs", 0, NULL) ||
	    mkdir("/run/tactus", 0755) || mount("none", "/run/tactus", "tmpfs", MS_RDONLY, NULL))
		skip("may not cover folders");
}

/* A program of a login and one of cron see each other's leases. */
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

/* The owner of the folder could remove the lease. */
static void folder_of_another_user_holds_no_leases(void)
{
	struct hal_config config = on_one_cpu();

	be_without_common_folder();
	if (mkdir("/tmp/tactus-0", 0777) || chown("/tmp/tactus-0", 65534, 65534))
		skip("may not make another user's folder");
	expect("start", -TACT_EPERM, suite_try_start(&config, reason));
	expect_true("with the remedy", strstr(reason, "/run/tactus") != NULL);
}

/* Making a folder would not help. */
static void folders_that_are_read_only_are_told_as_that(void)
{
	struct hal_config config = on_one_cpu();

	if (geteuid() || unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/run", "tmpfs", MS_RDONLY, NULL) ||
	    mount("none", "/tmp", "tmpfs", MS_RDONLY, NULL))
		skip("may not cover folders");
	expect("start", -TACT_EPERM, suite_try_start(&config, reason));
	expect_true("the cause", strstr(reason, "/tmp writable") != NULL);
	expect_true("no other remedy", strstr(reason, "1777") == NULL);
}

static void cover_common_folder(mode_t mode)
{
	if (geteuid() || unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/run", "tmpfs", 0, "mode=755") || mkdir("/run/tactus", 01777) ||
	    chmod("/run/tactus", mode))
		skip("may not cover folders");
}

static void expect_start_by(uid_t user, int result)
{
	struct hal_config config = on_one_cpu();
	int status;
	pid_t child = suite_fork();

	if (!child) {
		int error = setgid(user) || setuid(user) ? 1 : suite_try_start(&config, reason);

		if (!error)
			suite_stop();
		_exit(error < 0 ? -error : error);
	}
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 1)
		skip("cannot be another user");
	expect("start by another user", -result, WEXITSTATUS(status));
}

/* The earlier programs were killed between the steps that make the files of all users. */
static void leases_are_everybodys_whoever_was_killed(void)
{
	struct stat status;
	char path[64];
	int lease;

	cover_common_folder(01755);
	expect_start_by(0, 0);
	expect("folder", 0, stat("/run/tactus", &status));
	expect("for all", 01777, status.st_mode & 07777);
	snprintf(path, sizeof(path), "/run/tactus/cpu%u.lease", leased);
	unlink(path);
	lease = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	expect_true("a lease", !fchown(lease, 65533, 65533) && !fchmod(lease, 0644));
	expect_start_by(65534, 0);
	expect("locked", 0, flock(lease, LOCK_EX | LOCK_NB));
	expect_start_by(65534, -TACT_EBUSY);
	close(lease);
}

/* Whatever umask the maker of the file has. */
static void leases_are_for_all_to_write(void)
{
	struct stat status;
	char path[64];

	cover_common_folder(01777);
	umask(077);
	expect_start_by(65533, 0);
	snprintf(path, sizeof(path), "/run/tactus/cpu%u.lease", leased);
	expect("a lease", 0, stat(path, &status));
	expect("its mode", 0666, status.st_mode & 07777);
	expect("its names", 1, status.st_nlink);
	expect_start_by(65534, 0);
}

const struct suite_case cases_thread_lease[] = {
	CASE(leases_end_with_the_program),
	CASE(leases_are_the_users_whatever_the_environment),
	CASE(folder_of_another_user_holds_no_leases),
	CASE(folders_that_are_read_only_are_told_as_that),
	CASE(leases_are_everybodys_whoever_was_killed),
	CASE(leases_are_for_all_to_write),
	{NULL, NULL},
};
