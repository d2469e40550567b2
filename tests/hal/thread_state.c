/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: files of other users in the machine-wide folder do not mislead root. */
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

#define FOLDER       "/run/tactus/"
#define VICTIM       "/run/victim"
#define SECONDS      20 /* after this, a start that waits is ended */
#define NOBODY       65534
#define HELD_SECONDS 60

static char reason[256];

/* A separate machine state, with a folder for all users and a file that they must not reach. */
static void cover(void)
{
	int victim;

	if (geteuid() || unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/run", "tmpfs", 0, NULL) || mkdir("/run/tactus", 01777) ||
	    chmod("/run/tactus", 01777))
		skip("may not cover folders");
	victim = open(VICTIM, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	expect("the victim", 4, write(victim, "kept", 4));
	close(victim);
	alarm(SECONDS);
}

static void expect_kept(void)
{
	char text[128] = "";
	int victim = open(VICTIM, O_RDONLY | O_CLOEXEC);

	expect("length", 4, read(victim, text, sizeof(text) - 1));
	expect("changed", 0, strncmp(text, "kept", 4));
	close(victim);
}

static pid_t begin_as_nobody(void (*deed)(void))
{
	pid_t child = suite_fork();

	if (child)
		return child;
	umask(0);
	if (setgid(NOBODY) || setuid(NOBODY))
		_exit(2);
	deed();
	_exit(0);
}

static void as_nobody(void (*deed)(void))
{
	int status;

	waitpid(begin_as_nobody(deed), &status, 0);
	if (status)
		skip("cannot be another user");
}

static void make(const char *path, const char *text)
{
	int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text))
		_exit(1);
	close(file);
}

static void start_and_stop(void)
{
	suite_start(1);
	suite_stop();
	expect_kept();
}

static void leave_note(void)
{
	make(FOLDER "settings.former", VICTIM " owned\n");
}

static void note_of_another_user_is_none(void)
{
	cover();
	as_nobody(leave_note);
	start_and_stop();
}

static void link_to_note(void)
{
	if (symlink(VICTIM, FOLDER "settings.former") || symlink(VICTIM, FOLDER "settings.gate") ||
	    symlink(VICTIM, FOLDER "settings.members"))
		_exit(1);
}

static void links_of_another_user_are_not_followed(void)
{
	cover();
	as_nobody(link_to_note);
	start_and_stop();
}

/* Whichever user has written the note. */
static void note_names_settings_only(void)
{
	cover();
	make(FOLDER "settings.former", VICTIM " 1\n"
					      "/sys/kernel/debug/sched/fair_server/cpu0/../../../"
					      "../../../run/victim 1\n");
	chmod(FOLDER "settings.former", 0644);
	start_and_stop();
	expect("no more noted", -1, access(FOLDER "settings.former", F_OK));
}

static void make_fifos(void)
{
	char path[64];

	for (unsigned cpu = 0; cpu < 64; cpu++) {
		snprintf(path, sizeof(path), FOLDER "cpu%u.lease", cpu);
		if (mkfifo(path, 0666))
			_exit(1);
	}
	if (mkfifo(FOLDER "settings.former", 0666) || mkfifo(FOLDER "settings.gate", 0666))
		_exit(1);
}

/* No process ever writes there. */
static void fifos_of_another_user_hold_nothing_up(void)
{
	struct hal_config config = suite_config(1);
	uint32_t cpu = thread_cpu(0);
	char path[64];

	cover();
	as_nobody(make_fifos);
	config.linux_cpus = &cpu;
	expect("no lease", -TACT_EPERM, suite_try_start(&config, reason));
	expect_true("why", strstr(reason, "not a plain file") != NULL);
	snprintf(path, sizeof(path), FOLDER "cpu%u.lease", cpu);
	unlink(path);
	suite_start_with(&config);
	suite_stop();
}

/* A process that continues to live. */
static pid_t begin_holder(void (*deed)(void))
{
	pid_t holder = begin_as_nobody(deed);

	for (unsigned i = 0; i < 1000 && access(FOLDER "held", F_OK); i++)
		hal_linux_pause(1000000);
	if (access(FOLDER "held", F_OK))
		skip("cannot be another user");
	return holder;
}

static void end_holder(pid_t holder)
{
	kill(holder, SIGKILL);
	waitpid(holder, NULL, 0);
}

static void hold_files(void)
{
	static const char *const names[] = {FOLDER "settings.gate", FOLDER "settings.members"};

	for (unsigned i = 0; i < 2; i++) {
		int fd = open(names[i], O_RDWR | O_CREAT, 0666);

		if (fd < 0 || flock(fd, LOCK_EX))
			_exit(1);
	}
	make(FOLDER "held", "");
	sleep(HELD_SECONDS);
}

static void locks_of_another_user_hold_nothing_up(void)
{
	struct stat gate;
	pid_t holder;

	cover();
	holder = begin_holder(hold_files);
	start_and_stop();
	expect("a gate", 0, stat(FOLDER "settings.gate", &gate));
	expect("its owner", 0, gate.st_uid);
	expect("its mode", 0600, gate.st_mode & 0777);
	end_holder(holder);
}

static void make_folders(void)
{
	static const char *const names[] = {"former", "gate", "members"};
	char path[64];

	for (unsigned i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), FOLDER "settings.%s", names[i]);
		if (mkdir(path, 0777))
			_exit(1);
		strcat(path, "/kept");
		make(path, "");
	}
}

static void folders_of_another_user_keep_nothing_lifted(void)
{
	struct hal_config config = suite_config(1);
	long former;

	thread_needs_throttling();
	former = thread_rt_runtime_us();
	cover();
	as_nobody(make_folders);
	config.idle = HAL_IDLE_SPIN;
	expect("start", 0, suite_try_start(&config, reason));
	printf("# %s\n", reason);
	expect("lifted", -1, thread_rt_runtime_us());
	suite_stop();
	expect("restored", former, thread_rt_runtime_us());
}

/* As if Linux lets users link files of other users (fs.protected_hardlinks=0). */
static void file_of_two_names_is_no_lease(void)
{
	struct hal_config config = suite_config(1);
	uint32_t cpu = thread_cpu(0);
	char path[64];

	cover();
	snprintf(path, sizeof(path), FOLDER "cpu%u.lease", cpu);
	expect("linked", 0, link(VICTIM, path));
	config.linux_cpus = &cpu;
	expect("start", -TACT_EPERM, suite_try_start(&config, reason));
	expect_kept();
}

static void hold_lease(void)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), FOLDER "cpu%u.lease", thread_cpu(0));
	make(path, "a\033[2Jb\n");
	fd = open(path, O_RDWR);
	if (fd < 0 || flock(fd, LOCK_EX))
		_exit(1);
	make(FOLDER "held", "");
	sleep(HELD_SECONDS);
}

static void holder_is_told_in_letters(void)
{
	struct hal_config config = suite_config(1);
	uint32_t cpu = thread_cpu(0);
	pid_t holder;

	cover();
	holder = begin_holder(hold_lease);
	config.linux_cpus = &cpu;
	expect("leased", -TACT_EBUSY, suite_try_start(&config, reason));
	expect_true("who", strstr(reason, "a?[2Jb") != NULL);
	end_holder(holder);
}

const struct suite_case cases_thread_state[] = {
	CASE(note_of_another_user_is_none),
	CASE(links_of_another_user_are_not_followed),
	CASE(note_names_settings_only),
	CASE(fifos_of_another_user_hold_nothing_up),
	CASE(locks_of_another_user_hold_nothing_up),
	CASE(folders_of_another_user_keep_nothing_lifted),
	CASE(file_of_two_names_is_no_lease),
	CASE(holder_is_told_in_letters),
	{NULL, NULL},
};
