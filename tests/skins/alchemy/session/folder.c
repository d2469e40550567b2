/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The folder of a session: there as long as it has a member, and gone with the last. */
#define _GNU_SOURCE
#include "processes.h"

#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <alchemy/sem.h>

#define CROWD 24

enum { MADE, BOUND, MAY_END };

static RT_SEM sem;

static void own_one(void)
{
	expect_ok(rt_sem_create(&sem, "one", 0, S_PRIO));
	reach(MADE);
	await(MAY_END);
}

static void bind_one(void)
{
	expect_ok(rt_sem_bind(&sem, "one", TM_INFINITE));
	reach(BOUND);
}

TEST_UNSTARTED(last_to_leave_removes_it)
{
	session_begin();
	pid_t owner = process_begin(own_one);

	process_end(process_begin(bind_one));
	expect_true(session_is_there());
	reach(MAY_END);
	process_end(owner);
	expect_true(!session_is_there());
}

static bool cover(const char *folder, unsigned long flags)
{
	return !mount("none", folder, "tmpfs", flags, NULL);
}

/* Where programs find no folder that is for all users, and nothing that is made is left. */
static void be_without_common_folder(void)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    !cover("/tmp", 0) || !cover("/run", 0) || mkdir("/run/tactus", 0755) ||
	    !cover("/run/tactus", MS_RDONLY))
		test_skip("may not cover folders");
}

TEST_UNSTARTED(one_session_whatever_the_environment)
{
	char other[] = "/tmp/tactus-environment-XXXXXX";

	session_begin();
	be_without_common_folder();
	expect_ok(unsetenv("XDG_RUNTIME_DIR"));
	pid_t owner = process_begin(own_one);

	await(MADE);
	expect_true(mkdtemp(other) != NULL);
	expect_ok(setenv("XDG_RUNTIME_DIR", other, 1));
	process_end(process_begin(bind_one));
	reach(MAY_END);
	process_end(owner);
}

static void any_start(void)
{
	expect_ok(rt_sem_create(&sem, "elsewhere", 0, S_PRIO));
}

TEST_UNSTARTED(what_the_killed_leave_goes_with_the_next_start_in_whatever_session)
{
	session_begin();
	pid_t owner = process_begin(own_one);

	await(MADE);
	process_kill(owner);
	expect_true(session_is_there());
	expect_eq(names_left(), 1);
	expect_ok(unsetenv("TACTUS_SESSION"));
	process_end(process_begin(any_start));
	expect_true(!session_is_there());
}

/* One that comes while another one, the last for the moment, removes the folder. */
static void pass_through(void)
{
	char name[16];
	RT_SEM mine;

	snprintf(name, sizeof(name), "of-%d", (int)getpid());
	expect_ok(rt_sem_create(&mine, name, 1, S_PRIO));
	expect_ok(rt_sem_bind(&sem, name, TM_NONBLOCK));
	expect_ok(rt_sem_p(&sem, TM_NONBLOCK));
}

TEST_UNSTARTED(coming_and_going_meet_without_harm)
{
	pid_t crowd[CROWD];

	session_begin();
	for (int i = 0; i < CROWD; i++)
		crowd[i] = process_begin(pass_through);
	for (int i = 0; i < CROWD; i++)
		process_end(crowd[i]);
	expect_true(!session_is_there());
}

/* For good, and for the processes that the case begins from then on. */
static void become_another_of_the_group(void)
{
	gid_t group = 1;

	expect_ok(setgroups(1, &group));
	expect_ok(setregid(65534, 65534));
	expect_ok(setreuid(65534, 65534));
}

/* The group with the number 1 is there on each Linux, daemon by its usual name. */
TEST_UNSTARTED(session_of_a_group_is_shared_by_its_users)
{
	const struct group *group = getgrgid(1);
	char label[64];
	char path[80];
	struct stat status;

	session_begin();
	if (geteuid() || !group || access("/run/tactus", W_OK))
		test_skip("needs root, and a group with the number 1");
	snprintf(label, sizeof(label), "test-%d/%s", (int)getpid(), group->gr_name);
	snprintf(path, sizeof(path), "/run/tactus/session-g1-test-%d", (int)getpid());
	expect_ok(setenv("TACTUS_SESSION", label, 1));
	pid_t owner = process_begin(own_one);

	await(MADE);
	expect_ok(stat(path, &status));
	expect_eq(status.st_gid, 1);
	expect_eq(status.st_mode & 07777, 02770);
	become_another_of_the_group();
	process_end(process_begin(bind_one));
	reach(MAY_END);
	process_end(owner);
	expect_error(stat(path, &status), 1);
}

static void be_refused(void)
{
	/* The message of a service that cannot begin; the reason is on the standard error
	 * output. */
	capture_reports();
	expect_error(rt_sem_create(&sem, "one", 0, S_PRIO), EPERM);
	expect_report("a group that does not exist");
}

TEST_UNSTARTED(unknown_group_is_refused)
{
	session_begin();
	expect_ok(setenv("TACTUS_SESSION", "test/no such group", 1));
	process_end(process_begin(be_refused));
}
